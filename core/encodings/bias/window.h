/* SPDX-License-Identifier: Apache-2.0
 * window.h - pairs of patches in a window, and perhaps a class token before them, numbered by
 * how far the one lies from the other: what Swin, BEiT and their relatives look up. */
#ifndef PE_ENCODINGS_WINDOW_H
#define PE_ENCODINGS_WINDOW_H

#include "core/encoding.h"

/* Patches row by row. Offsets (dy, dx) of query - key are numbered
 *     (dy + height - 1) (2 width - 1) + (dx + width - 1);
 * class token to patch, patch to class token and the token to itself come after them. */
struct window {
    struct pe_grid window;
    bool class_token;
};

#define WINDOW_ROW(TYPE)                                                                       \
    {                                                                                          \
        PE_FIELD(TYPE, window),                                                                \
            .type = PE_GRID, .required = true,                                                 \
            .summary = "patches HEIGHTxWIDTH of the window (window_size), row by row"          \
    }

uint64_t window_tokens(const struct window *window);
/* Rows of the table: how many numbers there are. */
uint64_t window_rows(const struct window *window);
/* A lookup_row of a struct window. */
void window_index(const void *window, uint64_t query, uint64_t key, size_t count, double *out);

/* The hooks of an encoding whose values are a struct window and whose output 0 is the index. */
void window_range(const struct pe_args *args, const void *values, size_t output, double *low,
                  double *high);
size_t window_shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK]);
enum pe_status window_prepare(struct pe_build *build, const void *values,
                              struct pe_errors *errors);

#endif
