/* SPDX-License-Identifier: Apache-2.0
 * fope_apply.c - rotates the client's queries and keys by the mixes of fope.c as if they were
 * cosines and sines:
 *
 *     a' = a cos - b sin    b' = a sin + b cos
 *
 * Mixes are no rotations: norms change, and there is no inverse. */
#include "core/encodings/rotary/fope.h"

static const struct pe_param params[] = {
    FOPE_ROWS,
    VECTORS_ROW_DIM(struct fope, ladder.dim),
    LADDER_ROWS_BUT_DIM(struct fope, ladder),
    {PE_FIELD(struct fope, pairing), .type = PE_CHOICE, .choices = vectors_pairings,
     .summary = "which columns of a vector form a pair that turns together"},
    VECTORS_ROW_MATH(struct fope, vectors),
    VECTORS_ROW_HEAD_AXIS(struct fope, vectors),
    VECTORS_ROWS(struct fope, vectors),
};

static const char bound[] =
    "0.501 ULP, where terms cancel 2^-49 of the sum of their sizes (f16 "
    "that stays f16 2^-35, bf16 2^-38); f64 2^-49 of it; in_dtype and "
    "the profiles round as they do";

static const struct pe_output outputs[] = {
    VECTORS_OUTPUT_ROWS("turned by learned mixes of frequencies", bound, FOPE_NAMES, "pairing",
                        "rotate_math", "head_axis", "seq_axis"),
};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct fope *f = values;

    if (vectors_resolve_dim(args, &f->vectors, &f->ladder.dim, errors) ||
        vectors_resolve_axis(args, &f->vectors, "pos", pe_positions_count(f->pos), errors) ||
        vectors_resolve_heads(args, &f->vectors, (uint64_t)f->heads, errors))
        return;
    if (f->ladder.dim % 2 != 0 && f->ladder.rotary_dim == PE_ABSENT_INT)
        pe_fail(errors, PE_CONFLICT, "rotary_dim",
                "is required where vectors have an odd number of elements, %lld",
                (long long)f->ladder.dim);
    else
        fope_resolve(args, values, errors);
}

struct mix_turn {
    const struct fope_mix *mix;
    const struct pe_positions *pos;
    uint64_t heads;
};

static void turn_row(const void *context, uint64_t number, const void *const input[],
                     double *cosine, double *sine, void *memory)
{
    const struct mix_turn *turn = context;

    fope_row(turn->mix, pe_positions_at(turn->pos, number / turn->heads),
             (size_t)(number % turn->heads), cosine, sine, memory);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct fope *f = values;
    const bool adjacent = f->pairing == VECTORS_ADJACENT;
    struct mix_turn *turn = pe_build_alloc(build, sizeof *turn);
    struct rotate form = {.span = {.pairs = ladder_pairs(&f->ladder),
                                   .adjacent = adjacent,
                                   .adjacent_out = adjacent,
                                   .in_dtype = f->vectors.rotate_math == VECTORS_IN_DTYPE},
                          .heads = f->heads > 1 ? (uint64_t)f->heads : 0,
                          .turn = turn_row,
                          .context = turn,
                          .turn_ns = 20 + 35 * (double)f->cos_coef.rows};
    const struct fope_mix *mix = fope_mix_new(build, f);

    if (!turn || !mix)
        return;
    *turn = (struct mix_turn){mix, f->pos, (uint64_t)f->heads};
    form.memory_bytes = fope_row_bytes(mix);
    vectors_prepare(build, &f->vectors, &form);
}

const struct pe_encoding pe_encoding_fope_apply = {
    .name = "fope/apply",
    .title = "Vectors turned by FoPE",
    .picture = VECTORS_PICTURE "&num_inv_freq=2&cos_coef=1,0.3;0.3,1&sin_coef=1,0.3;0.3,1",
    .summary = "vectors turned by learned mixes of frequencies",
    .source = "Hua et al. 2024, Fourier Position Embedding; vLLM fope.py",
    .examples = PE_WORDS("pos=3&x=1,2,3,4&num_inv_freq=2&cos_coef=1,0;0,1&sin_coef=1,0;0,1",
                         "pos=1,2&x=1,2,3,4;5,6,7,8&num_inv_freq=1&cos_coef=1&sin_coef=1"
                         "&pad=identity&pairing=adjacent"),
    .family = PE_ROTARY,
    .revision = 2,
    .kind = PE_INPUT,
    PE_TABLES(struct fope, params, outputs),
    .resolve = resolve,
    .check = fope_check,
    .plan_ns = ladder_first_plan_ns,
    .table_key = ladder_first_table_key,
    .table_build = ladder_first_table_build,
    .table_free = rotation_table_free,
    .prepare = prepare,
};
