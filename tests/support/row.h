/* SPDX-License-Identifier: Apache-2.0
 * row.h - inputs and what must come of them, as rows of text files:
 *
 *     # A comment.
 *     alibi?heads=2&out=slopes
 *         slopes: .0625 .00390625
 *
 * An input begins a line; below it, indented by four blanks, stands one expectation a line, a
 * claim and a text; a line indented by eight blanks continues the one above it. Below a claim
 * that begins with "refused" may stand "hint: TEXT". A short row is one line, with the claim
 * "=>":
 *
 *     accept text/csv => csv
 *
 * core_row.h, tests/proto/support/proto_row.h, tests/server/support/server_row.h and scenario.h
 * say what the inputs and the claims mean. */
#pragma once

#include <stddef.h>

struct row {
    const char *file;
    int line;        /* of the expectation */
    char *input;     /* "alibi?heads=2&out=slopes" */
    char *claim;     /* the words before the colon */
    char *text;      /* the words after it */
    char *hint;      /* NULL: none */
    char *malformed; /* why this is no row, for a row that fails; NULL: it is one */
};

struct rows {
    struct row *at;
    size_t count;
};

/* Returns why a row cannot be read by a reader that knows no hints; NULL: it can be. */
const char *row_fault(const struct row *row);
/* Adds the rows of a text; a line that is no row becomes a row that fails. The rows keep the
 * pointer `file`, the name of the text. */
void rows_parse(struct rows *rows, const char *file, const char *text);
/* Adds the rows of a .txt file, or of every .txt file below a folder in the order of their
 * names; a file or folder that cannot be read or has no row becomes a row that fails. */
void rows_read(struct rows *rows, const char *path);
/* Does so for the files whose names end with `ending`, ".txt" or another. */
void rows_read_ending(struct rows *rows, const char *path, const char *ending);
void rows_free(struct rows *rows);
