/* SPDX-License-Identifier: Apache-2.0
 * svg_panel.h - the part of a figure that one output has: a number, a curve, or a picture with
 * its axes and colours. Private to proto/output. */
#pragma once

#include "proto/output/picture.h"
#include "proto/output/svg_curve.h"
#include "proto/pictures/figure_axis.h"

enum {
    SVG_PANEL_HEAD = 48,    /* above a picture: the heading and the colour bar */
    SVG_PANEL_HEADING = 32, /* above a curve or a number: the heading */
    SVG_PANEL_FOOT = 48,    /* below it: the axis */
    SVG_PANEL_TILE_HEAD = 24,
    SVG_PANEL_TILE_GAP = 12,
    SVG_PANEL_MARGIN = 20,
    SVG_PANEL_LEFT = 64,  /* of plots */
    SVG_PANEL_PLOT = 512, /* widest plot: powers of two have cells of whole pixels */
    SVG_PANEL_WIDTH = SVG_PANEL_LEFT + SVG_PANEL_PLOT + SVG_PANEL_MARGIN,
};

struct svg_panel {
    size_t index; /* of the tensor in the plan */
    const struct pe_tensor_info *tensor;
    double top, height;
    struct svg_box box;             /* of the plot, or of the first tile */
    uint64_t rows, cols;            /* of a tile, in cells */
    uint64_t tiles, across;         /* drawn one by one; 1: the picture is drawn as a whole */
    struct figure_axis right, down; /* without a count: not drawn */
    const char *tile_label;         /* "head"; "" */
    const char *masked_word;        /* what cells without a value are called */
    struct picture *picture;        /* NULL: a curve or a number */
    struct svg_curve *curve;        /* NULL: a picture or a number */
};

/* Adds a problem if tensor number `index` cannot be drawn. */
enum pe_status svg_panel_check(const struct pe_plan *plan, size_t index,
                               struct pe_errors *errors);
/* Lays the panel of tensor number `index` out below `top`; PE_OK, or PE_NO_MEMORY. */
enum pe_status svg_panel_make(struct svg_panel *panel, const struct encoder *encoder,
                              size_t index, double top);
void svg_panel_fini(struct svg_panel *panel);
