/* SPDX-License-Identifier: Apache-2.0
 * rope2d_chatglm.c - the head in two halves, each a RoPE of its own: the first turns by the
 * position, the
 * second by the position inside the block that is being generated:
 *
 *     w_i = base^(-4i/d), i = 0..d/4-1      pairs 0..d/4-1 by pos w_i, the next by block w_i
 *
 * ChatGLM-6B, modeling_chatglm.py (Du et al. 2022, GLM, section 2.3). */
#include "core/encodings/spatial/spatial.h"

struct rope2d_chatglm {
    struct spatial spatial;
    const struct pe_positions *pos, *block;
};

static const struct pe_param params[] = {
    PE_ROW_POS(struct rope2d_chatglm, true),
    {.name = "pos.block",
     .offset = offsetof(struct rope2d_chatglm, block),
     .type = PE_POSITIONS,
     .optional = true,
     .fractions = true,
     .unit = "positions",
     .summary = "positions in the block; all 0 by default"},
    SPATIAL_ROW_DIM(struct rope2d_chatglm, spatial, 4),
    SPATIAL_ROW_BASE(struct rope2d_chatglm, spatial, 10000),
    SPATIAL_ROW_WIDTH(struct rope2d_chatglm, spatial, SPATIAL_WIDTH_HALF),
    SPATIAL_ROW_PROFILE(struct rope2d_chatglm, spatial),
    {PE_FIELD_OF(struct rope2d_chatglm, spatial, pairing), .type = PE_CHOICE,
     .choices = spatial_section_pairings, .preset = SPATIAL_SECTION_HALF,
     .summary = "which coordinates rotate together"},
};

static const char *const names[] = {"pos",   "pos.block", "dim",     "base",
                                    "width", "profile",   "pairing", NULL};
static const char *const freq_names[] = {"dim", "base", "profile", NULL};

static const struct pe_output outputs[] = {SPATIAL_OUTPUT_ROWS(names, freq_names, freq_names)};

static struct spatial_layout layout_of(const struct rope2d_chatglm *r)
{
    struct spatial_layout layout = spatial_layout_of(&r->spatial);
    const size_t quarter = layout.pairs / 2;

    layout.points = axes_points_none(2);
    layout.points.rows = r->pos ? pe_positions_count(r->pos) : 0;
    layout.points.lists = true;
    layout.points.list[0] = r->pos;
    layout.points.list[1] = r->block;
    layout.ladder_count = 2;
    for (size_t k = 0; k < 2; k++)
        layout.ladders[k] =
            axes_ladder_open(k, k * quarter, 1, quarter, r->spatial.base, (double)quarter);
    return layout;
}

static enum pe_status check(const struct pe_args *args, const void *values,
                            struct pe_errors *errors)
{
    const struct rope2d_chatglm *r = values;

    (void)args;
    if (r->pos && r->block && pe_positions_count(r->pos) != pe_positions_count(r->block))
        return pe_fail(errors, PE_CONFLICT, "pos.block",
                       "must have as many positions as pos, %llu; got %llu",
                       (unsigned long long)pe_positions_count(r->pos),
                       (unsigned long long)pe_positions_count(r->block));
    return PE_OK;
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct spatial_layout layout = layout_of(values);

    (void)args;
    return spatial_shape(&layout, output, dims);
}

static enum pe_status prepare(struct pe_build *build, const void *values,
                              struct pe_errors *errors)
{
    const struct spatial_layout layout = layout_of(values);

    return spatial_prepare(build, &layout, errors);
}

const struct pe_encoding pe_encoding_rope2d_chatglm = {
    .name = "rope2d-chatglm",
    .summary = "rotary embedding by position and position in the block (ChatGLM-6B)",
    .source = "Du et al. 2022, GLM, section 2.3; THUDM/chatglm-6b modeling_chatglm.py",
    .examples =
        PE_WORDS("pos=0:4&dim=8", "pos=5&dim=8&out=angles", "pos=5&dim=64&width=full&out=cos"),
    .family = PE_ROTARY,
    .revision = 1,
    .kind = PE_POINTWISE,
    .params = params,
    .param_count = PE_LEN(params),
    .args_size = sizeof(struct rope2d_chatglm),
    .outputs = outputs,
    .output_count = PE_LEN(outputs),
    .check = check,
    .shape = shape,
    .prepare = prepare,
};
