/* SPDX-License-Identifier: Apache-2.0
 * rope_apply.c - rotates the client's queries and keys: each pair of coordinates by position
 * times frequency, forth, back, or from one cached position to another.
 *
 *     a' = a cos - b sin    b' = a sin + b cos    cos = A cos(p w_i), sin = A sin(p w_i)
 *
 * ladder.h decides w_i and A; the shapes of tensors are in vectors.h. */
#include <math.h>

#include "core/encodings/rotary/ladder.h"
#include "core/encodings/rotary/vectors.h"
#include "core/math/rotate/rotate_position.h"

enum { OUT_SAME, OUT_HALF, OUT_ADJACENT };
enum { DIRECTION_FORWARD, DIRECTION_BACKWARD };

struct rope_apply {
    struct ladder ladder;
    const struct pe_positions *pos, *cached_pos;
    int pairing, pairing_out, direction;
    int64_t offset_dims;
    struct vectors vectors;
};
_Static_assert(offsetof(struct rope_apply, ladder) == 0, "ladder_first hooks read it there");

static const struct pe_param params[] = {
    PE_ROW_POS(struct rope_apply, true),
    {PE_FIELD(struct rope_apply, cached_pos), .type = PE_POSITIONS, .optional = true,
     .fractions = true, .unit = "positions", PE_OWN("posenc", POSITIONS, ADVANCED),
     .summary = "positions at which cached keys were turned before: turns by pos - cached_pos, "
                "without attention factor"},
    VECTORS_ROW_DIM(struct rope_apply, ladder.dim),
    LADDER_ROWS_BUT_DIM(struct rope_apply, ladder),
    {PE_FIELD(struct rope_apply, pairing), .type = PE_CHOICE, .choices = vectors_pairings,
     .summary = "which columns of a vector form a pair that turns together"},
    {PE_FIELD(struct rope_apply, pairing_out),
     PE_CHOICES(
         PE_ONE("same", "a pair is written to the columns it was read from"),
         {"half", PE_WORDS("neox", "rotate_half"),
          "pair k is written to columns k and k + r/2: DeepSeek in Hugging Face de-interleaves",
          NULL, NULL},
         {"adjacent", PE_WORDS("interleaved", "gptj"),
          "pair k is written to columns 2k and 2k + 1", NULL, NULL}),
     PE_OWN("posenc", CONVENTION, ADVANCED),
     .summary =
         "columns to which a pair is written, where they are others than it was read from"},
    {PE_FIELD(struct rope_apply, direction),
     PE_CHOICES(PE_ONE_AT(DIRECTION_FORWARD, "forward",
                          "(a, b) -> (a cos - b sin, a sin + b cos): RoFormer, Llama"),
                PE_ONE_AT(DIRECTION_BACKWARD, "backward",
                          "(a, b) -> (a cos + b sin, b cos - a sin): nanochat")),
     PE_OWN("posenc", CONVENTION, ADVANCED),
     .summary = "sense in which a pair turns where the angle grows"},
    {PE_FIELD(struct rope_apply, offset_dims), .type = PE_INT, .min = 0, .max = 65534,
     .summary =
         "number of first columns that are not turned (the nope part of DeepSeek, n_offs of "
         "ggml)"},
    VECTORS_TURN_ROWS(struct rope_apply, vectors),
    VECTORS_ROWS(struct rope_apply, vectors),
};

static const struct pe_output outputs[] = {
    VECTORS_OUTPUT_ROWS("rotated", VECTORS_BOUND, LADDER_NAMES, "pos", "cached_pos", "pairing",
                        "pairing_out", "direction", "offset_dims", VECTORS_TURN_NAMES),
};

/* ---- rules ------------------------------------------------------------------------------- */

/* Returns the position after the last, 0 where there is none. */
static double end_of(const struct pe_positions *pos)
{
    double low, high;

    if (pe_positions_count(pos) == 0)
        return 0;
    pe_positions_range(pos, &low, &high);
    return high + 1;
}

static void resolve_span(struct rope_apply *r, struct pe_errors *errors)
{
    struct ladder *ladder = &r->ladder;

    if (ladder->dim % 2 != 0 && ladder->rotary_dim == PE_ABSENT_INT &&
        isnan(ladder->partial_rotary_factor))
        pe_fail(errors, PE_CONFLICT, "rotary_dim",
                "is required where vectors have an odd number of elements, %lld",
                (long long)ladder->dim);
    else if (r->offset_dims > 0 && ladder->rotary_dim == PE_ABSENT_INT &&
             isnan(ladder->partial_rotary_factor))
        pe_fail(errors, PE_MISSING_PARAMETER, "rotary_dim",
                "is required with offset_dims: how many of the %lld coordinates rotate",
                (long long)ladder->dim);
}

static void check_span(const struct rope_apply *r, struct pe_errors *errors)
{
    if (r->offset_dims + r->ladder.rotary_dim > r->ladder.dim)
        pe_fail(errors, PE_CONFLICT, "offset_dims",
                "must leave room for %lld coordinates that rotate of %lld; got %lld",
                (long long)r->ladder.rotary_dim, (long long)r->ladder.dim,
                (long long)r->offset_dims);
}

/* Checks that both ends of a move have equal frequencies; `before` is the ladder as given. */
static void check_from(const struct rope_apply *r, struct ladder before,
                       struct pe_errors *errors)
{
    double low, high, from_low, from_high;

    if (r->vectors.inverse)
        pe_fail(errors, PE_CONFLICT, "inverse",
                "goes without cached_pos: exchange pos and cached_pos to move back");
    if (pe_positions_count(r->cached_pos) != pe_positions_count(r->pos)) {
        pe_fail(errors, PE_CONFLICT, "cached_pos",
                "must hold as many positions as pos, %llu; got %llu",
                (unsigned long long)pe_positions_count(r->pos),
                (unsigned long long)pe_positions_count(r->cached_pos));
        return;
    }
    pe_positions_range(r->pos, &low, &high);
    pe_positions_range(r->cached_pos, &from_low, &from_high);
    if (fmax(high - from_low, from_high - low) >= 0x1p53)
        pe_fail(errors, PE_CONFLICT, "cached_pos", "must be less than 2^53 away from pos");
    if (errors->count == 0) {
        ladder_resolve(&before, end_of(r->cached_pos), errors);
        if (before.scaling.longrope_list != r->ladder.scaling.longrope_list)
            pe_fail(errors, PE_CONFLICT, "cached_pos",
                    "and pos would have different frequencies: the keys were rotated by the "
                    "%s list; give longrope_list=short, longrope_list=long or seq_len",
                    before.scaling.longrope_list == LONGROPE_SHORT ? "short" : "long");
    }
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct rope_apply *r = values;
    struct ladder before;

    vectors_resolve_dim(args, &r->vectors, &r->ladder.dim, errors);
    if (errors->count == 0)
        vectors_resolve_axis(args, &r->vectors, "pos", pe_positions_count(r->pos), errors);
    if (errors->count == 0)
        resolve_span(r, errors);
    if (errors->count > 0)
        return;
    before = r->ladder;
    ladder_resolve(&r->ladder, end_of(r->pos), errors);
    if (errors->count == 0)
        check_span(r, errors);
    if (errors->count == 0 && r->cached_pos)
        check_from(r, before, errors);
}

/* ---- sizes and the shared table --------------------------------------------------------- */

static bool wants_fine(const struct pe_args *args, const struct rope_apply *r)
{
    bool fine = r->vectors.rotate_math == VECTORS_UPCAST &&
                (!r->cached_pos || pe_positions_whole(r->cached_pos));

    for (size_t i = 0; i < VECTORS_COUNT; i++)
        fine = fine && (!pe_wants(args, i) ||
                        ladder_wants_fine(&r->ladder, r->pos, pe_args_dtype(args, i)));
    return fine;
}

static size_t table_key(const struct pe_args *args, const void *values, char *text, size_t size)
{
    const struct rope_apply *r = values;

    return ladder_key(&r->ladder, wants_fine(args, r), text, size);
}

static void *table_build(const struct pe_args *args, const void *values, size_t *bytes)
{
    const struct rope_apply *r = values;
    struct rotation_table *table = ladder_table(&r->ladder, wants_fine(args, r));

    if (table)
        *bytes = table->bytes;
    return table;
}

/* ---- how it is filled ------------------------------------------------------------------- */

static double amplitude_of(const struct rope_apply *r)
{
    double attention = ladder_amplitude(&r->ladder);

    if (r->cached_pos)
        return 1; /* a cached key has its A already */
    return r->vectors.inverse ? 1 / attention : attention;
}

static bool turns_back(const struct rope_apply *r)
{
    return r->vectors.inverse != (r->direction == DIRECTION_BACKWARD);
}

static struct rotate form_of(const struct rope_apply *r, const struct rotate_position *by)
{
    bool adjacent = r->pairing == VECTORS_ADJACENT;

    return (struct rotate){
        .span = {.offset = (size_t)r->offset_dims,
                 .pairs = ladder_pairs(&r->ladder),
                 .adjacent = adjacent,
                 .adjacent_out =
                     r->pairing_out == OUT_SAME ? adjacent : r->pairing_out == OUT_ADJACENT,
                 .in_dtype = r->vectors.rotate_math == VECTORS_IN_DTYPE},
        .turn = rotate_position_turn,
        .context = by,
        .memory_bytes = rotate_position_memory(by),
    };
}

/* Warns where a key that was rounded in the cache is rounded again by being rotated again. */
static void warn_of_caches(struct pe_build *build, const struct rope_apply *r)
{
    bool narrow = false;

    for (size_t i = 0; i < VECTORS_COUNT; i++)
        narrow = narrow || (pe_wants(pe_build_args(build), i) &&
                            vectors_tensor(&r->vectors, i)->dtype == PE_BF16);
    if (r->cached_pos && narrow)
        pe_build_warn(build, "every move of a bf16 key adds a relative error of up to 2^-8; "
                             "rotate unrotated keys, or keep float32, where moves add up");
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct rope_apply *r = values;
    struct rotation *rotation = pe_build_alloc(build, sizeof *rotation);
    struct rotate_position *by = pe_build_alloc(build, sizeof *by);
    struct rotate form;

    if (!rotation || !by ||
        !ladder_profile_rotation(build, &r->ladder, pe_build_table(build), rotation))
        return;
    rotation->pos = r->pos;
    rotation->amplitude = amplitude_of(r);
    *by = (struct rotate_position){rotation, r->pos, r->cached_pos, turns_back(r)};
    form = form_of(r, by);
    if (!vectors_prepare(build, &r->vectors, &form))
        return;
    ladder_facts(build, &r->ladder);
    pe_build_fact(build, "applied_factor", rotation->amplitude);
    warn_of_caches(build, r);
}

const struct pe_encoding pe_encoding_rope_apply = {
    .name = "rope/apply",
    .title = "Vectors turned by RoPE",
    .picture = VECTORS_PICTURE,
    .summary = "queries and keys rotated by their positions, or back, or from cache to cache",
    .source = "Su et al. 2021, RoFormer, section 3.4; transformers apply_rotary_pos_emb and "
              "apply_rotary_pos_emb_interleave; llama.cpp's K-shift; nanochat gpt.py",
    .examples = PE_WORDS("pos=3&x=1,0,0,1", "pos=1&x=1,2,3,4&pairing=adjacent",
                         "pos=1&x=1,2,3,4&pairing=adjacent&pairing_out=half",
                         "pos=1&x=1,2,3,4&inverse=1", "pos=1&x=1,2,3,4&direction=backward",
                         "pos=7&cached_pos=3&x=1,2,3,4",
                         "pos=2&x=5,6,1,2,3,4&offset_dims=2&rotary_dim=4",
                         "pos=8&x=1,2,3,4&rotate_math=in_dtype&profile=f32-pow"),
    .family = PE_ROTARY,
    .revision = 3,
    .kind = PE_INPUT,
    PE_TABLES(struct rope_apply, params, outputs),
    .resolve = resolve,
    .plan_ns = ladder_first_plan_ns,
    .table_key = table_key,
    .table_build = table_build,
    .table_free = rotation_table_free,
    .prepare = prepare,
};
