/* SPDX-License-Identifier: Apache-2.0
 * guide_state.h - what the controls of a chapter's figures say in the query of its page, so
 * that the page and its preview have pictures of that state before any script has run. */
#pragma once

#include <stdbool.h>

#include "proto/pages/guide_part.h"
#include "proto/request/query.h"
#include "proto/text/buffer.h"

/* Writes the words that controls of the guide have and whose value is one of theirs,
 * "m=4&way2=1", in the order of the controls: of figure 2 on, a word ends in the number of
 * the figure. */
void guide_state_read(struct buffer *out, const struct guide *guide, const struct query *query);
/* Writes the request of a figure with the values that the query, as guide_state_read writes
 * it, gives to its controls; number: of the figure, from 0 on. False: it gives none, and
 * nothing is written. */
bool guide_state_add_request(struct buffer *out, const struct guide_part *figure, size_t number,
                             const struct query *query);
