/* SPDX-License-Identifier: Apache-2.0
 * core_sample.c - the encoding with a parameter of every type. */
#include "tests/support/core_sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS, NEGATED, IDS, MASK, TOTAL, CUBE, SHAPE, LATE };

static const struct pe_choice modes[] = {
    {"plain", PE_WORDS("simple", "none"), NULL, NULL, NULL},
    {"table", NULL, "from a shared table", NULL, NULL},
    {"signed", NULL, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static const struct pe_choice kinds[] = {{"first", NULL, NULL, NULL, NULL},
                                         {"second", NULL, NULL, NULL, NULL},
                                         {NULL, NULL, NULL, NULL, NULL}};
static const struct pe_choice presets[] = {{"loud", NULL, NULL, "gain=10&mode=table", NULL},
                                           {"shifted", NULL, NULL, "offset=0.5", NULL},
                                           {NULL, NULL, NULL, NULL, NULL}};
static const struct pe_word gains[] = {{"auto", 2}, {"-inf", -INFINITY}, {NULL, 0}};

static const struct pe_param params[] = {
    PE_ROW_POS(struct sample, false),
    {PE_FIELD(struct sample, where), .type = PE_POSITIONS, .preset_text = "0:4"},
    {PE_FIELD(struct sample, times), .type = PE_POSITIONS, .required = true, .fractions = true,
     .summary = "when it was"},
    {PE_FIELD(struct sample, dim), .type = PE_INT, .required = true, .min = 2, .max = 64,
     .multiple_of = 2, .summary = "width of a row"},
    {PE_FIELD(struct sample, steps), .type = PE_INT, .min = 3, .max = 30, .multiple_of = 3,
     .preset = 3},
    {PE_FIELD(struct sample, len), .type = PE_INT, .optional = true, .expanded = true, .min = 0,
     .max = 0x1p53},
    {PE_FIELD(struct sample, gain), .type = PE_REAL, .above_min = true, .max = 1e18,
     .preset = 1, .words = gains},
    {PE_FIELD(struct sample, offset), .type = PE_REAL, .optional = true, .min = -10, .max = 10},
    {PE_FIELD(struct sample, weights), .type = PE_REALS, .min = -1, .max = 1},
    {PE_FIELD(struct sample, matrix), .type = PE_REALS, .matrix = true, .min = 0, .max = 9},
    {PE_FIELD(struct sample, grid), .type = PE_GRID, .required = true, .summary = "the cells"},
    {PE_FIELD(struct sample, x), .type = PE_TENSOR, .required = true, .summary = "anything"},
    {PE_FIELD(struct sample, mode), .type = PE_CHOICE, .choices = modes},
    {PE_FIELD(struct sample, kind), .type = PE_CHOICE, .choices = kinds, .optional = true},
    {PE_FIELD(struct sample, preset), .type = PE_CHOICE, .choices = presets, .optional = true,
     .expanded = true},
    {PE_FIELD(struct sample, flag), .type = PE_BOOL, .preset = 1},
    {PE_FIELD(struct sample, wish), .type = PE_BOOL, .optional = true},
};

#define ROW_NAMES "pos", "dim", "gain", "offset", "mode", "flag", "wish"

static const struct pe_output outputs[] = {
    {PE_OUTPUT("rows", PE_F32, "pos", "dim"), .summary = "", .by_default = true,
     .uses = PE_WORDS(ROW_NAMES), .bound = ""},
    {PE_OUTPUT("negated", PE_F32, "pos", "dim"), .summary = "", .group = "rows",
     .uses = PE_WORDS(ROW_NAMES), .bound = ""},
    {PE_OUTPUT("ids", PE_I64, "height", "width"), .summary = "", .uses = PE_WORDS("grid"),
     .bound = ""},
    {PE_OUTPUT("mask", PE_BOOL8, "pos", "where"), .summary = "",
     .uses = PE_WORDS("pos", "where", "len"), .bound = ""},
    {PE_OUTPUT("total", PE_F32, NULL), .summary = "",
     .uses = PE_WORDS("weights", "matrix", "kind"), .bound = ""},
    {PE_OUTPUT("cube", PE_F32, "pos", "steps", "dim"), .summary = "",
     .uses = PE_WORDS("pos", "steps", "dim"), .bound = ""},
    {PE_OUTPUT("shape", PE_I64, "rank"), .summary = "", .uses = PE_WORDS("x"), .bound = ""},
    {PE_OUTPUT("late", PE_F64, "times"), .summary = "", .uses = PE_WORDS("times"), .bound = ""},
};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct sample *s = values;

    if (s->len != PE_ABSENT_INT)
        pe_args_put_slice(args, offsetof(struct sample, where), 0, s->len, errors);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct sample *s = values;

    if (PE_GIVEN(args, struct sample, wish) && s->gain > 100)
        pe_fail(errors, PE_CONFLICT, "gain", "must be at most 100 with wish");
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct sample *s = values;

    dims[0] = s->pos ? pe_positions_count(s->pos) : 0;
    dims[1] = (uint64_t)s->dim;
    switch (output) {
    case IDS:
        dims[0] = (uint64_t)s->grid.height;
        dims[1] = (uint64_t)s->grid.width;
        return 2;
    case MASK:
        dims[1] = pe_positions_count(s->where);
        return 2;
    case TOTAL:
        return 0;
    case CUBE:
        dims[1] = (uint64_t)s->steps;
        dims[2] = (uint64_t)s->dim;
        return 3;
    case SHAPE:
        dims[0] = s->x.rank;
        return 1;
    case LATE:
        dims[0] = pe_positions_count(s->times);
        return 1;
    default:
        return 2;
    }
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct sample *s = values;

    if (output != IDS)
        return (struct pe_interval){-0x1p53, 0x1p53}; /* the widest */
    return (struct pe_interval){0, (double)(s->grid.height * s->grid.width - 1)};
}

static size_t table_key(const struct pe_args *args, const void *values, char *text, size_t size)
{
    const struct sample *s = values;

    if (!pe_wants(args, ROWS) || s->mode != SAMPLE_TABLED)
        return 0;
    return (size_t)snprintf(text, size, "dim=%lld", (long long)s->dim);
}

static void *table_build(const struct pe_args *args, const void *values, size_t *bytes)
{
    const struct sample *s = values;
    double *table = malloc((size_t)s->dim * sizeof *table);

    *bytes = (size_t)s->dim * sizeof *table;
    for (int64_t i = 0; table && i < s->dim; i++)
        table[i] = (double)i + 100;
    return table;
}

/* ---- one function for all groups: what an element is ------------------------------------- */

struct cell {
    const struct sample *sample;
    const double *table;
    size_t group;
};

static double element(const struct cell *cell, uint64_t row, uint64_t col)
{
    const struct sample *s = cell->sample;
    double total = 0;

    switch (cell->group) {
    case ROWS:
        return s->gain * pe_positions_at(s->pos, row) +
               (cell->table ? cell->table[col] : (double)col) +
               (isnan(s->offset) ? 0 : s->offset);
    case IDS:
        return (double)row * (double)s->grid.width + (double)col;
    case MASK:
        return pe_positions_at(s->pos, row) >= pe_positions_at(s->where, col);
    case CUBE:
        return pe_positions_at(s->pos, row / (uint64_t)s->steps) +
               10 * (double)(row % (uint64_t)s->steps) + 100 * (double)col;
    case SHAPE:
        return (double)s->x.dims[col];
    case LATE:
        return pe_positions_at(s->times, col);
    default:
        for (size_t i = 0; i < s->weights.cols; i++)
            total += s->weights.values[i];
        for (size_t i = 0; i < s->matrix.rows * s->matrix.cols; i++)
            total += s->matrix.values[i];
        return total;
    }
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct cell *cell = state;

    for (uint64_t i = 0; i < rect->rows * rect->cols; i++) {
        double value = element(cell, rect->row + i / rect->cols, rect->col + i % rect->cols);

        if (out[0])
            out[0][i] = value;
        if (cell->group == ROWS && out[1])
            out[1][i] = -value;
    }
}

static const struct pe_filler filler = {.reference = fill, .ns_per_element = 2};

static void prepare(struct pe_build *build, const void *values)
{
    const struct pe_args *args = pe_build_args(build);
    const struct sample *s = values;

    for (size_t output = 0; output < PE_LEN(outputs); output++) {
        struct cell *cell;

        size_t group = output == NEGATED ? ROWS : output;

        if (!pe_wants(args, output) || (output == NEGATED && pe_wants(args, ROWS)))
            continue;
        cell = pe_build_alloc(build, sizeof *cell);
        if (!cell)
            return;
        *cell = (struct cell){s, pe_build_table(build), group};
        pe_build_fill(build, group, &filler, cell);
    }
    pe_build_fact(build, "answer", 42);
    pe_build_fact_text(build, "sign", "as it comes");
    if (s->gain < 1)
        pe_build_warn(build, "gain is %g: it softens", s->gain);
}

const struct pe_encoding core_sample = {
    .name = "sample",
    .summary = "a parameter of every type",
    .source = "the tests of the frame",
    .examples = PE_WORDS("pos=0:4&dim=4"),
    .family = PE_INDEX,
    .revision = 7,
    PE_TABLES(struct sample, params, outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    .range = range,
    .table_key = table_key,
    .table_build = table_build,
    .table_free = free,
    .prepare = prepare,
};
