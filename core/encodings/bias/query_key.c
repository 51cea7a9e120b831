/* SPDX-License-Identifier: Apache-2.0
 * query_key.c - positions of queries and keys, and matrices filled by a rule. */
#include "core/encodings/bias/query_key.h"

#include "core/math/relative/scattered.h"

void query_key_resolve(struct pe_args *args, size_t at, bool needs_q, bool needs_k,
                       struct pe_errors *errors)
{
    const struct query_key *pairs = (const void *)((const char *)pe_args_struct(args) + at);
    size_t q = at + offsetof(struct query_key, q), k = at + offsetof(struct query_key, k);

    if (pairs->len != PE_ABSENT_INT && (pairs->q || pairs->k)) {
        pe_fail(errors, PE_CONFLICT, "len", "means q=0:len and k=0:len; give it alone");
        return;
    }
    if (pairs->len != PE_ABSENT_INT) {
        pe_args_put_slice(args, q, 0, pairs->len, errors);
        pe_args_put_slice(args, k, 0, pairs->len, errors);
        return;
    }
    if (needs_k && !pairs->k)
        pe_fail(errors, PE_MISSING_PARAMETER, "k",
                "is required, or len: positions of the keys");
    if (needs_q && !pairs->q)
        pe_fail(errors, PE_MISSING_PARAMETER, "q",
                "is required, or len: positions of the queries");
}

size_t query_key_shape(const struct query_key *pairs, uint64_t dims[])
{
    dims[0] = pe_positions_count(pairs->q);
    dims[1] = pe_positions_count(pairs->k);
    return 2;
}

uint64_t query_key_differences(const struct query_key *pairs)
{
    uint64_t queries = pe_positions_count(pairs->q), keys = pe_positions_count(pairs->k);

    return queries && keys ? queries + keys - 1 : 0;
}

/* Says whether the positions are consecutive. positions.c does not store two as a run. */
static bool is_one_slice(const struct pe_positions *pos)
{
    uint64_t count = pe_positions_count(pos);

    if (count < 2)
        return true;
    if (count == 2)
        return pe_positions_at(pos, 1) - pe_positions_at(pos, 0) == 1;
    return pe_positions_run(pos, 0).left == count && pe_positions_run(pos, 0).step == 1;
}

void query_key_check_slices(const struct query_key *pairs, struct pe_errors *errors)
{
    const struct pe_positions *both[] = {pairs->q, pairs->k};

    for (int i = 0; i < 2; i++) {
        if (!is_one_slice(both[i]))
            pe_fail(errors, PE_CONFLICT, i ? "k" : "q",
                    "must be one slice of step 1 for out=toeplitz");
    }
}

void query_key_check_patches(const struct query_key *pairs, const struct pe_grid *grid,
                             struct pe_errors *errors)
{
    const double patches = (double)(grid->height * grid->width);
    double low, high;

    for (int i = 0; i < 2; i++) {
        pe_positions_range(i ? pairs->k : pairs->q, &low, &high);
        if (low < 0 || high >= patches)
            pe_fail(errors, PE_CONFLICT, i ? "k" : "q",
                    "must number the patches of the grid, 0..%.0f", patches - 1);
    }
}

void query_key_range(const struct query_key *pairs, double *low, double *high)
{
    double first_q, last_q, first_k, last_k;

    pe_positions_range(pairs->q, &first_q, &last_q);
    pe_positions_range(pairs->k, &first_k, &last_k);
    *low = first_q - last_k;
    *high = last_q - first_k;
}

/* ---- matrices ---------------------------------------------------------------------------- */

struct matrix {
    struct query_key_rows rows;
    struct toeplitz toeplitz;
};

static double value_of(const struct query_key_rows *rows, double query, double key)
{
    return rows->value ? rows->value(rows->rule, query, key)
                       : rows->difference(rows->rule, query - key);
}

static void fill_row(const void *context, size_t head, double query, const double *keys,
                     size_t count, double *out)
{
    const struct query_key_rows *rows = &((const struct matrix *)context)->rows;

    for (size_t i = 0; i < count; i++)
        out[i] = rows->value(rows->rule, query, keys[i]);
}

static double value_by_difference(const void *context, size_t head, double difference)
{
    const struct query_key_rows *rows = &((const struct matrix *)context)->rows;

    return rows->difference(rows->rule, difference);
}

struct toeplitz query_key_outline(const struct query_key_rows *rows)
{
    return (struct toeplitz){.value = rows->value ? NULL : value_by_difference,
                             .row = rows->value ? fill_row : NULL,
                             .heads = 1,
                             .q = rows->pairs->q,
                             .k = rows->pairs->k,
                             .ns = rows->ns};
}

struct toeplitz *query_key_toeplitz(struct pe_build *build, const struct query_key_rows *rows)
{
    struct matrix *matrix = pe_build_alloc(build, sizeof *matrix);

    if (!matrix)
        return NULL;
    matrix->rows = *rows;
    matrix->toeplitz = query_key_outline(rows);
    matrix->toeplitz.context = matrix;
    return &matrix->toeplitz;
}

void query_key_fill_rows(struct pe_build *build, size_t group,
                         const struct query_key_rows *rows)
{
    struct toeplitz *matrix =
        pe_build_wants(build, group) ? query_key_toeplitz(build, rows) : NULL;

    if (matrix)
        toeplitz_fill(build, group, matrix);
}

void query_key_fill_matrix(struct pe_build *build, size_t group, query_key_value *value,
                           const void *rule, const struct query_key *pairs)
{
    query_key_fill_rows(
        build, group,
        &(struct query_key_rows){.pairs = pairs, .value = value, .rule = rule, .ns = 22});
}

void query_key_fill_difference(struct pe_build *build, size_t group,
                               query_key_difference *value, const void *rule,
                               const struct query_key *pairs)
{
    query_key_fill_rows(
        build, group,
        &(struct query_key_rows){.pairs = pairs, .difference = value, .rule = rule});
}

/* ---- rows of tables ---------------------------------------------------------------------- */

static void index_row(const void *context, uint64_t query, uint64_t key, size_t count,
                      double *out)
{
    const struct query_key_rows *rows = context;
    double position = pe_positions_at(rows->pairs->q, query);

    for (size_t t = 0; rows->keys && t < count; t++)
        out[t] = value_of(rows, position, rows->keys[key + t]);
    for (size_t t = 0; !rows->keys && t < count;) {
        const struct pe_run run = pe_positions_run(rows->pairs->k, key + t);

        for (uint64_t i = 0; i < run.left && t < count; i++, t++)
            out[t] = value_of(rows, position, run.first + (double)run.step * (double)i);
    }
}

struct query_key_rows *query_key_rows_new(struct pe_build *build,
                                          const struct query_key_rows *rows)
{
    struct query_key_rows *kept = pe_build_alloc(build, sizeof *kept);

    if (!kept)
        return NULL;
    *kept = *rows;
    kept->keys = scattered_list(build, rows->pairs->k);
    return kept;
}

struct lookup query_key_lookup(const struct query_key_rows *rows)
{
    return (struct lookup){index_row, rows, 1 + rows->ns};
}
