/* SPDX-License-Identifier: Apache-2.0
 * echo.c - an rope/apply that rotates nothing: linked with the server's own files in place of
 * the encoding of that name, it makes a posencd that answers a POST with the tensor of its
 * body. It measures the time of the service for a body and an answer, without the rotation
 * between them. */
#include <string.h>

#include "core/encoding.h"
#include "core/encodings/rotary/vectors.h"

struct echo {
    const struct pe_positions *pos;
    int64_t dim;
    struct vectors vectors;
};

static const struct pe_param params[] = {
    PE_ROW_POS(struct echo, true),
    {PE_FIELD(struct echo, dim), .type = PE_INT, .optional = true, .min = 2, .max = 65536,
     .summary = "width of a vector"},
    VECTORS_ROWS(struct echo, vectors),
};

#define ECHO_OUTPUT(NUMBER, NAME)                                                              \
    [NUMBER] = {PE_OUTPUT(NAME, PE_F32, "...", "dim"), .summary = "as it came",                \
                .by_default = NUMBER == VECTORS_X,                                             \
                .uses = PE_WORDS("dim", "pos", "seq_axis", NAME), .bound = "exact"}

static const struct pe_output outputs[] = {
    ECHO_OUTPUT(VECTORS_X, "x"),
    ECHO_OUTPUT(VECTORS_Q, "q"),
    ECHO_OUTPUT(VECTORS_K, "k"),
};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct echo *echo = values;

    if (!vectors_resolve_dim(args, &echo->vectors, &echo->dim, errors))
        vectors_resolve_axis(args, &echo->vectors, "pos", pe_positions_count(echo->pos),
                             errors);
}

struct source { /* of one output */
    size_t input, dim;
    enum pe_dtype dtype;
};

static const char *place_of(const struct source *source, const struct pe_rect *rect,
                            const void *const input[])
{
    return (const char *)input[source->input] +
           (rect->row * source->dim + rect->col) * pe_dtype_size(source->dtype);
}

/* Copies whole vectors of one dtype; there is nothing to do where input and answer share
 * memory. */
static bool echo_vectors(const void *state, const struct pe_rect *rect, enum pe_dtype dtype,
                         void *const out[], const void *const input[], void *scratch)
{
    const struct source *source = state;
    const char *in = place_of(source, rect, input);

    if (dtype != source->dtype || rect->cols != source->dim)
        return false;
    if (out[0] && out[0] != in)
        memmove(out[0], in, rect->rows * rect->cols * pe_dtype_size(dtype));
    return true;
}

static void echo_doubles(const void *state, const struct pe_rect *rect, double *const out[],
                         const void *const input[], void *scratch)
{
    const struct source *source = state;
    const char *in = place_of(source, rect, input);

    for (uint64_t row = 0; out[0] && row < rect->rows; row++)
        pe_dtype_to_f64(source->dtype, out[0] + row * rect->cols,
                        in + row * source->dim * pe_dtype_size(source->dtype), rect->cols);
}

static const struct pe_filler filler = {
    .reference = echo_doubles, .vectors = echo_vectors, .ns_per_element = 0.3};

static void prepare(struct pe_build *build, const void *values)
{
    const struct echo *echo = values;

    for (size_t i = 0; i < VECTORS_COUNT; i++) {
        struct source *source;

        if (!pe_wants(pe_build_args(build), i))
            continue;
        source = pe_build_alloc(build, sizeof *source);
        if (!source)
            return;
        *source =
            (struct source){i, (size_t)echo->dim, vectors_tensor(&echo->vectors, i)->dtype};
        pe_build_fill(build, i, &filler, source);
    }
}

const struct pe_encoding pe_encoding_rope_apply = {
    .name = "rope/apply",
    .summary = "vectors as they came",
    .source = "made for the bench",
    .examples = PE_WORDS("pos=3&x=1,0,0,1"),
    .family = PE_ROTARY,
    .kind = PE_INPUT,
    PE_TABLES(struct echo, params, outputs),
    .resolve = resolve,
    .prepare = prepare,
};
