/* SPDX-License-Identifier: Apache-2.0
 * server_row.h - functions of the server, their inputs and their results, as rows of text files
 * (tests/support/row.h):
 *
 *     bytes 64KiB | 64Ki
 *         is: 65536
 *
 * The first word of an input names a function of a table below; the claim says which result is
 * meant, and the text after the colon is the whole of it. An input may hold several values
 * between " | ". Each is checked on its own, and their results stand between " | ", too, or
 * once if all are equal. Quotes, "..." or '...', around a value are not part of it, so that ""
 * is the empty value. Claims that end with "before 1.0.0" or "since 1.0.0" are for those
 * versions of libmicrohttpd (tests/support/library.h). */
#pragma once

#include <stdbool.h>

#include "proto/text/buffer.h"
#include "tests/support/row.h"

struct server_row_function {
    const char *name;
    /* Writes the result that the claim means for one value; nothing: there is no such claim, or
     * the value has no such result. */
    void (*write)(struct buffer *out, char *value, const char *claim, const void *context);
    const void *context;
};

/* The functions of each file; the last has no name. */
extern const struct server_row_function server_row_configs[], server_row_evictions[],
    server_row_heads[], server_row_limits[], server_row_requests[];

/* Returns rows that have one value each; rows_free() them. */
struct rows server_rows_split(const struct rows *rows);
/* Whether the expectation of a row of one value comes true; if not, `why` names file, line and
 * the result. */
bool server_row_holds(const struct row *row, char *why, size_t size);
/* Returns the bytes of a text with the escapes \r, \n, \t, \0 and \x7f; free() it. */
char *server_row_bytes(const char *text, size_t *len);
/* Cuts the first step of several off the text; NULL after the last one. */
char *server_row_step(char **text, const char *separator);
