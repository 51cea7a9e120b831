/* SPDX-License-Identifier: Apache-2.0
 * rope_angles.c - vectors rotated by angles of the client: of each token, or of each token and
 * head, one a pair. Encodings whose angles follow from the content rotate so:
 *
 *     a' = a cos t - b sin t    b' = a sin t + b cos t    t = angles[token][head][pair]
 *
 * Movahedi et al. 2025, Selective Rotary Position Embedding; Veisi et al. 2025, Context-aware
 * Rotary Position Embedding (CARoPE). Their networks, and the sums of their steps over the
 * tokens before, are the client's. */
#include <math.h>

#include "core/encodings/rotary/vectors.h"
#include "core/math/tensor_row.h"
#include "core/math/trig/phase.h"

enum { ANGLES_INPUT = VECTORS_COUNT }; /* number of angles among the tensors */

struct rope_angles {
    struct vectors vectors;
    struct pe_tensor angles;
    int64_t dim, offset_dims;
    int pairing;
};

static const struct pe_param params[] = {
    VECTORS_ROW_DIM(struct rope_angles, dim),
    {PE_FIELD(struct rope_angles, pairing), .type = PE_CHOICE, .choices = vectors_pairings},
    {PE_FIELD(struct rope_angles, offset_dims), .type = PE_INT, .min = 0, .max = 65534,
     .summary = "number of first elements of a head, which do not rotate"},
    VECTORS_ROW_HEAD_AXIS(struct rope_angles, vectors),
    VECTORS_TURN_ROWS(struct rope_angles, vectors),
    VECTORS_ROWS(struct rope_angles, vectors),
    {PE_TENSOR_TABLE(struct rope_angles, angles), .required = true, .unit = "radians",
     PE_OWN("posenc", POSITIONS, BASIC),
     .summary = "angles in radians, a row a token and a column a pair, or token, head, pair"},
};

#define NAMES "dim", "pairing", "offset_dims", "head_axis", VECTORS_TURN_NAMES, "angles"
static const struct pe_output outputs[] = {
    VECTORS_OUTPUT_ROWS("rotated by the angles", VECTORS_BOUND, NAMES)};

/* ---- rules ------------------------------------------------------------------------------- */

static size_t pairs_of(const struct rope_angles *r)
{
    return (size_t)r->angles.dims[r->angles.rank - 1];
}

static uint64_t heads_of(const struct rope_angles *r)
{
    return r->angles.rank == 3 ? r->angles.dims[1] : 1;
}

static enum pe_status check_angles(struct rope_angles *r, struct pe_errors *errors)
{
    if (r->angles.rank == 1)
        tensor_row_widen(&r->angles, 2);
    if (tensor_row_check(&r->angles, "angles",
                         r->angles.rank == 3 ? "tokens,heads,pairs" : "tokens,pairs", errors))
        return errors->at[0].status;
    if (r->offset_dims + 2 > r->dim)
        return pe_fail(errors, PE_CONFLICT, "offset_dims",
                       "must leave at least 2 of the %lld elements of a head; got %lld",
                       (long long)r->dim, (long long)r->offset_dims);
    if ((int64_t)(2 * pairs_of(r)) + r->offset_dims > r->dim)
        return pe_fail(errors, PE_CONFLICT, "angles",
                       "must have at most %lld pairs, half of the elements of a head that may "
                       "rotate; got %zu",
                       (long long)((r->dim - r->offset_dims) / 2), pairs_of(r));
    return PE_OK;
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct rope_angles *r = values;

    if (vectors_resolve_dim(args, &r->vectors, &r->dim, errors) || check_angles(r, errors) ||
        vectors_resolve_axis(args, &r->vectors, "angles", r->angles.dims[0], errors))
        return;
    vectors_resolve_heads(args, &r->vectors, heads_of(r), errors);
}

/* ---- how it is filled -------------------------------------------------------------------- */

struct turn {
    struct pe_tensor angles;
    size_t pairs;
    bool inverse;
};

/* Angles from 2^127 on, and those that are no numbers, have no sine. */
static void turn_row(const void *context, uint64_t number, const void *const input[],
                     double *cosine, double *sine, void *memory)
{
    const struct turn *turn = context;

    tensor_row(&turn->angles, input[ANGLES_INPUT], number, 0, turn->pairs, cosine);
    for (size_t i = 0; i < turn->pairs; i++) {
        const double angle = turn->inverse ? -cosine[i] : cosine[i];

        if (fabs(angle) < 0x1p127)
            phase_sincos_at(&phase_radian, angle, &sine[i], &cosine[i]);
        else
            sine[i] = cosine[i] = NAN;
    }
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct rope_angles *r = values;
    const bool adjacent = r->pairing == VECTORS_ADJACENT;
    struct turn *turn = pe_build_alloc(build, sizeof *turn);
    const struct rotate form = {
        .span = {.offset = (size_t)r->offset_dims,
                 .pairs = pairs_of(r),
                 .adjacent = adjacent,
                 .adjacent_out = adjacent,
                 .in_dtype = r->vectors.rotate_math == VECTORS_IN_DTYPE},
        .heads = heads_of(r) > 1 ? heads_of(r) : 0,
        .turn = turn_row,
        .context = turn,
        .turn_ns = 30};

    if (!turn)
        return;
    *turn = (struct turn){r->angles, pairs_of(r), r->vectors.inverse};
    vectors_prepare(build, &r->vectors, &form);
}

const struct pe_encoding pe_encoding_rope_angles = {
    .name = "rope-angles",
    .title = "Vectors turned by angles of your own",
    .formula = "(a, b) -> (a cos t - b sin t, a sin t + b cos t) for each pair, t = "
               "angles[token][head][pair]",
    .when_to_use =
        "Encodings whose angles depend on the content: Selective RoPE, CARoPE and other "
        "learned rotations. The network that makes the angles is yours; add up its steps over "
        "the tokens first where the encoding says so. rope/apply turns by positions, rope-nd "
        "by coordinates times frequencies.",
    .what_goes_wrong =
        "A score depends on the difference of two angles: angles that are steps, not sums "
        "over the tokens before, give scores without positions. bfloat16 holds angles above "
        "256 to whole radians only, so send float32 or float64. Some code turns the other "
        "way (inverse=1).",
    .picture =
        "angles=0,0,0,0;1,0.5,0.25,0.125;2,1,0.5,0.25;2.5,1.5,0.75,0.375;3,2,1,0.5;4,2.5,1.25,"
        "0.625;4,2.75,1.5,0.75;5,3,1.75,0.875"
        "&x=" VECTORS_PICTURE_ROWS "&q=" VECTORS_PICTURE_ROWS "&k=" VECTORS_PICTURE_ROWS,
    .summary = "vectors rotated by angles of your own: Selective RoPE, CARoPE",
    .source = "Movahedi et al. 2025, Selective Rotary Position Embedding; Veisi et al. 2025, "
              "CARoPE; x-transformers apply_rotary_pos_emb takes such angles",
    .examples =
        PE_WORDS("angles=1&x=1,0", "angles=0,0.5;1,2&x=1,2,3,4;5,6,7,8&pairing=adjacent",
                 "angles=0.5,-2&q=9,1,2,3,4&k=9,1,2,3,4&offset_dims=1&out=q,k&inverse=1"),
    .family = PE_ROTARY,
    .kind = PE_INPUT,
    PE_TABLES(struct rope_angles, params, outputs),
    .resolve = resolve,
    .prepare = prepare,
};
