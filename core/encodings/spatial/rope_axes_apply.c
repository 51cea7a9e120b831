/* SPDX-License-Identifier: Apache-2.0
 * rope_axes_apply.c - the client's vectors, rotated axis by axis: the table of rope_axes.c
 * applied by the kernel of rotate.h. */
#include "core/encodings/rotary/vectors.h"
#include "core/encodings/spatial/rope_axes.h"
#include "core/math/axes_turn.h"

struct apply {
    struct rope_axes axes;
    int rotate_math;
    bool inverse;
    struct vectors vectors;
};

enum { MATH_UPCAST, MATH_IN_DTYPE };

static const struct pe_choice maths[] = {
    {"upcast", NULL, "in double, rounded once", NULL},
    {"in_dtype", PE_WORDS("in-dtype"), "each step rounded as the tensor's dtype", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    ROPE_AXES_ROWS(struct apply, axes),
    {PE_FIELD_OF(struct apply, axes.spatial, pairing), .type = PE_CHOICE,
     .choices = spatial_section_pairings,
     .summary = "which coordinates rotate together; section-half for tables alone"},
    {PE_FIELD(struct apply, rotate_math), .type = PE_CHOICE, .choices = maths,
     .summary = "where results are rounded"},
    {PE_FIELD(struct apply, inverse), .type = PE_BOOL, .optional = true,
     .summary = "rotate back: by minus the angle"},
    VECTORS_ROWS(struct apply, vectors),
};

#define NAMES ROPE_AXES_NAMES, "pairing", "rotate_math", "inverse", "seq_axis"

static const char bound[] = "0.501 ULP, where the two terms cancel 2^-51 of the pair's length; "
                            "f64 4 ULP of the pair's length; in_dtype and the profiles round "
                            "as they do";

static const struct pe_output outputs[] = {
    [VECTORS_X] = {"x", "the vectors, rotated", {"...", "dim"}, VECTORS_X, PE_F32, true,
                   PE_WORDS(NAMES, "x"), bound},
    [VECTORS_Q] = {"q", "the queries, rotated", {"...", "dim"}, VECTORS_Q, PE_F32, false,
                   PE_WORDS(NAMES, "q"), bound},
    [VECTORS_K] = {"k", "the keys, rotated", {"...", "dim"}, VECTORS_K, PE_F32, false,
                   PE_WORDS(NAMES, "k"), bound},
};

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    (void)args;
    return vectors_shape(&((const struct apply *)values)->vectors, output, dims);
}

static enum pe_status resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct apply *a = values;
    enum pe_status status =
        vectors_resolve_dim(args, &a->vectors, &a->axes.spatial.dim, errors);

    if (!status && a->axes.spatial.dim % 2 != 0)
        status = pe_fail(errors, PE_CONFLICT, "x", "must have an even last axis; got %lld",
                         (long long)a->axes.spatial.dim);
    if (!status)
        status = rope_axes_resolve(&a->axes, true, errors);
    if (!status && a->axes.spatial.pairing == SPATIAL_SECTION_HALF)
        status = pe_fail(errors, PE_CONFLICT, "pairing",
                         "must be adjacent or half; section-half is offered for tables alone");
    if (!status)
        status = vectors_resolve_axis(args, &a->vectors, "pos",
                                      rope_axes_layout(&a->axes).points.rows, errors);
    return status;
}

static enum pe_status prepare(struct pe_build *build, const void *values,
                              struct pe_errors *errors)
{
    const struct apply *a = values;
    struct spatial_layout layout = rope_axes_layout(&a->axes);
    struct axes_turn *turn = pe_build_alloc(build, sizeof *turn);
    const bool adjacent = a->axes.spatial.pairing == SPATIAL_ADJACENT;
    struct rotate form = {.span = {.pairs = layout.pairs, .adjacent = adjacent,
                                   .adjacent_out = adjacent,
                                   .in_dtype = a->rotate_math == MATH_IN_DTYPE},
                          .turn = axes_turn_row, .context = turn};

    layout.width = SPATIAL_WIDTH_HALF;
    if (turn)
        *turn = (struct axes_turn){spatial_axes(build, &layout), a->inverse};
    if (!turn || !turn->axes || !vectors_prepare(build, &a->vectors, &form))
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    return PE_OK;
}

const struct pe_encoding pe_encoding_rope_axes_apply = {
    .name = "rope-axes/apply",
    .summary = "vectors rotated axis by axis: Flux, Wan, CogVideoX and others",
    .source = "Wan-Video/Wan2.1 modules/model.py rope_apply; black-forest-labs/flux math.py",
    .examples = PE_WORDS("pos=3&x=1,0,0,1&axes_dim=2,2", "ids=1,2&x=1,2,3,4&axes_dim=2,2",
                         "ids=0,1,2&x=1,2,3,4,5,6,7,8&preset=wan&inverse=1",
                         "ids=2,3&x=1,2,3,4,5,6,7,8&preset=lumina-next&pairing=half"),
    .family = PE_ROTARY,
    .revision = 1,
    .kind = PE_INPUT,
    .params = params,
    .param_count = PE_LEN(params),
    .args_size = sizeof(struct apply),
    .outputs = outputs,
    .output_count = PE_LEN(outputs),
    .resolve = resolve,
    .shape = shape,
    .prepare = prepare,
};
