/* SPDX-License-Identifier: Apache-2.0
 * model_page.h - /models/{model}: which positional encoding a model has, layer by
 * layer, with its settings and the URLs of its numbers. */
#pragma once

#include "proto/models/models.h"
#include "proto/pages/page_frame.h"
#include "proto/text/buffer.h"

/* A script may draw into <section class="figures">, which is empty, and "figures drawn" where
 * an encoding of the model has wavelengths. Each use is a <section class="use">, in which
 * <a class="to-explorer"> leads to its first table. */
void model_page_write(struct buffer *out, const struct page_frame *frame,
                      const struct model *model);
