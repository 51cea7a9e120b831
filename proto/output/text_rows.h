/* SPDX-License-Identifier: Apache-2.0
 * text_rows.h - a tensor as rows of text cells, as JSON and CSV write it: computes blocks,
 * prints their elements and lets the format say what stands around a row. */
#ifndef PROTO_TEXT_ROWS_H
#define PROTO_TEXT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/output/encoder.h"

/* The longest text that opens or closes a row. */
enum { TEXT_ROWS_EDGE_MAX = 256 };

struct text_rows {
    size_t tensor;         /* its number in the plan */
    uint64_t rows, cols;   /* as the text has them; rows of no cells are legal */
    uint64_t row, col;     /* the next cell */
    bool inside;           /* the row's opening was written */
    bool quoted;           /* "Infinity" as a JSON string */
    bool nonfinite;        /* NaN or an infinity was among the cells so far */
    size_t used, computed; /* elements of the encoder's block: printed, and in it */
    /* Write what stands before and after row number .row, at most TEXT_ROWS_EDGE_MAX bytes;
     * return the end. */
    char *(*open)(const struct text_rows *cells, char *out);
    char *(*close)(const struct text_rows *cells, char *out);
    const void *context; /* for open and close */
};

/* Writes at most `capacity` bytes (which is at least FORMAT_MIN_ROOM / 2), returns their
 * number. */
size_t text_rows_read(struct text_rows *cells, struct encoder *encoder, char *out,
                      size_t capacity);
/* True once every row was written. */
bool text_rows_done(const struct text_rows *cells);

#endif
