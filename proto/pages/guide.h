/* SPDX-License-Identifier: Apache-2.0
 * guide.h - the documents of docs/ that the service has as pages, made part of the program at
 * build time by make_guides.py. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "proto/pages/page_frame.h"
#include "proto/text/buffer.h"

struct guide_part {
    const char *text; /* HTML, or "/v1/X?Q" */
    bool is_picture;  /* the text is the address of a picture */
};

struct guide {
    const char *slug;    /* "api", "verify/ladder": the path below /docs/; "learn/waves" */
    const char *title;   /* plain text */
    const char *summary; /* the first paragraph, plain text */
    const struct guide_part *parts; /* the page; the last one has no text */
};

size_t guide_count(void);
const struct guide *guide_at(size_t i); /* sorted by slug */

/* Returns whether the guide is a chapter of the course: its page is below /learn, and has
 * figures that a script makes live. */
bool guide_is_lesson(const struct guide *guide);
/* Returns whether the guide is in Chinese; the first one of them is the course itself. */
bool guide_is_chinese(const struct guide *guide);
/* Returns the guide of the folder in which the guide is; NULL: it is in none. */
const struct guide *guide_folder(const struct guide *guide);
/* Writes the page of the document. */
void guide_write(struct buffer *out, const struct page_frame *frame, const struct guide *guide);
