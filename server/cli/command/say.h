/* SPDX-License-Identifier: Apache-2.0
 * say.h - what a command says: lines of errors to standard error, texts to standard output.
 */
#pragma once

#include "core/posenc.h"
#include "proto/text/buffer.h"

/* Exit codes; commands.def has their meanings. 0 is success, 1 not ready or not right, 2 not
 * explained; 69 and 78 come from the service. Those of files are EX_DATAERR and EX_NOINPUT of
 * sysexits.h. */
enum {
    CLI_UNEXPLAINED = 2,
    CLI_USAGE = 64,
    CLI_NO_DATA = 65,
    CLI_NO_INPUT = 66,
    CLI_INTERNAL = 70
};

/* Writes the line "posencd: ..." to stderr and returns exit_code. What a terminal would obey is
 * escaped here and in say_text (printable.h). */
int say_error(int exit_code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes "posencd: LINE" to stderr for each line of the text and returns exit_code. */
int say_lines(int exit_code, const char *text);
/* Writes each problem to stderr in the words of the service; returns the exit code. */
int say_problems(const struct pe_errors *errors);
/* Writes the line of an error that is a suggestion too: "unknown <what> "word"; did you mean
 * <near>?", or "; see <where>" if near is NULL. Returns CLI_USAGE. */
int say_unknown(const char *what, const char *word, const char *near, const char *where);
/* Writes the text to stdout and empties it; 0, or 70 when memory or the output failed. */
int say_text(struct buffer *text);
/* Writes a document of JSON as say_text; to a terminal on lines, indented. */
int say_json(struct buffer *text);
/* Prints a text with colours, whose writer has escaped what came from outside. */
int say_coloured(struct buffer *text);
