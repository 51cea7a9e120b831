/* SPDX-License-Identifier: Apache-2.0
 * rope2d_chatglm.c - the head in two halves, each a RoPE of its own: the first turns by the
 * position, the second by the position inside the block that is being generated:
 *
 *     w_i = base^(-4i/d), i = 0..d/4-1      pairs 0..d/4-1 by pos w_i, the next by block w_i
 *
 * ChatGLM-6B, modeling_chatglm.py (Du et al. 2022, GLM, section 2.3). */
#include "core/encodings/spatial/spatial_apply.h"

struct rope2d_chatglm {
    struct spatial spatial;
    const struct pe_positions *pos, *block;
};

#define ROWS                                                                                   \
    PE_ROW_POS(struct rope2d_chatglm, true),                                                   \
        {.name = "pos.block",                                                                  \
         .offset = offsetof(struct rope2d_chatglm, block),                                     \
         .type = PE_POSITIONS,                                                                 \
         .optional = true,                                                                     \
         .fractions = true,                                                                    \
         .unit = "positions",                                                                  \
         PE_OWN("THUDM/chatglm-6b", POSITIONS, BASIC),                                         \
         .summary = "positions of the tokens in the block that is generated; 0 by default"},   \
        SPATIAL_ROW_BASE(struct rope2d_chatglm, spatial, 10000),                               \
        SPATIAL_ROW_PROFILE(struct rope2d_chatglm, spatial),                                   \
    {                                                                                          \
        PE_FIELD_OF(struct rope2d_chatglm, spatial, pairing),                                  \
            .type = PE_CHOICE, .choices = spatial_section_pairings,                            \
            .preset = SPATIAL_SECTION_HALF                                                     \
    }

static const struct pe_param params[] = {
    ROWS,
    SPATIAL_ROW_DIM(struct rope2d_chatglm, spatial, 4),
    SPATIAL_ROW_WIDTH(struct rope2d_chatglm, spatial, SPATIAL_WIDTH_HALF),
};

static const struct pe_param apply_params[] = {
    ROWS, SPATIAL_APPLY_ROWS(struct rope2d_chatglm, spatial)};

#define NAMES "pos", "pos.block", "base", "profile", "pairing"

static const struct pe_output outputs[] = {
    SPATIAL_OUTPUT_ROWS(NULL, spatial_freq_names, spatial_freq_names)};

static const struct pe_output apply_outputs[] = {SPATIAL_APPLY_OUTPUT_ROWS(NAMES)};

static struct spatial_layout layout_of(const void *values)
{
    const struct rope2d_chatglm *r = values;
    struct spatial_layout layout = spatial_layout_of(&r->spatial);

    layout.points = axes_points_none(2);
    layout.points.rows = r->pos ? pe_positions_count(r->pos) : 0;
    layout.points.lists = true;
    layout.points.list[0] = r->pos;
    layout.points.list[1] = r->block;
    spatial_lay_two(&layout, r->spatial.base, SPATIAL_ROWS_FIRST, SPATIAL_HALVES);
    return layout;
}

static void resolve(void *values, bool wants_points, struct pe_errors *errors)
{
    const struct rope2d_chatglm *r = values;

    if (r->pos && r->block && pe_positions_count(r->pos) != pe_positions_count(r->block))
        pe_fail(errors, PE_CONFLICT, "pos.block",
                "must have as many positions as pos, %llu; got %llu",
                (unsigned long long)pe_positions_count(r->pos),
                (unsigned long long)pe_positions_count(r->block));
}

static const struct spatial_kind kind = {
    .layout = layout_of,
    .resolve = resolve,
    .part = offsetof(struct rope2d_chatglm, spatial),
    .multiple = 4,
    .rows = "pos",
};

const struct pe_encoding pe_encoding_rope2d_chatglm = {
    .name = "rope2d-chatglm",
    .title = "ChatGLM-6B: rotary embedding of two positions",
    .formula =
        "w_i = base^(-4i/dim), i = 0..dim/4-1\n"
        "angles of a token = [pos w_0 .. pos w_(dim/4-1) | block w_0 .. block w_(dim/4-1)]",
    .when_to_use =
        "ChatGLM-6B, the first release: half of a head turns by the position in the context, "
        "half by the position in the block that is generated. ids-chatglm2d makes both "
        "positions; ChatGLM2 and later ones turn half of the head by one position (rope).",
    .what_goes_wrong =
        "Each half of the head is split into halves of its own (pairing=section-half), not "
        "the head as a whole. Tokens of the context have block position 0, and generated "
        "tokens all have the position of the mask token.",
    .picture = "pos=0:64&pos.block=0:64&dim=64",
    .summary = "rotary embedding by position and position in the block (ChatGLM-6B)",
    .source = "Du et al. 2022, GLM, section 2.3; THUDM/chatglm-6b modeling_chatglm.py",
    .examples =
        PE_WORDS("pos=0:4&dim=8", "pos=5&dim=8&out=angles", "pos=5&dim=64&width=full&out=cos"),
    SPATIAL_HOOKS(struct rope2d_chatglm, params, kind),
};

const struct pe_encoding pe_encoding_rope2d_chatglm_apply = {
    .name = "rope2d-chatglm/apply",
    .title = "ChatGLM-6B: vectors turned by two positions",
    .picture = "pos=0:8&pos.block=0,0,0,0,1,2,3,4" SPATIAL_PICTURE_VECTORS,
    .summary = "vectors rotated by position and position in the block (ChatGLM-6B)",
    .source = "Du et al. 2022, GLM, section 2.3; THUDM/chatglm-6b modeling_chatglm.py",
    .examples =
        PE_WORDS("pos=5&x=1,2,3,4,5,6,7,8", "pos=5&pos.block=2&x=1,2,3,4,5,6,7,8&pairing=half"),
    SPATIAL_APPLY_HOOKS(struct rope2d_chatglm, apply_params, apply_outputs, kind),
};
