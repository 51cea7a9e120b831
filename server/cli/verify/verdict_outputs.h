/* SPDX-License-Identifier: Apache-2.0
 * verdict_outputs.h - where posencd verify writes what it found besides the standard output:
 * the files of --junit and --diff, the annotations of --github, and errors as JSON. */
#pragma once

#include <stdbool.h>

#include "proto/verify/verify_picture.h"
#include "proto/verify/verify_report.h"

struct verdict_outputs {      /* {0} writes nothing */
    const char *junit, *diff; /* paths; NULL: not wanted */
    bool github, json;
    struct verify_report report;
    struct verify_picture picture;
};

/* Refuses outputs that are one file, or overwrite an operand, which is read. Returns 0, or the
 * exit code after a line on stderr; then no file is written. */
int verdict_outputs_check(struct verdict_outputs *outputs, const char *operand);
/* Writes a verdict as lines about the file, whose name alone comes from outside. */
void verdict_outputs_write(struct buffer *text, const char *file,
                           const struct verify_request *request,
                           const struct pe_verdict *verdict, bool coloured);
/* Adds the verdict of a file, which is NULL where nothing was identified; `right` is what the
 * exit code says. Returns 0, or the exit code after a line on stderr. */
int verdict_outputs_add(struct verdict_outputs *outputs, const char *file,
                        const struct verify_request *request, const struct pe_verdict *verdict,
                        bool right);
/* Adds a file that was compared with another one alone; the lines are what is printed of it. */
int verdict_outputs_add_pairs(struct verdict_outputs *outputs, const char *file,
                              const struct verify_pairs *pairs, const char *lines);
/* Prints an answer and frees it: a line of JSON, or lines, of which with --github none is a
 * command of the workflow. Returns 0, or the exit code after a line on stderr. */
int verdict_outputs_print(const struct verdict_outputs *outputs, struct buffer *text);
/* Says the problems of a file, or of the call where it is NULL: on stderr, and where wanted as
 * a line of JSON and as an annotation. A code of 0 is that of the problems. Returns the exit
 * code. */
int verdict_outputs_fail(struct verdict_outputs *outputs, const char *file, int code,
                         const struct pe_errors *errors);
/* Writes the files and ends. Returns the code, or a worse one where a file cannot be
 * written. */
int verdict_outputs_end(struct verdict_outputs *outputs, int code);
