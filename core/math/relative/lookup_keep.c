/* SPDX-License-Identifier: Apache-2.0
 * lookup_keep.c - see lookup_keep.h. */
#include "core/math/relative/lookup_keep.h"

enum {
    RUN = 512,         /* keys that are computed at a time */
    PAIRS_FROM = 1024, /* fewest pairs whose numbers are kept */
    PAIRS_MOST = 1 << 21,
};

uint64_t lookup_rows(const struct lookup_bias *bias)
{
    return bias->table.tensor->dims[bias->heads_first ? 1 : 0];
}

/* Allocates and reserve numbers; returns NULL when there is no memory for them. */
static int32_t *new_numbers(struct pe_build *build, uint64_t count)
{
    const size_t bytes = count * sizeof(int32_t);

    return pe_build_reserve(build, bytes) ? pe_build_alloc(build, bytes) : NULL;
}

/* Returns the differences whose numbers are kept: none for a table so long that no column of it
 * is taken. */
static uint64_t kept_differences(const struct lookup_bias *bias)
{
    return bias->differences && lookup_rows(bias) <= LOOKUP_COLUMN_MOST
               ? toeplitz_differences(bias->differences)
               : 0;
}

static uint64_t kept_pairs(const struct lookup_bias *bias)
{
    const uint64_t queries = bias->queries, keys = bias->keys;

    if (lookup_rows(bias) > LOOKUP_COLUMN_MOST || kept_differences(bias) > 0 ||
        queries > PAIRS_MOST || keys > PAIRS_MOST || queries * keys < PAIRS_FROM ||
        queries * keys > PAIRS_MOST)
        return 0;
    return queries * keys;
}

/* Returns whether numbers are kept by clamped difference, if positions and memory allow it. */
static bool is_clamped(const struct lookup_bias *bias)
{
    return bias->differences && bias->most_difference > 0 &&
           bias->most_difference <= CLAMPED_MOST && lookup_rows(bias) <= LOOKUP_COLUMN_MOST;
}

double lookup_plan_ns(const struct lookup_bias *bias)
{
    const double ns = 1 + bias->lookup.ns; /* of a number */

    if (kept_differences(bias) > 0)
        return toeplitz_plan_ns(bias->differences);
    if (is_clamped(bias))
        return ns * 2 * (double)bias->most_difference +
               5 * (double)(bias->queries + bias->keys);
    return ns * (double)kept_pairs(bias);
}

static const int32_t *keep_diagonal(struct pe_build *build, const struct lookup_bias *bias)
{
    const uint64_t count = kept_differences(bias);
    int32_t *numbers = count > 0 ? new_numbers(build, count) : NULL;

    if (numbers)
        toeplitz_make_diagonals(bias->differences, PE_I32, numbers);
    return numbers;
}

static const struct clamped *keep_clamped(struct pe_build *build,
                                          const struct lookup_bias *bias)
{
    return is_clamped(bias) ? clamped_new(build, bias->differences, bias->most_difference)
                            : NULL;
}

static const int32_t *keep_matrix(struct pe_build *build, const struct lookup_bias *bias)
{
    const uint64_t count = kept_pairs(bias), keys = bias->keys;
    int32_t *numbers = count > 0 ? new_numbers(build, count) : NULL, *to = numbers;
    double rows[RUN];

    for (uint64_t query = 0; to && query < bias->queries && !pe_build_stopped(build); query++) {
        for (uint64_t key = 0; key < keys; key += RUN) {
            const size_t run = keys - key < RUN ? (size_t)(keys - key) : RUN;

            bias->lookup.row(bias->lookup.rule, query, key, run, rows);
            for (size_t i = 0; i < run; i++)
                *to++ = (int32_t)rows[i];
        }
    }
    return numbers;
}

struct lookup_kept lookup_keep(struct pe_build *build, const struct lookup_bias *bias)
{
    struct lookup_kept kept = {.diagonal = keep_diagonal(build, bias)};

    if (!kept.diagonal)
        kept.clamped = keep_clamped(build, bias);
    if (!kept.diagonal && !kept.clamped)
        kept.matrix = keep_matrix(build, bias);
    return kept;
}
