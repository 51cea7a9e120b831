/* SPDX-License-Identifier: Apache-2.0
 * core_sample_kinds.c - an encoding computed whole while planning, and one of client data. */
#include <stddef.h>
#include <string.h>

#include "tests/support/core_sample.h"

/* ---- sums: an element needs all before it ------------------------------------------------ */

struct sums {
    const struct pe_positions *pos;
};

static const struct pe_param sums_params[] = {PE_ROW_POS(struct sums, true)};

static const struct pe_output sums_outputs[] = {
    {PE_OUTPUT("sums", PE_F64, "pos"), .summary = "", .by_default = true,
     .uses = PE_WORDS("pos"), .bound = ""},
    {PE_OUTPUT("counts", PE_I64, "pos"), .summary = "", .uses = PE_WORDS("pos"), .bound = ""},
};

static void copy(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const double *whole = state;

    for (uint64_t i = 0; out[0] && i < rect->cols; i++)
        out[0][i] = whole[rect->col + i];
}

static const struct pe_filler copier = {.reference = copy, .ns_per_element = 1};

static void sums_prepare(struct pe_build *build, const void *values)
{
    const struct sums *s = values;
    uint64_t count = pe_positions_count(s->pos);

    for (size_t output = 0; output < 2; output++) {
        double total = 0, *whole;

        if (!pe_wants(pe_build_args(build), output))
            continue;
        whole = pe_build_alloc(build, count * sizeof *whole);
        if (!whole)
            return;
        for (uint64_t i = 0; i < count; i++)
            whole[i] = total += output == 0 ? pe_positions_at(s->pos, i) : 1;
        pe_build_fill(build, output, &copier, whole);
    }
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    return 1e9; /* so many operations that planning runs off the event loop */
}

const struct pe_encoding core_sample_sums = {
    .name = "sums",
    .summary = "sums of positions",
    .source = "the tests of the frame",
    .examples = PE_WORDS("pos=0:4"),
    .family = PE_ABSOLUTE,
    .kind = PE_WHOLE,
    .plan_ns = plan_ns,
    PE_TABLES(struct sums, sums_params, sums_outputs),
    .prepare = sums_prepare,
};

/* ---- scaled: the plan knows dtype and shape, the fill gets the data ---------------------- */

struct scaled {
    double factor;
    struct pe_tensor x, y;
};

static const struct pe_param scaled_params[] = {
    {PE_FIELD(struct scaled, factor), .type = PE_REAL, .min = -100, .max = 100, .preset = 2},
    {PE_FIELD(struct scaled, x), .type = PE_TENSOR, .required = true, .summary = "the data"},
    {PE_FIELD(struct scaled, y), .type = PE_TENSOR, .optional = true, .summary = "more of it"},
};

static const struct pe_output scaled_outputs[] = {
    {PE_OUTPUT("scaled", PE_F32, "n", "d"), .summary = "", .by_default = true,
     .uses = PE_WORDS("factor", "x", "y"), .bound = ""},
};

static void scaled_check(const struct pe_args *args, const void *values,
                         struct pe_errors *errors)
{
    const struct scaled *s = values;

    if (s->x.rank != 2)
        pe_fail(errors, PE_CONFLICT, "x", "must have two axes; got %zu", s->x.rank);
}

static size_t scaled_shape(const struct pe_args *args, const void *values, size_t output,
                           uint64_t dims[PE_MAX_RANK])
{
    const struct scaled *s = values;

    dims[0] = s->x.dims[0];
    dims[1] = s->x.dims[1];
    return 2;
}

static double element(const struct pe_tensor *tensor, const void *data, uint64_t row,
                      uint64_t col)
{
    const char *at = data;
    double value;

    at += (row * tensor->dims[1] + col) * pe_dtype_size(tensor->dtype);
    pe_dtype_to_f64(tensor->dtype, &value, at, 1);
    return value;
}

static void scale(const void *state, const struct pe_rect *rect, double *const out[],
                  const void *const input[], void *scratch)
{
    const struct scaled *s = state;

    for (uint64_t i = 0; out[0] && i < rect->rows * rect->cols; i++) {
        uint64_t row = rect->row + i / rect->cols, col = rect->col + i % rect->cols;

        out[0][i] = s->factor * element(&s->x, input[0], row, col) +
                    (s->y.rank ? element(&s->y, input[1], row, col) : 0);
    }
}

static const struct pe_filler scaler = {.reference = scale, .ns_per_element = 3};

static void scaled_prepare(struct pe_build *build, const void *values)
{
    pe_build_fill(build, 0, &scaler, values);
}

const struct pe_encoding core_sample_scaled = {
    .name = "scaled",
    .summary = "the client's data, scaled",
    .source = "the tests of the frame",
    .examples = PE_WORDS("factor=1"),
    .family = PE_ABSOLUTE,
    .kind = PE_INPUT,
    PE_TABLES(struct scaled, scaled_params, scaled_outputs),
    .check = scaled_check,
    .shape = scaled_shape,
    .prepare = scaled_prepare,
};

const struct pe_encoding *core_sample_find(const char *name, size_t len)
{
    static const struct pe_encoding *const all[] = {&core_sample, &core_sample_sums,
                                                    &core_sample_scaled};

    for (size_t i = 0; i < PE_LEN(all); i++)
        if (strlen(all[i]->name) == len && memcmp(all[i]->name, name, len) == 0)
            return all[i];
    return NULL;
}
