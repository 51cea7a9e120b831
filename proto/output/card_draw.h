/* SPDX-License-Identifier: Apache-2.0
 * card_draw.h - what stands on a card around its numbers: title, request, axes and colours.
 * Private to proto/output. */
#pragma once

#include "proto/output/card_matrix.h"
#include "proto/pictures/figure_axis.h"

enum {
    CARD_WIDTH = 1200, /* pixels, by which previews of links show a picture in full */
    CARD_HEIGHT = 630,
    CARD_MARGIN = 48,
};

/* The only tensor of an answer, and its place. */
struct card_panel {
    const struct pe_tensor_info *tensor;
    struct figure_axis right, down; /* without a count: not drawn */
    const char *tile_label;         /* "head"; "" */
    const char *masked_word;        /* what cells without a value are called */
    double heading;                 /* the line of the output's name */
    struct svg_box room;            /* for the plot */
};

/* Draws the title, the request and the name of the output; sets what is left for the plot. */
void card_draw_words(struct canvas *canvas, const struct encoder *encoder,
                     struct card_panel *panel);
void card_draw_matrix(struct canvas *canvas, struct encoder *encoder,
                      struct card_matrix *matrix, const struct card_panel *panel);
void card_draw_curve(struct canvas *canvas, const struct svg_curve *curve,
                     const struct card_panel *panel);
void card_draw_number(struct canvas *canvas, const char *text, const struct card_panel *panel);
