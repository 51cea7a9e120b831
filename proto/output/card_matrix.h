/* SPDX-License-Identifier: Apache-2.0
 * card_matrix.h - the cells of a tensor on the canvas of a card. A cell has some pixels, or a
 * pixel has the mean of some cells. Private to proto/output. */
#pragma once

#include "proto/output/picture.h"
#include "proto/output/svg_curve.h"
#include "proto/pictures/canvas.h"

struct card_matrix;

/* Makes what draws the only tensor of the encoder's plan, at most `width` pixels wide, and
 * tiles as large as a room of that shape, width by height, allows. NULL when out of memory. */
struct card_matrix *card_matrix_new(const struct encoder *encoder, unsigned width,
                                    double shape);
void card_matrix_free(struct card_matrix *matrix);
/* Returns where the tensor stands in that room: in cells of whole pixels where there are enough
 * of them, square where its axes count the same things. */
struct svg_box card_matrix_place(const struct card_matrix *matrix, struct svg_box room);
/* Reads all numbers and sets the scale; returns how many are beyond range=. */
uint64_t card_matrix_begin(struct encoder *encoder, struct card_matrix *matrix);
void card_matrix_draw(struct encoder *encoder, struct card_matrix *matrix,
                      struct canvas *canvas, struct svg_box box);
const struct raster *card_matrix_raster(const struct card_matrix *matrix);
const struct colour_scale *card_matrix_scale(const struct card_matrix *matrix);
bool card_matrix_has_masked(const struct card_matrix *matrix);
