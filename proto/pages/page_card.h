/* SPDX-License-Identifier: Apache-2.0
 * page_card.h - the picture that a preview of a link to a page shows: a request for a card, as
 * "/v1/rope?dim=64&pos=0:64&out=cos&format=card". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"
#include "proto/models/models.h"
#include "proto/text/buffer.h"

/* Writes the card of an encoding's page: that of the output which stands for it. Nothing is
 * written where it has no picture. */
void page_card_add_encoding(struct buffer *out, const struct pe_encoding *enc);
/* Returns the output of a page whose output has that number, from 1 on; 0: the first one. */
const struct pe_output *page_card_output(const struct pe_encoding *enc, size_t number);
/* Writes the card of a page whose state is such a query (page_state.h), and whose output has
 * that number. Where no request has this state, or its card is refused, also for more elements
 * than that, it is the card of the output; false: the state says more than its output, and the
 * card shows nothing of it. */
bool page_card_add_state(struct buffer *out, const struct pe_encoding *enc, size_t output,
                         const char *query, const struct models *models,
                         uint64_t most_elements);
/* Writes the card of a request, "/v1/rope?dim=8&pos=0:4", which is right. */
void page_card_add_request(struct buffer *out, const char *address);
/* Returns whether the service answers a request, "/v1/rope?dim=8&pos=0:4", with a card. */
bool page_card_is_right(const char *request, const struct models *models,
                        uint64_t most_elements);
/* Writes the card of the first encoding of a model that is computed from its name, and at most
 * a layer; a mask is the last choice. */
void page_card_add_model(struct buffer *out, const struct model *model,
                         const struct models *models, uint64_t most_elements);
