/* SPDX-License-Identifier: Apache-2.0
 * picture.h - draws a tensor of an answer as a PNG picture, of which a response consists or
 * which it has inside. Private to proto/output. */
#pragma once

#include "proto/output/encoder.h"
#include "proto/pictures/colour_scale.h"
#include "proto/pictures/raster.h"

struct picture;

enum { PICTURE_WARNING_SIZE = 160 };

/* Returns the map that colours the tensor: that of cmap=, or the one of its output. */
const struct colour_map *picture_map(const struct pe_tensor_info *tensor,
                                     const struct option_values *options);
/* Makes the picture of tensor number `index`, which the options of the encoder colour. All
 * memory is taken here. NULL when out of memory. */
struct picture *picture_new(const struct encoder *encoder, size_t index, unsigned cell);
void picture_free(struct picture *picture);
/* Computes all numbers once: finds their range, or adds to *beyond how many are beyond that of
 * the request. It comes before the first picture_read. Where it is stopped or libpng fails,
 * encoder->failed is set. */
void picture_begin(struct encoder *encoder, struct picture *picture, uint64_t *beyond);
/* Says in the encoder's warning, whose text is this one, how many numbers are beyond range=. */
void picture_warn(struct encoder *encoder, uint64_t beyond, uint64_t elements,
                  char text[PICTURE_WARNING_SIZE]);
/* Writes at most `capacity` bytes of the PNG, returns their number; 0 only at the end, or when
 * encoder->failed is set: stopped, or libpng failed. */
size_t picture_read(struct encoder *encoder, struct picture *picture, char *out,
                    size_t capacity);

const struct raster *picture_raster(const struct picture *picture);
/* Returns the colours of the values, which picture_begin has made. */
const struct colour_scale *picture_scale(const struct picture *picture);
/* Returns whether a cell was masked. True only after the last byte was read. */
bool picture_has_masked(const struct picture *picture);
