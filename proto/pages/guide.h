/* SPDX-License-Identifier: Apache-2.0
 * guide.h - the documents of docs/ that the service has as pages, made part of the program at
 * build time by make_guides.py. */
#pragma once

#include <stddef.h>

#include "proto/pages/page_frame.h"
#include "proto/text/buffer.h"

struct guide {
    const char *slug;         /* the path below /docs/: "api", "verify/ladder" */
    const char *title;        /* plain text */
    const char *summary;      /* the first paragraph, plain text */
    const char *const *parts; /* the HTML, in pieces; NULL-terminated */
};

size_t guide_count(void);
const struct guide *guide_at(size_t i); /* sorted by slug */

/* Writes the page of the document. */
void guide_write(struct buffer *out, const struct page_frame *frame, const struct guide *guide);
