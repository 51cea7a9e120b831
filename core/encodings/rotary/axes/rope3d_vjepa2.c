/* SPDX-License-Identifier: Apache-2.0
 * rope3d_vjepa2.c - rotations by frame, row and column, a section of the head each:
 *
 *     n = 2 floor(floor(d/3)/2)      w_i = base^(-2i/n), i = 0..n/2-1, for each of three axes
 *
 * The rest of the head does not turn. The checkpoints rotate *adjacent* pairs of a section by a
 * row that is tiled as for halves, [c0 .. c(m-1) c0 .. c(m-1)], which is what width=full shows.
 * Assran et al. 2025, V-JEPA 2, src/models/utils/modules.py rotate_queries_or_keys. */
#include "core/encodings/spatial/spatial_apply.h"

struct rope3d_vjepa2 {
    struct spatial spatial;
    int64_t frames;
};

#define ROWS                                                                                   \
    SPATIAL_ROW_GRID(struct rope3d_vjepa2, spatial),                                           \
        {PE_FIELD(struct rope3d_vjepa2, frames),                                               \
         .type = PE_INT,                                                                       \
         .min = 1,                                                                             \
         .max = 65536,                                                                         \
         .preset = 1,                                                                          \
         .summary = "frames of the video, or tubelets of two frames"},                         \
        SPATIAL_ROW_BASE(struct rope3d_vjepa2, spatial, 10000),                                \
        SPATIAL_ROW_PROFILE(struct rope3d_vjepa2, spatial)

static const struct pe_param params[] = {
    ROWS,
    {PE_FIELD_OF(struct rope3d_vjepa2, spatial, dim), .type = PE_INT, .required = true,
     .min = 6, .max = 65536, .multiple_of = 2, .summary = "width of a head (head_dim)"},
    SPATIAL_ROW_WIDTH(struct rope3d_vjepa2, spatial, SPATIAL_WIDTH_FULL),
};

static const struct pe_param apply_params[] = {
    ROWS, SPATIAL_TILED_ROWS(struct rope3d_vjepa2, spatial)};

#define NAMES "grid", "frames", "base", "profile"
static const char *const freq_names[] = {"dim", "base", "profile", NULL};

static const struct pe_output outputs[] = {SPATIAL_OUTPUT_ROWS(NULL, freq_names, freq_names)};

static const struct pe_output apply_outputs[] = {SPATIAL_TILED_OUTPUT_ROWS(NAMES)};

static struct spatial_layout layout_of(const void *values)
{
    const struct rope3d_vjepa2 *r = values;
    struct spatial_layout layout = spatial_layout_of(&r->spatial);
    const uint64_t count[3] = {(uint64_t)r->frames, (uint64_t)r->spatial.grid.height,
                               (uint64_t)r->spatial.grid.width};
    const size_t each = 2 * layout.pairs / 3 / 2;

    layout.points = axes_points_grid(3, count);
    layout.pairing = SPATIAL_SECTION_HALF; /* the columns of the tiled row */
    layout.ladder_count = 4;
    for (size_t k = 0; k < 3; k++)
        layout.ladders[k] =
            axes_ladder_open(k, k * each, 1, each, r->spatial.base, (double)each);
    layout.ladders[3] = axes_ladder_open(0, 3 * each, 1, layout.pairs - 3 * each, 1, 1);
    layout.ladders[3].kind = AXES_STILL;
    return layout;
}

static const struct spatial_kind kind = {
    .layout = layout_of,
    .part = offsetof(struct rope3d_vjepa2, spatial),
    .multiple = 2,
    .rows = "grid",
    .tiled = true,
};

const struct pe_encoding pe_encoding_rope3d_vjepa2 = {
    .name = "rope3d-vjepa2",
    .title = "V-JEPA 2: rotary embedding of frame, row and column",
    .formula =
        "n = 2 floor(floor(dim/3) / 2), w_i = base^(-2i/n), i = 0..n/2-1\n"
        "angles of a token = [frame w_i | row w_i | column w_i]; the last dim - 3n columns do "
        "not turn",
    .when_to_use =
        "V-JEPA 2 and its checkpoints. Other video models have an axis after the other "
        "without the tiled rows: rope-axes.",
    .what_goes_wrong =
        "The checkpoints turn adjacent pairs by a row that is tiled for halves: the two "
        "entries of a pair turn by different angles. A right rotation gives other answers "
        "than the trained weights expect. The three sections round down to even widths: 20, "
        "20, 20 and 4 still columns of 64.",
    .picture = "frames=4&grid=4x4&dim=64",
    .summary = "rotary embedding of video by frame, row and column, tiled as V-JEPA 2 does",
    .source = "Assran et al. 2025, V-JEPA 2; vjepa2 src/models/utils/modules.py",
    .examples = PE_WORDS("grid=2x3&dim=8&frames=2", "grid=2x2&dim=64&width=half&out=angles",
                         "dim=64&out=section_axis,inv_freq"),
    SPATIAL_HOOKS(struct rope3d_vjepa2, params, kind),
};

const struct pe_encoding pe_encoding_rope3d_vjepa2_apply = {
    .name = "rope3d-vjepa2/apply",
    .title = "V-JEPA 2: vectors turned by frame, row and column",
    .picture = "frames=2&grid=2x2" SPATIAL_PICTURE_VECTORS,
    .summary = "vectors rotated by frame, row and column as V-JEPA 2 does",
    .source = "Assran et al. 2025, V-JEPA 2; vjepa2 src/models/utils/modules.py",
    .examples = PE_WORDS("grid=1x2&x=1,2,3,4,5,6;1,2,3,4,5,6",
                         "grid=1x1&frames=2&x=1,2,3,4,5,6,7,8;1,2,3,4,5,6,7,8"),
    SPATIAL_APPLY_HOOKS(struct rope3d_vjepa2, apply_params, apply_outputs, kind),
};
