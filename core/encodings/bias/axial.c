/* SPDX-License-Identifier: Apache-2.0
 * axial.c - numbers of rows, checks and scores of biases along two axes. */
#include "core/encodings/bias/axial.h"

#include "core/math/relative/lookup.h"

enum { TABLE_H, TABLE_W, QUERIES }; /* inputs */
enum { HEIGHT, WIDTH };

static int64_t side(const struct pe_grid *grid, int axis)
{
    return axis == HEIGHT ? grid->height : grid->width;
}

static uint64_t patches(const struct pe_grid *grid)
{
    return (uint64_t)(grid->height * grid->width);
}

/* Returns the count of rows that an axis needs. The last row is that of the last query and the
 * first key, or of the first query and the last key. */
static uint64_t rows_of(const struct axial *a, axial_row *row, int axis)
{
    int64_t queries = side(&a->q, axis), keys = side(&a->k, axis);
    int64_t one = row(queries, keys, queries - 1, 0), other = row(queries, keys, 0, keys - 1);

    return (uint64_t)(one > other ? one : other) + 1;
}

/* Returns the count of rows of a learned table, one for every distance at the finer resolution.
 * With two resolutions no pair uses the last rows, but checkpoints have them. */
static uint64_t table_rows(const struct axial *a, int axis)
{
    int64_t queries = side(&a->q, axis), keys = side(&a->k, axis);

    return (uint64_t)(2 * (queries > keys ? queries : keys) - 1);
}

/* ---- rules ------------------------------------------------------------------------------- */

void axial_check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct axial *a = values;

    if (!pe_wants(args, AXIAL_BIAS) ||
        lookup_check_vectors(&a->queries, "queries", "queries", patches(&a->q), errors) ||
        lookup_check_rows(&a->table_h, "table_h", table_rows(a, HEIGHT), &a->queries, errors))
        return;
    lookup_check_rows(&a->table_w, "table_w", table_rows(a, WIDTH), &a->queries, errors);
}

size_t axial_shape(const struct pe_args *args, const void *values, size_t output,
                   uint64_t dims[PE_MAX_RANK])
{
    const struct axial *a = values;
    int axis = output == AXIAL_INDEX_H ? HEIGHT : WIDTH;

    if (output == AXIAL_BIAS) {
        dims[0] = a->queries.dims[0];
        dims[1] = patches(&a->q);
        dims[2] = patches(&a->k);
        return 3;
    }
    dims[0] = (uint64_t)side(&a->q, axis);
    dims[1] = (uint64_t)side(&a->k, axis);
    return 2;
}

static const struct axial_kind *kind_of(const struct pe_args *args)
{
    return pe_args_encoding(args)->detail;
}

struct pe_interval axial_range(const struct pe_args *args, const void *values, size_t output)
{
    int axis = output == AXIAL_INDEX_H ? HEIGHT : WIDTH;

    return (struct pe_interval){0, (double)(rows_of(values, kind_of(args)->row, axis) - 1)};
}

/* ---- rows -------------------------------------------------------------------------------- */

struct rule { /* the rule of one axis */
    const struct axial *axial;
    axial_row *row;
    int axis;
};

/* This lookup_row takes coordinates along the axis as queries and keys. */
static void index_axis(const void *context, uint64_t query, uint64_t key, size_t count,
                       double *out)
{
    const struct rule *rule = context;
    const struct axial *a = rule->axial;
    int64_t queries = side(&a->q, rule->axis), keys = side(&a->k, rule->axis);

    for (size_t t = 0; t < count; t++)
        out[t] = (double)rule->row(queries, keys, (int64_t)query, (int64_t)(key + t));
}

/* This lookup_row takes patches, and looks up their coordinates along the axis. */
static void index_patches(const void *context, uint64_t query, uint64_t key, size_t count,
                          double *out)
{
    const struct rule *rule = context;
    const struct axial *a = rule->axial;
    int64_t queries = side(&a->q, rule->axis), keys = side(&a->k, rule->axis);
    int64_t i =
        rule->axis == HEIGHT ? (int64_t)query / a->q.width : (int64_t)query % a->q.width;

    for (size_t t = 0; t < count; t++) {
        int64_t j = (int64_t)(key + t);

        j = rule->axis == HEIGHT ? j / a->k.width : j % a->k.width;
        out[t] = (double)rule->row(queries, keys, i, j);
    }
}

static void fill(struct pe_build *build, const struct axial *a, const struct rule rules[2])
{
    const struct lookup_data queries = {&a->queries, QUERIES};
    const struct lookup_scores scores = {
        .products =
            {{{index_patches, &rules[HEIGHT], 5}, queries, {&a->table_h, TABLE_H}, false},
             {{index_patches, &rules[WIDTH], 5}, queries, {&a->table_w, TABLE_W}, false}},
        .count = 2,
        .queries = patches(&a->q),
        .scale = lookup_scale(a->scaled, a->queries.dims[2]),
    };
    const struct lookup along[] = {{index_axis, &rules[HEIGHT], 3},
                                   {index_axis, &rules[WIDTH], 3}};

    lookup_fill_index(build, AXIAL_INDEX_H, &along[HEIGHT]);
    lookup_fill_index(build, AXIAL_INDEX_W, &along[WIDTH]);
    lookup_fill_scores(build, AXIAL_BIAS, &scores);
}

void axial_prepare(struct pe_build *build, const void *values)
{
    const struct axial_kind *kind = kind_of(pe_build_args(build));
    struct rule *rules = pe_build_alloc(build, 2 * sizeof *rules);

    pe_build_fact_text(build, "sign", kind->sign);
    for (int axis = 0; rules && axis < 2; axis++)
        rules[axis] = (struct rule){values, kind->row, axis};
    if (rules)
        fill(build, values, rules);
}
