/* SPDX-License-Identifier: Apache-2.0
 * page_picture.h - pictures of outputs in pages: <img> with the URL of a picture, or with the
 * picture itself where the reader of the page has no key for such a URL. */
#pragma once

#include <stdbool.h>

#include "core/posenc.h"
#include "proto/pages/page_frame.h"
#include "proto/text/buffer.h"

/* Returns the output that stands for the encoding in its page: the first that is answered by
 * default and has a picture; NULL if there is none. */
const struct pe_output *page_picture_output(const struct pe_encoding *enc);

/* Writes where the picture of a request, "/v1/rope?dim=8&pos=0:4", is: its address, or itself
 * where the address needs a key; and, as further attributes, the size of the picture. The quote
 * that ends it is written by the caller. */
void page_picture_add_source(struct buffer *out, const struct page_frame *frame,
                             const char *address);

/* Writes the picture of the output as a <figure>, which leads to the explorer. Nothing is
 * written where the service has no format for pictures, or the output has no picture. */
void page_picture_add(struct buffer *out, const struct page_frame *frame,
                      const struct pe_encoding *enc, const struct pe_output *output);

/* Writes the picture as a <figure> whose card has that address: the same request in the format
 * for pictures. Nothing is written where the address is "", or needs a key. */
void page_picture_add_card(struct buffer *out, const struct page_frame *frame,
                           const struct pe_output *output, const char *card);
