/* SPDX-License-Identifier: Apache-2.0
 * text_rows.h - writes a tensor as rows of text cells for JSON and CSV: computes blocks, prints
 * their elements and lets the format write the text around a row. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/output/encoder.h"

/* The longest text before or after a row's cells. */
enum { TEXT_ROWS_EDGE_MAX = 256 };

struct text_rows {
    size_t tensor;         /* index of the tensor in the plan */
    uint64_t rows, cols;   /* in the text; rows may have no cells */
    uint64_t row, col;     /* place of the next cell */
    bool inside;           /* the row's opening was written */
    bool quoted;           /* infinities are JSON strings: "Infinity" */
    bool nonfinite;        /* a cell so far was NaN or infinite */
    size_t used, computed; /* elements of the encoder's block: printed; computed */
    /* Writes the text before and after row number .row, at most TEXT_ROWS_EDGE_MAX bytes;
     * return the end. */
    char *(*open)(const struct text_rows *cells, char *out);
    char *(*close)(const struct text_rows *cells, char *out);
    const void *context; /* for open and close */
};

/* Writes at most `capacity` bytes (at least FORMAT_MIN_CAPACITY / 2), returns their number. */
size_t text_rows_read(struct text_rows *cells, struct encoder *encoder, char *out,
                      size_t capacity);
/* Returns whether every row was written. */
bool text_rows_done(const struct text_rows *cells);
