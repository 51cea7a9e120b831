/* SPDX-License-Identifier: Apache-2.0
 * deberta_terms.c - content met by relative positions, and relative positions by content. */
#include <math.h>

#include "core/encodings/bias/deberta.h"
#include "core/math/relative/lookup.h"

enum { QUERIES, KEYS, KEY_TABLE, QUERY_TABLE }; /* inputs */

/* One term: vectors of queries or keys, and the table they meet. */
struct term {
    const struct pe_tensor *vectors, *table;
    const char *vectors_name, *table_name;
    size_t vectors_input, table_input;
    const struct pe_positions *positions;
    bool of_key;
};

static struct term term_of(const struct deberta *d, bool p2c)
{
    if (p2c)
        return (struct term){&d->keys, &d->query_table, "keys",     "query_table",
                             KEYS,     QUERY_TABLE,     d->pairs.k, true};
    return (struct term){&d->queries, &d->key_table, "queries",  "key_table",
                         QUERIES,     KEY_TABLE,     d->pairs.q, false};
}

static bool in_bias(const struct deberta *d, bool p2c)
{
    return d->terms != (p2c ? DEBERTA_TERMS_C2P : DEBERTA_TERMS_P2C);
}

static uint64_t rows_of(const struct pe_tensor *table)
{
    return table->rank < 2 ? 0 : table->dims[table->rank - 2];
}

/* ---- rules ------------------------------------------------------------------------------- */

static enum pe_status check_rows(const struct deberta *d, const struct term *term,
                                 struct pe_errors *errors)
{
    uint64_t rows = rows_of(term->table);

    if (d->position_buckets > 0)
        rows = 2 * (uint64_t)d->position_buckets;
    else if (rows % 2 != 0)
        return pe_fail(errors, PE_CONFLICT, term->table_name,
                       "must have an even count of rows, half for either sign; got %llu",
                       (unsigned long long)rows);
    return lookup_check_rows(term->table, term->table_name, rows, term->vectors, errors);
}

static enum pe_status check_term(const struct deberta *d, bool p2c, struct pe_errors *errors)
{
    struct term term = term_of(d, p2c);
    enum pe_status status;

    if (term.vectors->rank == 0 || term.table->rank == 0)
        return pe_fail(errors, PE_MISSING_PARAMETER,
                       term.vectors->rank == 0 ? term.vectors_name : term.table_name,
                       "is required for %s", p2c ? "p2c" : "c2p");
    status = lookup_check_vectors(term.vectors, term.vectors_name, term.vectors_name,
                                  pe_positions_count(term.positions), errors);
    return status ? status : check_rows(d, &term, errors);
}

enum pe_status deberta_terms_check(const struct pe_args *args, const struct deberta *d,
                                   struct pe_errors *errors)
{
    bool bias = pe_wants(args, DEBERTA_BIAS), both = bias && d->terms == DEBERTA_TERMS_BOTH;

    if (pe_wants(args, DEBERTA_C2P) || (bias && in_bias(d, false)))
        check_term(d, false, errors);
    if (errors->count == 0 && (pe_wants(args, DEBERTA_P2C) || (bias && in_bias(d, true))))
        check_term(d, true, errors);
    if (both && errors->count == 0)
        lookup_check_alike(&d->keys, "keys", &d->queries, errors);
    if (both && errors->count == 0 && rows_of(&d->key_table) != rows_of(&d->query_table))
        pe_fail(errors, PE_CONFLICT, "query_table",
                "must have as many rows as key_table, %llu; got %llu",
                (unsigned long long)rows_of(&d->key_table),
                (unsigned long long)rows_of(&d->query_table));
    return errors->count ? errors->at[0].status : PE_OK;
}

static bool takes_keys(const struct deberta *d, size_t output)
{
    return output == DEBERTA_P2C || (output == DEBERTA_BIAS && !in_bias(d, false));
}

size_t deberta_terms_shape(const struct deberta *d, size_t output, uint64_t dims[])
{
    dims[0] = takes_keys(d, output) ? d->keys.dims[0] : d->queries.dims[0];
    return 1 + query_key_shape(&d->pairs, dims + 1);
}

/* ---- rows -------------------------------------------------------------------------------- */

struct rule {
    const struct deberta *deberta;
    double span; /* half of the rows */
};

static double row_at(const void *context, double difference)
{
    const struct rule *rule = context;
    double row = deberta_bucket(rule->deberta, difference) + rule->span;

    return fmin(fmax(row, 0), 2 * rule->span - 1);
}

/* The product of a term; its rule and rows are the plan's. */
static bool make_product(struct pe_build *build, const struct deberta *d, bool p2c,
                         struct lookup_product *product)
{
    struct term term = term_of(d, p2c);
    struct rule *rule = pe_build_alloc(build, sizeof *rule);
    struct query_key_rows *rows = pe_build_alloc(build, sizeof *rows);

    if (!rule || !rows)
        return false;
    *rule = (struct rule){d, (double)(rows_of(term.table) / 2)};
    *rows = (struct query_key_rows){.pairs = &d->pairs,
                                    .difference = row_at,
                                    .rule = rule,
                                    .ns = deberta_bucket_ns(d)};
    *product = (struct lookup_product){.lookup = query_key_lookup(rows),
                                       .vectors = {term.vectors, term.vectors_input},
                                       .table = {term.table, term.table_input},
                                       .of_key = term.of_key};
    return true;
}

static bool fill(struct pe_build *build, const struct deberta *d, size_t output)
{
    struct lookup_scores scores = {.queries = pe_positions_count(d->pairs.q), .scale = {1, 0}};

    for (int p2c = 0; p2c < 2; p2c++) {
        bool wanted = output == DEBERTA_BIAS ? in_bias(d, p2c)
                                             : output == (p2c ? DEBERTA_P2C : DEBERTA_C2P);

        if (wanted && !make_product(build, d, p2c, &scores.products[scores.count++]))
            return false;
    }
    if (output == DEBERTA_BIAS)
        scores.scale =
            lookup_scale(true, (scores.count + 1) * scores.products[0].vectors.tensor->dims[2]);
    return lookup_fill_scores(build, output, &scores);
}

bool deberta_terms_fill(struct pe_build *build, const struct deberta *d)
{
    bool ok = true;

    for (size_t output = DEBERTA_C2P; ok && output <= DEBERTA_BIAS; output++)
        ok = !pe_wants(pe_build_args(build), output) || fill(build, d, output);
    return ok;
}
