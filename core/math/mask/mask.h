/* SPDX-License-Identifier: Apache-2.0
 * mask.h - which keys a query sees, as a matrix (batches x queries, keys). A predicate of two
 * positions defines it; where the rule also names the keys of a query as a few spans, rows are
 * filled span by span, at the speed of memory. */
#pragma once

#include "core/encoding.h"
#include "core/math/stream_store.h"

/* The keys at positions first..last, both included; none when last < first. */
struct mask_span {
    int64_t first, last;
};

enum { MASK_MOST_SPANS = 4 };
/* below every position; adding a position to it does not overflow */
#define MASK_FIRST (INT64_MIN / 4)
#define MASK_LAST (INT64_MAX / 4)

struct mask_rule {
    bool (*sees)(const void *context, uint64_t batch, int64_t query, int64_t key);
    /* Gets the keys that `sees` accepts as ascending spans that do not overlap; returns their
     * number, at most `most`. NULL: there is only `sees`. */
    size_t (*spans)(const void *context, uint64_t batch, int64_t query,
                    struct mask_span spans[MASK_MOST_SPANS]);
    size_t most;
    /* Returns a position that the query sees if it sees any; where that position is a key, it
     * decides the row. mask_own_key returns the query's own position. NULL: there is no such
     * position. Not used with spans. */
    int64_t (*witness)(const void *context, int64_t query);
};
int64_t mask_own_key(const void *context, int64_t query);

/* The policy for a row that sees no key: the row stays empty, sees its own key (all keys if the
 * query is no key), or sees all keys. */
enum mask_policy { MASK_NONE, MASK_KEEP_SELF, MASK_UNMASK_ALL };

struct mask {
    const struct mask_rule *rule;
    const void *context;              /* argument of the functions of the rule */
    const struct pe_positions *q, *k; /* positions of queries and keys; NULL: 0, 1, 2, ... */
    uint64_t queries, keys;
    const struct pe_reals *keep;   /* [batch][key], 0: no query sees the key; NULL: all keys are
                                  * kept */
    const enum mask_policy *empty; /* [batch * queries], for rows without a key; may be NULL */
    const uint32_t *next; /* [batch][key]: the next key that `keep` keeps; may be NULL */
    /* Ends a long mask_look, which then returns MASK_NOTHING; may be NULL. */
    const struct pe_stop *stop;
    double look_ns; /* operations of the rule's `sees`; 0: a few comparisons */
    double row_ns;  /* operations of mask_look for a row; for mask_empty_filler */
};

/* True when row `row` of (batches x queries) sees column `col`; this defines the matrix. */
bool mask_sees(const struct mask *mask, uint64_t row, uint64_t col);
/* True when the rule and `keep` leave the row no key, before the policy is applied. */
bool mask_is_empty(const struct mask *mask, uint64_t row);
/* Returns a column that the rule and `keep` let the row see, or MASK_NOTHING. The search begins
 * at column `from`: pass the column of the row before, since patterns move by little from row
 * to row. */
#define MASK_NOTHING UINT64_MAX
uint64_t mask_look(const struct mask *mask, uint64_t row, uint64_t from);
/* Fills mask->next, so that keys which nobody sees are skipped; false: out of memory. */
bool mask_index_keys(struct pe_build *build, struct mask *mask);
/* Returns the operations of mask_look for all rows, at most; context, next and empty are not
 * read. */
double mask_look_ns(const struct mask *mask, uint64_t batches);
/* Returns the policy for this row without a key: MASK_UNMASK_ALL replaces MASK_KEEP_SELF where
 * the query is no key. */
enum mask_policy mask_policy_of(const struct mask *mask, uint64_t row, enum mask_policy policy);
/* True when the runs of a row follow from its spans, so that no key is looked at: the rule
 * names spans, the keys are one ascending run, and all are kept. */
bool mask_has_spans(const struct mask *mask);
/* Returns the most runs of keys, in the order of columns, that a row can have. */
uint64_t mask_most_runs(const struct mask *mask);

/* The elements that are written for a key that is not seen [0] and for one that is [1]. */
struct mask_ink {
    size_t size;      /* bytes of an element: 1, 2, 4 or 8 */
    uint64_t word[2]; /* the element, repeated to fill the word */
};
struct mask_ink mask_ink_of(enum pe_dtype dtype, const double values[2]);
/* Writes columns [col, col + count) of the row. */
void mask_paint(const struct mask *mask, const struct mask_ink *ink, uint64_t row, uint64_t col,
                uint64_t count, struct stream_store *stream);
/* Writes columns [col, col + count) of the row as bytes 1 (seen) and 0. */
void mask_row(const struct mask *mask, uint64_t row, uint64_t col, uint64_t count,
              unsigned char *out);

/* ---- outputs ----------------------------------------------------------------------------- */

/* The matrix of a mask, repeated for `heads`: rows are (batch, head, query). */
struct mask_dense {
    const struct mask *mask;
    uint64_t heads;
    double values[2]; /* values of a key that is not seen, and of a key that is seen */
};
extern const struct pe_filler mask_dense_filler; /* state: struct mask_dense */

struct mask_compact {
    const struct mask *mask;
    uint64_t most, block; /* most runs of a row; queries and keys of a block */
    bool flip;            /* a bit of 1 means that the key is not seen */
};
/* Fills rows of bits: key j is bit j % 8 of byte j / 8. */
extern const struct pe_filler mask_bits_filler;
/* Fills (row, run, 2): number of the first key of a run, and of the key after its last; -1
 * where a row has fewer runs. */
extern const struct pe_filler mask_runs_filler;
/* Fills (batch, blocks of queries, blocks of keys): 0 where no pair of the block is seen, 1
 * where some are, 2 where all are. */
extern const struct pe_filler mask_blocks_filler;
/* Fills (batch, blocks of queries, blocks of keys): numbers of the blocks where a pair is seen,
 * ascending, then -1. */
extern const struct pe_filler mask_indices_filler;
/* Fills 1 for each row that has no key before the policy is applied, else 0; state: struct
 * mask. */
extern const struct pe_filler mask_empty_filler;
