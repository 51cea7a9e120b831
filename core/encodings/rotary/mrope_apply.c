/* SPDX-License-Identifier: Apache-2.0
 * mrope_apply.c - rotates the client's queries and keys by time, row and column, with the table
 * of mrope.c and the kernel of rotate.h. */
#include "core/encodings/rotary/mrope.h"
#include "core/encodings/spatial/spatial_apply.h"

struct apply {
    struct mrope mrope;
    struct vectors vectors;
};

static const struct pe_param params[] = {
    VECTORS_ROW_DIM(struct apply, mrope.ladder.dim),
    LADDER_ROWS_BUT_DIM(struct apply, mrope.ladder),
    MROPE_ROWS(struct apply, mrope),
    {PE_FIELD_OF(struct apply, mrope, pairing), .type = PE_CHOICE, .choices = vectors_pairings,
     .summary = "which columns of a vector form a pair that turns together"},
    VECTORS_TURN_ROWS(struct apply, vectors),
    VECTORS_ROWS(struct apply, vectors),
};

static const struct pe_output outputs[] = {
    VECTORS_OUTPUT_ROWS("rotated", VECTORS_BOUND, LADDER_NAMES, MROPE_NAMES, "pairing",
                        VECTORS_TURN_NAMES),
};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct apply *a = values;

    vectors_resolve_dim(args, &a->vectors, &a->mrope.ladder.dim, errors);
    if (errors->count == 0 && a->mrope.ladder.dim % 2 != 0)
        pe_fail(errors, PE_CONFLICT, "x", "must have an even last axis; got %lld",
                (long long)a->mrope.ladder.dim);
    if (errors->count == 0)
        mrope_resolve(&a->mrope, true, true, errors);
    if (errors->count == 0)
        vectors_resolve_axis(args, &a->vectors, a->mrope.ids.rows > 0 ? "ids" : "pos",
                             mrope_points(&a->mrope).rows, errors);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct apply *a = values;
    struct spatial_layout layout = mrope_layout(&a->mrope);

    layout.pairing = a->mrope.pairing == VECTORS_ADJACENT ? SPATIAL_ADJACENT : SPATIAL_HALF;
    if (!mrope_layout_build(build, &a->mrope, pe_build_table(build), a->vectors.inverse,
                            &layout))
        return;
    ladder_facts(build, &a->mrope.ladder);
    spatial_apply_build(build, &layout, &a->vectors, 0, false);
}

const struct pe_encoding pe_encoding_mrope_apply = {
    .name = "mrope/apply",
    .title = "Vectors turned by M-RoPE",
    .picture = VECTORS_PICTURE "&mrope_section=2,1,1",
    .summary = "queries and keys rotated by time, row and column",
    .source = "transformers modeling_qwen2_vl.py apply_multimodal_rotary_pos_emb",
    .examples = PE_WORDS("pos=3&x=1,0,0,1,0,0&mrope_section=1,1,1",
                         "ids=2,3,5&x=1,2,3,4,5,6,7,8&mrope_section=2,1,1&"
                         "section_layout=interleaved",
                         "pos.t=2&pos.h=3&pos.w=5&x=1,2,3,4,5,6,7,8&mrope_section=1,1,2"
                         "&section_layout=ernie&pairing=adjacent&inverse=1"),
    .family = PE_ROTARY,
    .revision = 3,
    .kind = PE_INPUT,
    PE_TABLES(struct apply, params, outputs),
    .resolve = resolve,
    .plan_ns = ladder_first_plan_ns,
    .table_key = ladder_first_table_key,
    .table_build = ladder_first_table_build,
    .table_free = rotation_table_free,
    .prepare = prepare,
};
