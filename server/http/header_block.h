/* SPDX-License-Identifier: Apache-2.0
 * header_block.h - the header fields of a response, collected as lines. */
#pragma once

#include <stdbool.h>

#include "proto/text/buffer.h"

enum { HEADER_BLOCK_SIZE = 12 << 10 }; /* more than a response's head may have */

struct header_block {
    struct buffer lines; /* "Name: value\r\n..." */
    bool closes;         /* the response ends the connection, and says so */
    const char
        *request_id; /* the first X-Request-Id; NULL: the response gets one when it is sent */
    char space[HEADER_BLOCK_SIZE];
};

/* Makes the block empty. It holds no memory of its own. */
void header_block_init(struct header_block *block);
/* Adds a field. A value with a line's end makes the block fail. */
void header_block_add(struct header_block *block, const char *name, const char *value);
/* Adds a field for each line "Name: value\n" of the text; NULL, for want of memory, makes the
 * block fail. */
void header_block_add_lines(struct header_block *block, const char *lines);
/* Finds the value of the field, and its length; NULL: the block has no field of that name. */
const char *header_block_find(const struct header_block *block, const char *name, size_t *len);
