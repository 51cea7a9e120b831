/* SPDX-License-Identifier: Apache-2.0
 * server_row.h - functions of the server, their inputs and their results, as rows of text files
 * (tests/support/row.h):
 *
 *     bytes 64KiB | 64Ki
 *         is: 65536
 *
 * The first word of an input names a function of a table below; the claim says which result is
 * meant, and the text after the colon is the whole of it. An input may hold several values
 * between " | ": their results stand between " | " too, or once if all are equal. Quotes
 * around a value are not part of it, so that "" is the empty value. */
#pragma once

#include "proto/text/buffer.h"

struct server_row_function {
    const char *name;
    /* Writes the result that the claim means for one value; nothing: there is no such claim. */
    void (*write)(struct buffer *out, char *value, const char *claim, const void *context);
    const void *context;
};

/* The functions of each file; the last has no name. */
extern const struct server_row_function server_row_configs[], server_row_heads[];
