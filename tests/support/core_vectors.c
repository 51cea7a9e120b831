/* SPDX-License-Identifier: Apache-2.0
 * core_vectors.c - see core_vectors.h: y = factor * x, element by element. */
#include "tests/support/core_vectors.h"

enum { TENSORS = 3 };

struct vectors {
    double factor;
    struct pe_tensor x, q, k;
};

struct vectors_state {
    double factor;
    size_t number; /* number of the tensor */
    struct pe_tensor tensor;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct vectors, factor), .type = PE_REAL, .min = -100, .max = 100, .preset = 2,
     .summary = "what all is multiplied by"},
    {PE_FIELD(struct vectors, x), .type = PE_TENSOR, .required = true, .summary = "vectors"},
    {PE_FIELD(struct vectors, q), .type = PE_TENSOR, .required = true, .summary = "queries"},
    {PE_FIELD(struct vectors, k), .type = PE_TENSOR, .required = true, .summary = "keys"},
};

static const struct pe_output outputs[] = {
    {PE_OUTPUT("x", PE_F32, "...", "dim"), .summary = "vectors", .by_default = true,
     .uses = PE_WORDS("factor", "x"), .bound = ""},
    {PE_OUTPUT("q", PE_F32, "...", "dim"), .summary = "queries",
     .uses = PE_WORDS("factor", "q"), .bound = ""},
    {PE_OUTPUT("k", PE_F32, "...", "dim"), .summary = "keys", .uses = PE_WORDS("factor", "k"),
     .bound = ""},
};

static const struct pe_tensor *tensor_of(const struct vectors *v, size_t i)
{
    const struct pe_tensor *all[TENSORS] = {&v->x, &v->q, &v->k};

    return all[i];
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct pe_tensor *tensor = tensor_of(values, output);

    for (size_t i = 0; i < tensor->rank; i++)
        dims[i] = tensor->dims[i];
    return tensor->rank;
}

static void scale(const void *state, const struct pe_rect *rect, double *const out[],
                  const void *const input[], void *scratch)
{
    const struct vectors_state *s = state;
    size_t size = pe_dtype_size(s->tensor.dtype);

    for (uint64_t i = 0; out[0] && i < rect->rows * rect->cols; i++) {
        uint64_t row = rect->row + i / rect->cols, col = rect->col + i % rect->cols;
        uint64_t at = row * s->tensor.dims[s->tensor.rank - 1] + col;

        pe_dtype_to_f64(s->tensor.dtype, &out[0][i], (const char *)input[s->number] + at * size,
                        1);
        out[0][i] *= s->factor;
    }
}

static const struct pe_filler scaler = {.reference = scale, .ns_per_element = 1};

static void prepare(struct pe_build *build, const void *values)
{
    const struct vectors *v = values;
    struct vectors_state *state = pe_build_alloc(build, TENSORS * sizeof *state);

    if (!state)
        return;
    for (size_t i = 0; i < TENSORS; i++) {
        state[i] = (struct vectors_state){v->factor, i, *tensor_of(v, i)};
        if (pe_wants(pe_build_args(build), i))
            pe_build_fill(build, i, &scaler, &state[i]);
    }
}

const struct pe_encoding core_vectors = {
    .name = "scale/apply",
    .summary = "vectors multiplied by a factor",
    .source = "made for tests",
    .examples = PE_WORDS("x=1,0,0,1"),
    .family = PE_ROTARY,
    .kind = PE_INPUT,
    PE_TABLES(struct vectors, params, outputs),
    .shape = shape,
    .prepare = prepare,
};
