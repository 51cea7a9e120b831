/* SPDX-License-Identifier: Apache-2.0
 * json_layout.h - JSON for people: the bytes of a document on lines, indented by two. A member,
 * and an entry of an array that begins with a text, an object or an array, has a line of its
 * own; an array of numbers is one line. It reads pieces of any lengths, as an encoder gives
 * them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/text/buffer.h"

enum { JSON_LAYOUT_DEPTH = 64 }; /* what is nested deeper stays on its line */

/* Zeroed at the beginning of a document. */
struct json_layout {
    bool broken[JSON_LAYOUT_DEPTH]; /* the entries of the object or array have lines */
    size_t depth;
    bool in_text, escaped; /* the last byte was of a text; it was an open \ of it */
    bool opened;           /* the last byte outside texts was [ or { */
};

/* Adds the next bytes of a document that is right. */
void json_layout_add(struct json_layout *layout, struct buffer *out, const char *bytes,
                     size_t len);
