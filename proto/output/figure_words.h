/* SPDX-License-Identifier: Apache-2.0
 * figure_words.h - texts of figures that are made from a request and its answer. Private to
 * proto/output. */
#pragma once

#include "proto/output/encoder.h"
#include "proto/pictures/tick.h"

enum { FIGURE_NUMBER_SIZE = TICK_TEXT_SIZE };

/* Writes "rope", and " dim=128" for each value that differs from its default. */
void figure_words_query(struct buffer *out, const struct pe_args *args);
/* Writes how many tiles a picture has and what they are, the label of their axis or "": "8
 * tiles, one for each head". */
enum { FIGURE_TILES_SIZE = 100 };
void figure_words_tiles(char text[FIGURE_TILES_SIZE], uint64_t tiles, const char *label);
/* Writes the number of tensor number `index`, which has no axes, with all its digits. */
void figure_words_number(char text[FIGURE_NUMBER_SIZE], struct encoder *encoder, size_t index);
