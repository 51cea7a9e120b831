/* SPDX-License-Identifier: Apache-2.0
 * vjepa2_rope.c - one section of V-JEPA 2's rotation: adjacent pairs turn by a row that is
 * tiled for halves. For n = 2m coordinates and w_i = base^(-i/m):
 *
 *     y_k = x_k cos(p w_(k mod m)) + g_k sin(p w_(k mod m))    g_2t = -x_2t+1, g_2t+1 = x_2t
 *
 * The two coordinates of a pair turn by different angles, so it is no rotation: norms change
 * and scores depend on both positions. The checkpoints were trained with it. Assran et al.
 * 2025, V-JEPA 2, src/models/utils/modules.py rotate_queries_or_keys; the three sections of a
 * head are rope3d_vjepa2.c. */
#include "core/encodings/spatial/spatial_apply.h"

struct vjepa2_rope {
    struct spatial spatial;
    const struct pe_positions *pos;
};

static const struct pe_param params[] = {
    PE_ROW_POS(struct vjepa2_rope, true),
    SPATIAL_ROW_BASE(struct vjepa2_rope, spatial, 10000),
    SPATIAL_ROW_PROFILE(struct vjepa2_rope, spatial),
    SPATIAL_TILED_ROWS(struct vjepa2_rope, spatial),
};

static const struct pe_output outputs[] = {SPATIAL_TILED_OUTPUT_ROWS("pos", "base", "profile")};

static struct spatial_layout layout_of(const void *values)
{
    const struct vjepa2_rope *r = values;
    struct spatial_layout layout = spatial_layout_of(&r->spatial);

    layout.points = axes_points_none(1);
    layout.points.rows = pe_positions_count(r->pos);
    layout.points.lists = true;
    layout.points.list[0] = r->pos;
    layout.ladder_count = 1;
    layout.ladders[0] =
        axes_ladder_open(0, 0, 1, layout.pairs, r->spatial.base, (double)layout.pairs);
    return layout;
}

static const struct spatial_kind kind = {
    .layout = layout_of,
    .part = offsetof(struct vjepa2_rope, spatial),
    .multiple = 2,
    .rows = "pos",
    .tiled = true,
};

const struct pe_encoding pe_encoding_vjepa2_rope = {
    .name = "vjepa2-rope",
    .title = "V-JEPA 2: adjacent pairs turned by a tiled row",
    .formula = "w_i = base^(-2i/dim), m = dim/2\n"
               "y_k = x_k cos(pos w_(k mod m)) + g_k sin(pos w_(k mod m)), "
               "g_2t = -x_(2t+1), g_(2t+1) = x_2t",
    .when_to_use =
        "One section of the heads of V-JEPA 2, whose weights were trained with it. Whole "
        "heads take rope3d-vjepa2; anything newly trained takes rope.",
    .what_goes_wrong =
        "It is no rotation: norms of vectors change, and scores depend on both positions "
        "rather than on their difference. Code that repairs the tiling spoils the answers of "
        "the checkpoints. The reference makes its frequencies in the dtype of the vectors, "
        "which bfloat16 rounds coarsely.",
    .picture = "pos=0:8" SPATIAL_PICTURE_VECTORS,
    .summary = "vectors turned as V-JEPA 2 does: adjacent pairs by a row tiled for halves",
    .source = "Assran et al. 2025, V-JEPA 2; vjepa2 src/models/utils/modules.py",
    .examples = PE_WORDS("pos=1&x=1,2,3,4", "pos=1,2&x=1,2,3,4,5,6;1,2,3,4,5,6&base=100"),
    SPATIAL_APPLY_HOOKS(struct vjepa2_rope, params, outputs, kind),
};
