/* SPDX-License-Identifier: Apache-2.0
 * disagreement.h - where libraries give different numbers under one name: the rows of
 * disagreements.def, and their HTML. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"
#include "proto/pages/page_frame.h"
#include "proto/text/buffer.h"

struct disagreement {
    const char *id;        /* the fragment of its place in /docs/disagreements */
    const char *encodings; /* the names of encodings, separated by spaces */
    const char *title;
    const char *differs; /* sentences */
    const char *chooses; /* which parameter or encoding has which numbers here */
    const char *source;
    const char *first, *second; /* requests, "/v1/rope?dim=8", whose answers show it; "": none
                                 * do */
};

size_t disagreement_count(void);
const struct disagreement *disagreement_at(size_t i);
bool disagreement_is_about(const struct disagreement *row, const struct pe_encoding *enc);

/* Writes the section of one, whose heading has that level (2 or 3), into a page of that frame.
 * except: an encoding whose own page this is, which is not linked; NULL: all are, and the two
 * pictures are shown. */
void disagreement_add(struct buffer *out, const struct disagreement *row, unsigned level,
                      const struct page_frame *frame, const struct pe_encoding *except);
