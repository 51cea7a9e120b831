/* SPDX-License-Identifier: Apache-2.0
 * encoding_page.h - /docs/{encoding}: what an encoding is, its formula, when to use it, what
 * goes wrong, an example, its parameters, its outputs and its source. */
#pragma once

#include "core/posenc.h"
#include "proto/pages/page_frame.h"
#include "proto/text/buffer.h"

/* Writes the page; of the frame, base, style, script, keyed and alone are used. */
void encoding_page_write(struct buffer *out, const struct page_frame *frame,
                         const struct pe_encoding *enc);
