/* SPDX-License-Identifier: Apache-2.0
 * xpos_apply.c - rotates and scales the client's queries and keys: queries times zeta^power,
 * keys over it, x as downscale says. Coordinates beyond the rotary width are copied. inverse
 * rotates back and removes the scale. */
#include "core/encodings/rotary/xpos.h"

static const struct pe_param params[] = {
    XPOS_ROWS,
    VECTORS_ROW_DIM(struct xpos, ladder.dim),
    LADDER_ROWS_BUT_DIM(struct xpos, ladder),
    {PE_FIELD(struct xpos, pairing), .type = PE_CHOICE, .choices = vectors_pairings,
     .preset = VECTORS_ADJACENT,
     .summary = "which columns of a vector form a pair that turns together"},
    VECTORS_TURN_ROWS(struct xpos, vectors),
    VECTORS_ROWS(struct xpos, vectors),
};

#define NAMES XPOS_NAMES, "pairing", VECTORS_TURN_NAMES

static const char bound[] = "0.501 ULP, where the two terms cancel 2^-50 of the scaled pair's "
                            "length (f16 that stays f16 2^-35, bf16 2^-38); f64 6 ULP of it; "
                            "in_dtype and the profiles round as they do";

static const struct pe_output outputs[] = {
    VECTORS_OUTPUT(VECTORS_X, "x", "Vectors", "vectors of x, turned and scaled", true, bound,
                   NAMES, "downscale"),
    VECTORS_OUTPUT(VECTORS_Q, "q", "Queries",
                   "queries of q, turned and multiplied by the scale", false, bound, NAMES),
    VECTORS_OUTPUT(VECTORS_K, "k", "Keys", "keys of k, turned and divided by the scale", false,
                   bound, NAMES),
};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct xpos *x = values;

    if (vectors_resolve_dim(args, &x->vectors, &x->ladder.dim, errors) ||
        vectors_resolve_axis(args, &x->vectors, "pos", pe_positions_count(x->pos), errors))
        return;
    if (x->ladder.dim % 2 != 0 && x->ladder.rotary_dim == PE_ABSENT_INT)
        pe_fail(errors, PE_CONFLICT, "rotary_dim",
                "is required where vectors have an odd number of elements, %lld",
                (long long)x->ladder.dim);
    else
        xpos_resolve(args, values, errors);
}

/* ---- how it is filled -------------------------------------------------------------------- */

struct scaled_turn {
    const struct xpos_scaled *scaled;
    const struct pe_positions *pos;
    size_t pairs;
    bool inverse;
};

static void turn_row(const void *context, uint64_t number, const void *const input[],
                     double *cosine, double *sine, void *memory)
{
    const struct scaled_turn *turn = context;

    xpos_row(turn->scaled, pe_positions_at(turn->pos, number), cosine, sine);
    for (size_t i = 0; turn->inverse && i < turn->pairs; i++)
        sine[i] = -sine[i];
}

static bool prepare_one(struct pe_build *build, const struct xpos *x, size_t number)
{
    const bool inverse = x->vectors.inverse, adjacent = x->pairing == VECTORS_ADJACENT;
    const bool key = number == VECTORS_K || (number == VECTORS_X && x->downscale);
    struct xpos_scaled *scaled = xpos_scaled_new(build, x, key != inverse);
    struct scaled_turn *turn = pe_build_alloc(build, sizeof *turn);
    const struct rotate form = {
        .span = {.pairs = ladder_pairs(&x->ladder),
                 .adjacent = adjacent,
                 .adjacent_out = adjacent,
                 .in_dtype = x->vectors.rotate_math == VECTORS_IN_DTYPE},
        .turn = turn_row,
        .context = turn,
        .turn_ns = 70};

    if (!scaled || !turn)
        return false;
    if (inverse)
        xpos_invert(scaled);
    *turn = (struct scaled_turn){scaled, x->pos, ladder_pairs(&x->ladder), inverse};
    return vectors_prepare_one(build, &x->vectors, number, &form);
}

static void prepare(struct pe_build *build, const void *values)
{
    for (size_t i = 0; i < VECTORS_COUNT; i++)
        if (pe_wants(pe_build_args(build), i) && !prepare_one(build, values, i))
            return;
    xpos_note(build, values);
}

const struct pe_encoding pe_encoding_xpos_apply = {
    .name = "xpos/apply",
    .title = "Vectors turned and scaled by xPos",
    .picture = VECTORS_PICTURE "&scale_base=16",
    .summary = "queries and keys rotated and scaled so that scores decay with distance",
    .source = "Sun et al. 2022, A Length-Extrapolatable Transformer; torchscale "
              "xpos_relative_position.py",
    .examples = PE_WORDS("pos=3&x=1,0,0,1", "pos=100&x=1,2,3,4&downscale=1&pairing=half",
                         "pos=5,6&q=1,2,3,4;5,6,7,8&centre=torchscale&centre_len=9&inverse=1"),
    .family = PE_ROTARY,
    .revision = 2,
    .kind = PE_INPUT,
    PE_TABLES(struct xpos, params, outputs),
    .resolve = resolve,
    .check = xpos_check,
    .plan_ns = xpos_plan_ns,
    .table_key = ladder_first_table_key,
    .table_build = ladder_first_table_build,
    .table_free = rotation_table_free,
    .prepare = prepare,
};
