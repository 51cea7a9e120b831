/* SPDX-License-Identifier: Apache-2.0
 * mask_say.h - says in which terms a mask differs from the one that is meant. */
#pragma once

#include "core/verify/solve/mask_terms.h"

/* Writes half a sentence about the terms that differ: "keys 0 to 1 are hidden from every query,
 * where the claim shows them". Returns the number of terms that do; 0: the text is empty.
 * `size` is at least 100. */
size_t mask_say(const struct mask_terms *found, const struct mask_terms *claimed, char *text,
                size_t size);
/* Writes the terms of a mask in short: "causal; window 8". */
void mask_say_terms(const struct mask_terms *terms, char *text, size_t size);
