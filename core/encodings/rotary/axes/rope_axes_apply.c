/* SPDX-License-Identifier: Apache-2.0
 * rope_axes_apply.c - the client's vectors, rotated axis by axis: the table of rope_axes.c
 * applied by the kernel of rotate.h. */
#include "core/encodings/rotary/axes/rope_axes.h"

static const struct pe_param params[] = {
    ROPE_AXES_ROWS(struct rope_axes),
    SPATIAL_APPLY_ROWS(struct rope_axes, spatial),
};

static const struct pe_output outputs[] = {SPATIAL_APPLY_OUTPUT_ROWS(ROPE_AXES_NAMES)};

const struct pe_encoding pe_encoding_rope_axes_apply = {
    .name = "rope-axes/apply",
    .summary = "vectors rotated axis by axis: Flux, Wan, CogVideoX and others",
    .source = "Wan-Video/Wan2.1 modules/model.py rope_apply; black-forest-labs/flux math.py",
    .examples = PE_WORDS("pos=3&x=1,0,0,1&axes_dim=2,2", "ids=1,2&x=1,2,3,4&axes_dim=2,2",
                         "ids=0,1,2&x=1,2,3,4,5,6,7,8&preset=wan&inverse=1",
                         "ids=2,3&x=1,2,3,4,5,6,7,8&preset=lumina-next&pairing=half",
                         "ids=1,2,3&x=1,2,3,4,5,6,7,8,9,10,11,12&preset=allegro"),
    SPATIAL_APPLY_HOOKS(struct rope_axes, params, outputs, rope_axes_kind),
};
