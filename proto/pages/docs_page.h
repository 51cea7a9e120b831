/* SPDX-License-Identifier: Apache-2.0
 * docs_page.h - /docs, the list of all documentation, and /docs/disagreements. */
#pragma once

#include "proto/pages/page_frame.h"
#include "proto/text/buffer.h"

void docs_page_write(struct buffer *out, const struct page_frame *frame);
void docs_page_write_disagreements(struct buffer *out, const struct page_frame *frame);
