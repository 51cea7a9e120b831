/* SPDX-License-Identifier: Apache-2.0
 * json_write.h - writes JSON into a buffer, with the commas between members and between
 * items. A comma is due where the buffer ends with a value, which its last byte says: a value
 * ends with a quote, a closing bracket, a digit or a letter, and nothing else that stands
 * before a value does. So the writer keeps no state, and JSON that was added by other
 * functions counts too.
 *
 * Every `name` is that of the member that a value is of; NULL: the value is an item of an
 * array, or a document, or stands behind json_write_key. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/text/buffer.h"

/* Writes a text of JSON that has ' for every quote: "{'name':'%s','rank':%zu,'shape':[". A
 * %s is escaped as within a string; %d, %u and %zu, and those of 64 bits, are numbers. The
 * text may leave objects and arrays open, and close those that were open, but has a string
 * as a whole. */
void json_write(struct buffer *out, const char *text, ...)
    __attribute__((format(printf, 2, 3)));
/* Writes the name of a member, which has no byte to escape, and its colon. */
void json_write_key(struct buffer *out, const char *name);
/* Writes a string: control bytes escaped, invalid UTF-8 as U+FFFD. */
void json_write_string(struct buffer *out, const char *name, const char *bytes, size_t len);
/* Writes a text as a string; NULL: nothing, also no name. */
void json_write_text(struct buffer *out, const char *name, const char *text);
/* Writes what a buffer holds as a string, and frees it. If it failed, `out` fails. */
void json_write_buffer(struct buffer *out, const char *name, struct buffer *text);
/* Writes an array of strings, as many as `count` or up to a NULL. */
void json_write_texts(struct buffer *out, const char *name, const char *const *texts,
                      size_t count);
void json_write_flag(struct buffer *out, const char *name, bool flag);
void json_write_integer(struct buffer *out, const char *name, uint64_t number);
void json_write_integers(struct buffer *out, const char *name, const uint64_t *numbers,
                         size_t count);
/* Writes a number as the shortest text that reads back as it; what is not finite is a word of
 * ProtoJSON, "Infinity", "-Infinity" or "NaN", because JSON has no such number. */
void json_write_number(struct buffer *out, const char *name, double number);

/* ---- JSON for people -------------------------------------------------------------------- */

/* Begins a member, or an item (NULL), on a line of its own behind so many spaces, and with
 * a space behind the colon; 0: as JSON for programs, without either. */
void json_write_line(struct buffer *out, const char *name, size_t indent);
/* Writes the bracket that closes what has lines of that indent: on a line of its own, two
 * spaces less, unless there was no line. */
void json_write_last_line(struct buffer *out, const char *bracket, size_t indent);
