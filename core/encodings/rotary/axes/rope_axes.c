/* SPDX-License-Identifier: Apache-2.0
 * rope_axes.c - a RoPE an axis, one after the other in the head:
 *
 *     w_i = base^(-2i/d_a), i = 0..d_a/2-1, for the pairs of axis a       angle = pos_a w_i
 *
 * and the orders of its relatives. Flux, Wan, CogVideoX, Cosmos, Qwen-Image, Lumina, LTX-Video
 * and others by preset; how they lie is rope_axes_layout.c. */
#include "core/encodings/rotary/axes/rope_axes.h"

static const struct pe_param params[] = {
    ROPE_AXES_ROWS(struct rope_axes),
    {PE_FIELD_OF(struct rope_axes, spatial, dim), .type = PE_INT, .optional = true, .min = 2,
     .max = 65536, .multiple_of = 2, .summary = "width of a head; the sum of axes_dim"},
    SPATIAL_ROW_WIDTH(struct rope_axes, spatial, SPATIAL_WIDTH_HALF),
};

static const char *const names[] = {ROPE_AXES_NAMES, "dim", "width", NULL};
static const char *const freq_names[] = {ROPE_AXES_FREQ_NAMES, "dim", "pairing", "base_sizes",
                                         NULL};

static const struct pe_output outputs[] = {SPATIAL_OUTPUT_ROWS(names, freq_names, freq_names)};

const struct pe_encoding pe_encoding_rope_axes = {
    .name = "rope-axes",
    .summary =
        "rotary embedding with a ladder an axis: Flux, Wan, CogVideoX, Cosmos and others",
    .source = "black-forest-labs/flux math.py, layers.py; Wan-Video/Wan2.1 modules/model.py; "
              "diffusers models/embeddings.py and models/transformers",
    .examples = PE_WORDS(
        "pos=0:3&axes_dim=2,2,4", "ids=0,3,5&axes_dim=2,2,4&out=angles",
        "ids=0,0,0;0,31,63&preset=flux", "preset=wan&dim=128&grid_sizes=2,2,3&profile=f64",
        "preset=cogvideox&dim=64&grid_sizes=3,4,6&crops_coords=0,0;4,6&width=full",
        "preset=cosmos&dim=128&grid_sizes=2,2,2&axes_ntk=1,4,4&fps=12&out=angles",
        "preset=allegro&dim=96&grid_sizes=2,2,2&axes_factor=2,3,3&width=full&out=cos",
        "preset=qwen-image&grid_sizes=1,3,4&out=coordinates",
        "preset=lumina-next&dim=8&ids=2,3&ntk_factor=4&linear_factor=1.5&out=angles",
        "preset=ltx-video&dim=26&ids=0,0,0;10,1024,512&out=angles,section_axis",
        "axes_dim=16,56,56&out=inv_freq"),
    SPATIAL_HOOKS(struct rope_axes, rope_axes_kind),
};
