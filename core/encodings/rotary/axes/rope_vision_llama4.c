/* SPDX-License-Identifier: Apache-2.0
 * rope_vision_llama4.c - rotations by column and row of a square image, both counted from 1:
 *
 *     w_i = base^(-2i/r), r = d/2, i = 0..r/2-1
 *     pairs 0..r/2-1 turn by (column + 1) w_i, the next by (row + 1) w_i
 *
 * The class token comes last and does not turn. Llama 4's vision tower: transformers
 * modeling_llama4.py, vLLM llama4_vision_rope.py. */
#include "core/encodings/spatial/spatial_apply.h"

struct rope_vision_llama4 {
    struct spatial spatial;
    int64_t image_size, patch_size;
};

#define ROWS                                                                                   \
    {PE_FIELD(struct rope_vision_llama4, image_size),                                          \
     .type = PE_INT,                                                                           \
     .required = true,                                                                         \
     .min = 1,                                                                                 \
     .max = 1 << 20,                                                                           \
     .unit = "pixels",                                                                         \
     .summary = "pixels of the side of the image, which is square"},                           \
        {PE_FIELD(struct rope_vision_llama4, patch_size),                                      \
         .type = PE_INT,                                                                       \
         .required = true,                                                                     \
         .min = 1,                                                                             \
         .max = 1 << 20,                                                                       \
         .unit = "pixels"},                                                                    \
        SPATIAL_ROW_BASE(struct rope_vision_llama4, spatial, 10000),                           \
        SPATIAL_ROW_PAIRING(struct rope_vision_llama4, spatial, SPATIAL_ADJACENT),             \
        SPATIAL_ROW_PROFILE(struct rope_vision_llama4, spatial)

static const struct pe_param params[] = {
    ROWS,
    SPATIAL_ROW_DIM(struct rope_vision_llama4, spatial, 4),
    SPATIAL_ROW_WIDTH(struct rope_vision_llama4, spatial, SPATIAL_WIDTH_HALF),
};

static const struct pe_param apply_params[] = {
    ROWS, SPATIAL_APPLY_ROWS(struct rope_vision_llama4, spatial)};

#define NAMES "image_size", "patch_size", "base", "pairing", "profile"

static const struct pe_output outputs[] = {
    SPATIAL_OUTPUT_ROWS(NULL, spatial_freq_names, spatial_freq_names)};

/* Four patches and the class token. */
#define PICTURE_ROWS                                                                           \
    VECTORS_PICTURE_ROW ";" VECTORS_PICTURE_ROW ";" VECTORS_PICTURE_ROW                        \
                        ";" VECTORS_PICTURE_ROW ";" VECTORS_PICTURE_ROW

static const struct pe_output apply_outputs[] = {SPATIAL_APPLY_OUTPUT_ROWS(NAMES)};

static struct spatial_layout layout_of(const void *values)
{
    const struct rope_vision_llama4 *r = values;
    struct spatial_layout layout = spatial_layout_of(&r->spatial);
    const uint64_t side = r->patch_size > 0 ? (uint64_t)(r->image_size / r->patch_size) : 0;

    layout.points = axes_points_grid(2, (const uint64_t[]){side, side});
    layout.points.rows++; /* the class token comes last */
    layout.points.first[0] = layout.points.first[1] = 1;
    spatial_lay_two(&layout, r->spatial.base, SPATIAL_COLUMNS_FIRST, SPATIAL_HALVES);
    return layout;
}

static void resolve(void *values, bool wants_points, struct pe_errors *errors)
{
    const struct rope_vision_llama4 *r = values;

    if (wants_points && r->image_size < r->patch_size)
        pe_fail(errors, PE_CONFLICT, "patch_size", "must be at most image_size, %lld; got %lld",
                (long long)r->image_size, (long long)r->patch_size);
}

static const struct spatial_kind kind = {
    .layout = layout_of,
    .resolve = resolve,
    .part = offsetof(struct rope_vision_llama4, spatial),
    .multiple = 4,
    .rows = "image_size",
};

const struct pe_encoding pe_encoding_rope_vision_llama4 = {
    .name = "rope-vision-llama4",
    .title = "Llama 4: rotary embedding of a square image",
    .formula =
        "w_i = base^(-4i/dim), i = 0..dim/4-1, n = image_size / patch_size\n"
        "angles of a patch = [(column + 1) w_i | (row + 1) w_i]; the class token is last, "
        "with angles 0",
    .when_to_use =
        "The vision tower of Llama 4. rope2d-axial with base=10000 has the same order of "
        "pairs, with rows and columns from 0.",
    .what_goes_wrong =
        "Rows and columns count from 1. The class token is the last row of the table, not "
        "the first. The column comes before the row, and pairs are adjacent entries of a "
        "vector.",
    .picture = "image_size=112&patch_size=14&dim=64",
    .summary = "rotary embedding of a square image counted from 1, class token last (Llama 4)",
    .source = "transformers modeling_llama4.py Llama4VisionRotaryEmbedding",
    .examples = PE_WORDS("image_size=3&patch_size=1&dim=8",
                         "image_size=56&patch_size=14&dim=88", "dim=8&out=inv_freq"),
    SPATIAL_HOOKS(struct rope_vision_llama4, params, kind),
};

const struct pe_encoding pe_encoding_rope_vision_llama4_apply = {
    .name = "rope-vision-llama4/apply",
    .title = "Llama 4: vectors turned by column and row",
    .picture =
        "image_size=2&patch_size=1&x=" PICTURE_ROWS "&q=" PICTURE_ROWS "&k=" PICTURE_ROWS,
    .summary = "vectors rotated by column and row counted from 1, class token last (Llama 4)",
    .source = "transformers modeling_llama4.py Llama4VisionRotaryEmbedding",
    .examples = PE_WORDS("image_size=14&patch_size=14&x=1,2,3,4;5,6,7,8"),
    SPATIAL_APPLY_HOOKS(struct rope_vision_llama4, apply_params, apply_outputs, kind),
};
