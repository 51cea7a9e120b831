/* SPDX-License-Identifier: Apache-2.0
 * header_block.h - the header fields of a response, collected as lines and given to
 * libmicrohttpd as one field, whose value contains the other lines. libmicrohttpd 0.9.75 makes
 * three allocations and searches six times for each field that it is given.
 *
 * Fields that libmicrohttpd reads itself (Connection), or that change from request to request
 * (X-Request-Id), are given to it by themselves. */
#pragma once

#include <microhttpd.h>
#include <stdbool.h>

#include "proto/text/buffer.h"

enum { HEADER_BLOCK_SIZE = 12 << 10 }; /* more than a response's head may have */

struct header_block {
    struct buffer lines; /* "Name: value\r\n..." */
    char space[HEADER_BLOCK_SIZE];
};

/* Makes the block empty. It holds no memory of its own. */
void header_block_init(struct header_block *block);
/* Adds a field. A value with a line's end makes the block fail. */
void header_block_add(struct header_block *block, const char *name, const char *value);
/* Adds a field for each line "Name: value\n" of the text. */
void header_block_add_lines(struct header_block *block, const char *lines);
/* Adds the lines of the blocks of several lines that were given to a response. */
void header_block_add_given(struct header_block *block, struct MHD_Response *response);
/* Gives the lines to the response. Returns false if the block has failed, or there is no
 * memory. */
bool header_block_give(struct header_block *block, struct MHD_Response *response);
/* Finds the value of the field in a response, in a block or by itself, and its length; NULL:
 * the response has no field of that name. */
const char *header_block_find(struct MHD_Response *response, const char *name, size_t *len);
