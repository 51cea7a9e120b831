/* SPDX-License-Identifier: Apache-2.0
 * model_list_page.h - /models: every model, in a folded group for each family. */
#pragma once

#include "proto/models/models.h"
#include "proto/pages/page_frame.h"
#include "proto/text/buffer.h"

/* Each family is a <details class="group"> whose summary has its name and the number of its
 * models, and whose rows a script may filter and order: cells of class "number" are the context
 * and the layers, and are empty where they are unknown. */
void model_list_page_write(struct buffer *out, const struct page_frame *frame,
                           const struct models *models);
