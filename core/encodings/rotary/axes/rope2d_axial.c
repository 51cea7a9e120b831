/* SPDX-License-Identifier: Apache-2.0
 * rope2d_axial.c - rotations by the column x and the row y of image patches, by one ladder:
 *
 *     w_i = base^(-4i/d), i = 0..d/4-1
 *     rope2d-axial      pairs 0..d/4-1 turn by x w_i, the next by y w_i
 *     rope2d-moonvit    pair 2i turns by x w_i, pair 2i+1 by y w_i
 *
 * Heo et al. 2024, Rotary Position Embedding for Vision Transformer, axial; SAM 2; Kimi-VL's
 * MoonViT, Rope2DPosEmb. */
#include "core/encodings/spatial/spatial_apply.h"

struct rope2d_axial {
    struct spatial spatial;
};

#define ROWS(BASE)                                                                             \
    SPATIAL_ROW_GRID(struct rope2d_axial, spatial),                                            \
        SPATIAL_ROW_BASE(struct rope2d_axial, spatial, BASE),                                  \
        SPATIAL_ROW_PREFIX(struct rope2d_axial, spatial),                                      \
        SPATIAL_ROW_PAIRING(struct rope2d_axial, spatial, SPATIAL_ADJACENT),                   \
        SPATIAL_ROW_PROFILE(struct rope2d_axial, spatial)
#define TABLE_ROWS                                                                             \
    SPATIAL_ROW_DIM(struct rope2d_axial, spatial, 4),                                          \
        SPATIAL_ROW_WIDTH(struct rope2d_axial, spatial, SPATIAL_WIDTH_HALF)
#define APPLY_ROWS SPATIAL_APPLY_ROWS(struct rope2d_axial, spatial)

static const struct pe_param axial_params[] = {ROWS(100), TABLE_ROWS};
static const struct pe_param axial_apply_params[] = {ROWS(100), APPLY_ROWS};
static const struct pe_param moonvit_params[] = {ROWS(10000), TABLE_ROWS};
static const struct pe_param moonvit_apply_params[] = {ROWS(10000), APPLY_ROWS};

static const struct pe_output outputs[] = {
    SPATIAL_OUTPUT_ROWS(NULL, spatial_freq_names, spatial_freq_names)};
static const struct pe_output apply_outputs[] = {
    SPATIAL_APPLY_OUTPUT_ROWS("grid", "base", "prefix_tokens", "pairing", "profile")};

static struct spatial_layout axial_layout(const void *values)
{
    const struct rope2d_axial *r = values;
    struct spatial_layout layout = spatial_layout_of(&r->spatial);

    spatial_lay_two(&layout, r->spatial.base, SPATIAL_COLUMNS_FIRST, SPATIAL_HALVES);
    return layout;
}

static struct spatial_layout moonvit_layout(const void *values)
{
    const struct rope2d_axial *r = values;
    struct spatial_layout layout = spatial_layout_of(&r->spatial);

    spatial_lay_two(&layout, r->spatial.base, SPATIAL_COLUMNS_FIRST, SPATIAL_IN_TURN);
    return layout;
}

static const struct spatial_kind axial = {
    .layout = axial_layout,
    .part = offsetof(struct rope2d_axial, spatial),
    .multiple = 4,
    .rows = "grid",
};

static const struct spatial_kind moonvit = {
    .layout = moonvit_layout,
    .part = offsetof(struct rope2d_axial, spatial),
    .multiple = 4,
    .rows = "grid",
};

const struct pe_encoding pe_encoding_rope2d_axial = {
    .name = "rope2d-axial",
    .title = "Axial rotary embedding of images",
    .formula =
        "w_i = base^(-4i/dim), i = 0..dim/4-1\n"
        "angles of a patch = [column w_0 .. column w_(dim/4-1) | row w_0 .. row w_(dim/4-1)]",
    .when_to_use =
        "Vision transformers that turn queries and keys: rope-vit (base 100) and the memory "
        "attention of SAM 2 (base=10000). rope2d-mixed has directions that are learned, and "
        "rope2d-moonvit has column and row in turn.",
    .what_goes_wrong =
        "The column turns the first half of the pairs, while rope2d-qwen-vit and "
        "rope2d-dinov3 have the row first. The base of rope-vit is 100, not 10000. Class and "
        "register tokens do not turn: give them by prefix_tokens, or the table is shifted "
        "against the tokens.",
    .picture = "grid=8x8&dim=64",
    .summary = "rotary embedding of images by column and row, axial (rope-vit, SAM 2)",
    .source = "Heo et al. 2024, Rotary Position Embedding for Vision Transformer; sam2 "
              "position_encoding.py compute_axial_cis",
    .examples = PE_WORDS("grid=2x3&dim=8", "grid=4x6&dim=64&base=10000",
                         "grid=2x2&dim=8&prefix_tokens=1&width=full&out=cos",
                         "dim=8&out=inv_freq,section_axis"),
    SPATIAL_HOOKS(struct rope2d_axial, axial_params, axial),
};

const struct pe_encoding pe_encoding_rope2d_axial_apply = {
    .name = "rope2d-axial/apply",
    .title = "Vectors turned by column and row",
    .picture = SPATIAL_PICTURE,
    .summary = "vectors rotated by column and row, axial (rope-vit, SAM 2)",
    .source = "Heo et al. 2024, Rotary Position Embedding for Vision Transformer; sam2 "
              "position_encoding.py compute_axial_cis",
    .examples = PE_WORDS(
        "grid=1x2&x=1,2,3,4;1,2,3,4",
        "grid=1x1&prefix_tokens=0&x=1,2,3,4,5,6,7,8&base=10000&pairing=half&inverse=1"),
    SPATIAL_APPLY_HOOKS(struct rope2d_axial, axial_apply_params, apply_outputs, axial),
};

const struct pe_encoding pe_encoding_rope2d_moonvit = {
    .name = "rope2d-moonvit",
    .title = "MoonViT: rotary embedding by column and row in turn",
    .formula = "w_i = base^(-4i/dim), i = 0..dim/4-1\n"
               "angles of a patch = [column w_0, row w_0, column w_1, row w_1, ...]",
    .when_to_use =
        "The vision towers of Kimi-VL (MoonViT). rope2d-axial has all pairs of the column "
        "before all pairs of the row, rope2d-loftr the row before the column in turn.",
    .what_goes_wrong =
        "Pairs of column and row alternate: a table of rope2d-axial has the same frequencies "
        "in another order. Pairs are adjacent entries of a vector; an attention that turns "
        "halves needs its weights permuted.",
    .picture = "grid=8x8&dim=64",
    .summary = "rotary embedding of images, column and row in turn (Kimi-VL MoonViT)",
    .source = "Kimi-VL modeling_kimi_vl.py Rope2DPosEmb",
    .examples =
        PE_WORDS("grid=2x3&dim=8", "grid=14x14&dim=64&out=angles", "dim=8&out=section_axis"),
    SPATIAL_HOOKS(struct rope2d_axial, moonvit_params, moonvit),
};

const struct pe_encoding pe_encoding_rope2d_moonvit_apply = {
    .name = "rope2d-moonvit/apply",
    .title = "MoonViT: vectors turned by column and row in turn",
    .picture = SPATIAL_PICTURE,
    .summary = "vectors rotated by column and row in turn (MoonViT)",
    .source = "Kimi-VL modeling_kimi_vl.py Rope2DPosEmb",
    .examples = PE_WORDS("grid=1x2&x=1,2,3,4;1,2,3,4", "grid=1x1&x=1,2,3,4,5,6,7,8&inverse=1"),
    SPATIAL_APPLY_HOOKS(struct rope2d_axial, moonvit_apply_params, apply_outputs, moonvit),
};
