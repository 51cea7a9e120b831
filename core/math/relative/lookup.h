/* SPDX-License-Identifier: Apache-2.0
 * lookup.h - matrices of queries and keys whose elements come from rows of tables: which row
 * belongs to a pair is a rule. The answer is the row's number, an element of the row (a bias a
 * head), or the row's product with the query's or the key's vector. */
#pragma once

#include "core/encoding.h"
#include "core/math/number/elementary.h"
#include "core/math/relative/toeplitz.h"

/* Sets out[t] to the number of the row for query number `query` and key number key + t. It
 * defines the numbers, which must not depend on how a row of keys is divided. */
typedef void lookup_row(const void *rule, uint64_t query, uint64_t key, size_t count,
                        double *out);

struct lookup {
    lookup_row *row;
    const void *rule; /* argument of `row`, which lives as long as the plan */
    double ns;        /* operations of a number */
};

/* A tensor of the request: its shape, and which of the inputs has its elements. */
struct lookup_data {
    const struct pe_tensor *tensor;
    size_t input;
};

/* A bias (heads, queries, keys): scale * table[row][head], or scale * table[head][row]. */
struct lookup_bias {
    struct lookup lookup;
    /* the numbers as the diagonals of one head; NULL: numbers do not follow from differences */
    const struct toeplitz *differences;
    /* With `differences`: beyond this difference, and below its negative, numbers of whole
     * differences do not change; 0: not known */
    int64_t most_difference;
    struct lookup_data table;
    const double *own; /* elements of a table that the plan made; NULL: the input's */
    bool heads_first;
    uint64_t queries, keys;
    struct dd scale;
};

/* The product vectors[head][query] . table[row], or that of the key; a table of three axes has
 * rows for each head. */
struct lookup_product {
    struct lookup lookup;
    struct lookup_data vectors, table;
    bool of_key;
};

/* Scores (heads, queries, keys): scale times the sum of the products. */
struct lookup_scores {
    struct lookup_product products[2];
    size_t count;
    uint64_t queries;
    struct dd scale;
};

#define LOOKUP_BOUND "0.501 ULP; f64 1 ULP"
#define LOOKUP_SCORES_BOUND "0.501 ULP; f64 1 ULP; of sums above 2^-40 of their terms"

/* Fills an output: (queries, keys) with the numbers, (heads, queries, keys) with biases or
 * scores. The argument is copied. */
void lookup_fill_index(struct pe_build *build, size_t group, const struct lookup *lookup);
void lookup_fill_bias(struct pe_build *build, size_t group, const struct lookup_bias *bias);
void lookup_fill_scores(struct pe_build *build, size_t group,
                        const struct lookup_scores *scores);

/* Returns the operations of the numbers that lookup_fill_bias keeps, for plan_ns. */
double lookup_plan_ns(const struct lookup_bias *bias);

/* Returns 1 / sqrt(dim), the scale of scores, or 1 unless `scaled`. */
struct dd lookup_scale(bool scaled, uint64_t dim);

/* Gives vectors (positions, dim) or (dim) an axis of one head. For resolve hooks. */
void lookup_one_head(struct pe_tensor *vectors);
/* Checks that the vectors are (heads, count, dim), for `count` of `what` ("queries"). For check
 * hooks. */
enum pe_status lookup_check_vectors(const struct pe_tensor *vectors, const char *name,
                                    const char *what, uint64_t count, struct pe_errors *errors);
/* Checks that both have the same heads and dim. */
void lookup_check_alike(const struct pe_tensor *vectors, const char *name,
                        const struct pe_tensor *like, struct pe_errors *errors);
/* Checks that the table is (rows, dim), or (heads, rows, dim) for the heads of the vectors. */
enum pe_status lookup_check_rows(const struct pe_tensor *table, const char *name, uint64_t rows,
                                 const struct pe_tensor *vectors, struct pe_errors *errors);
/* Checks that the table is (rows, heads), or (heads, rows). */
enum pe_status lookup_check_bias(const struct pe_tensor *table, const char *name, uint64_t rows,
                                 bool heads_first, struct pe_errors *errors);
