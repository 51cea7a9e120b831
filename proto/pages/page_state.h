/* SPDX-License-Identifier: Apache-2.0
 * page_state.h - the part of a page's query that says what the page shows: a link keeps it, and
 * two pages are one where it is the same. */
#pragma once

#include "proto/request/query.h"
#include "proto/text/buffer.h"

/* Writes the parameters of requests for the encoding, "dim=64&pos=0:64", in their order.
 * Parameters that only say how an answer is written, and unknown ones, are left out. */
void page_state_write(struct buffer *out, const struct pe_encoding *enc,
                      const struct query *query);
