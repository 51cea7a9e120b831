/* SPDX-License-Identifier: Apache-2.0
 * guide.h - the documents of docs/ that the service has as pages, made part of the program at
 * build time by make_guides.py. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/pages/guide_part.h"
#include "proto/pages/page_frame.h"
#include "proto/text/buffer.h"

size_t guide_count(void);
const struct guide *guide_at(size_t i); /* sorted by slug */

/* Returns whether the guide is a chapter of the course: its page is below /learn, and has
 * figures that a script makes live. */
bool guide_is_lesson(const struct guide *guide);
/* Returns whether the guide is in Chinese; the first one of them is the course itself. */
bool guide_is_chinese(const struct guide *guide);
/* Returns the guide of the folder in which the guide is; NULL: it is in none. */
const struct guide *guide_folder(const struct guide *guide);
/* The settings of figures that the query of a page has, and the most elements that a picture of
 * them may have. */
struct guide_figures {
    const char *words; /* as guide_state_read writes them (guide_state.h), or "" */
    uint64_t most_elements;
};
/* Writes the page of the document; figures: NULL where the query says nothing. Its preview
 * has the picture of the first figure of which the query says something, or else of the first
 * one. */
void guide_write(struct buffer *out, const struct page_frame *frame, const struct guide *guide,
                 const struct guide_figures *figures);
