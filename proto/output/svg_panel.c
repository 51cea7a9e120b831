/* SPDX-License-Identifier: Apache-2.0
 * svg_panel.c - what panels are made of, and how large that is. */
#include "proto/output/svg_panel.h"

#include <math.h>
#include <string.h>

#include "proto/output/picture_check.h"

enum {
    CELL_SIDE_MAX = 48, /* of a cell in the figure */
    SIDE_MIN = 24,      /* of a plot */
    CURVE_HEIGHT = 220,
    NUMBER_HEIGHT = 52,
    TILES_MAX = 64,         /* that have a label each */
    TILES_HEIGHT_MAX = 600, /* of all lines of tiles */
};

static bool is_curve(const struct pe_tensor_info *tensor)
{
    return tensor->rank == 1 && tensor->dtype != PE_BOOL8;
}

enum pe_status svg_panel_check(const struct pe_plan *plan, size_t index,
                               struct pe_errors *errors)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(plan, index);

    if (tensor->rank == 0 || (is_curve(tensor) && tensor->cols > 0))
        return PE_OK;
    return picture_check(plan, index, format_svg.name, 1, errors);
}

/* Sets the size of a tile where a line has so many. A cell has whole pixels where little of the
 * width is lost by that; axes that count the same things have square cells. */
static void set_tile(struct svg_panel *panel, uint64_t across)
{
    const size_t rank = panel->tensor->rank;
    const double gaps = (double)(across - 1) * SVG_PANEL_TILE_GAP;
    const double most = (SVG_PANEL_PLOT - gaps) / (double)across;
    const double rows = (double)panel->rows, cols = (double)panel->cols;
    double cell = fmin(most / cols, CELL_SIDE_MAX);

    if (floor(cell) >= 0.8 * cell)
        cell = floor(cell);
    panel->across = across;
    panel->box.width = cell * cols;
    panel->box.height = fmin(cell * rows, most);
    if (cell * rows > most && rank > 1 && figure_axis_alike(panel->tensor, rank - 2, rank - 1))
        panel->box.width = most / rows * cols;
    panel->box.width = fmax(panel->box.width, SIDE_MIN);
    panel->box.height = fmax(panel->box.height, SIDE_MIN);
}

static double tiles_height(const struct svg_panel *panel)
{
    const double lines = ceil((double)panel->tiles / (double)panel->across);

    return panel->tiles == 1 ? panel->box.height
                             : lines * (panel->box.height + SVG_PANEL_TILE_HEAD);
}

/* Sets how many tiles a line has: as few as the height allows, or a few more where the last
 * line is full then. */
static void set_tiles(struct svg_panel *panel)
{
    uint64_t across = 0;

    do
        set_tile(panel, ++across);
    while (across < panel->tiles && tiles_height(panel) > TILES_HEIGHT_MAX);
    for (uint64_t more = across; more <= across + across / 2 + 1; more++) {
        if (panel->tiles % more == 0) {
            set_tile(panel, more);
            return;
        }
    }
}

/* Returns the pixels of a cell by which the picture has at least the pixels of its place. */
static unsigned cell_of(const struct svg_panel *panel)
{
    const double wanted = ceil(panel->box.width / (double)panel->cols - 0.01);
    unsigned cell = (unsigned)fmin(fmax(wanted, 1), RASTER_CELL_MAX);
    struct raster raster = raster_new(panel->tensor, cell);

    while (cell > 1 && !raster_fits(&raster))
        raster = raster_new(panel->tensor, --cell);
    return cell;
}

/* Draws a picture of many tiles as a whole. */
static void set_whole(struct svg_panel *panel)
{
    const uint64_t across = raster_new(panel->tensor, 1).across;
    struct raster raster;

    panel->tiles = panel->across = 1;
    panel->right.count = panel->down.count = 0;
    panel->cols *= across;
    panel->box.width = SVG_PANEL_PLOT;
    raster = raster_new(panel->tensor, cell_of(panel));
    panel->box.height =
        fmax(SIDE_MIN, (double)raster.height * SVG_PANEL_PLOT / (double)raster.width);
}

static enum pe_status make_picture(struct svg_panel *panel, const struct encoder *encoder)
{
    const struct pe_tensor_info *tensor = panel->tensor;
    const struct pe_args *args = pe_plan_args(encoder->plan);
    const struct raster raster = raster_new(tensor, 1);
    struct figure_axis lead = {.label = ""};

    if (tensor->rank >= 2 &&
        figure_axis_make(&panel->down, args, tensor, tensor->rank - 2) != PE_OK)
        return PE_NO_MEMORY;
    if (tensor->rank == 3 && figure_axis_make(&lead, args, tensor, 0) != PE_OK)
        return PE_NO_MEMORY;
    panel->tile_label = lead.label;
    const enum pe_family family = pe_family_of(pe_args_encoding(args));
    panel->masked_word = family == PE_BIAS || family == PE_MASK ? "masked" : "not finite";
    figure_axis_fini(&lead);
    panel->rows = raster.rows;
    panel->cols = raster.cols;
    panel->tiles = raster.tiles;
    if (raster.tiles <= TILES_MAX)
        set_tiles(panel);
    else
        set_whole(panel);
    panel->height = SVG_PANEL_HEAD + tiles_height(panel) + SVG_PANEL_FOOT;
    panel->box.top = panel->top + SVG_PANEL_HEAD + (panel->tiles > 1 ? SVG_PANEL_TILE_HEAD : 0);
    panel->picture = picture_new(encoder, panel->index, cell_of(panel));
    return panel->picture ? PE_OK : PE_NO_MEMORY;
}

enum pe_status svg_panel_make(struct svg_panel *panel, const struct encoder *encoder,
                              size_t index, double top)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, index);
    const struct pe_args *args = pe_plan_args(encoder->plan);

    *panel = (struct svg_panel){
        .index = index,
        .tensor = tensor,
        .top = top,
        .height = SVG_PANEL_HEADING + NUMBER_HEIGHT,
        .tiles = 1,
        .tile_label = "",
        .box = {SVG_PANEL_LEFT, top + SVG_PANEL_HEADING, SVG_PANEL_PLOT, CURVE_HEIGHT}};
    if (tensor->rank == 0)
        return PE_OK;
    if (figure_axis_make(&panel->right, args, tensor, tensor->rank - 1) != PE_OK)
        return PE_NO_MEMORY;
    if (!is_curve(tensor))
        return make_picture(panel, encoder);
    panel->height = SVG_PANEL_HEADING + CURVE_HEIGHT + SVG_PANEL_FOOT;
    panel->curve = svg_curve_new(encoder, index);
    return panel->curve ? PE_OK : PE_NO_MEMORY;
}

void svg_panel_fini(struct svg_panel *panel)
{
    figure_axis_fini(&panel->right);
    figure_axis_fini(&panel->down);
    picture_free(panel->picture);
    svg_curve_free(panel->curve);
    *panel = (struct svg_panel){.index = panel->index};
}
