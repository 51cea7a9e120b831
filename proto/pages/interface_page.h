/* SPDX-License-Identifier: Apache-2.0
 * interface_page.h - /docs/openapi: the interface for people, with the way to the OpenAPI
 * document and to its part for each encoding. */
#pragma once

#include "proto/pages/page_frame.h"
#include "proto/text/buffer.h"

void interface_page_write(struct buffer *out, const struct page_frame *frame);
