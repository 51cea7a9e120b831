/* SPDX-License-Identifier: Apache-2.0
 * card.h - whether a tensor has a card, for a page that names the card before there is a plan.
 */
#pragma once

#include <stdbool.h>

#include "core/posenc.h"
#include "proto/request/option.h"

/* Returns whether format=card shows a tensor with these options; it refuses the others. */
bool card_shows(const struct pe_tensor_info *tensor, const struct option_values *options);
