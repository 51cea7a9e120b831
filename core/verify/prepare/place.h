/* SPDX-License-Identifier: Apache-2.0
 * place.h - reads the positions of rows out of the tensors, by the angles that they have under
 * the claim's frequencies. */
#pragma once

#include "core/verify/candidate.h"

/* Writes the positions of the rows, if they rise or fall by one step: "7:71", "0:128:2",
 * "9:6:-1". Nobody counts below 0: rows that would be there turn to the other side, which
 * *backwards says, from the positions without a sign. False: they have no angles, or other
 * positions. */
bool place_read_slice(const struct candidate *candidate, char *text, size_t size,
                      bool *backwards);
/* Writes the positions of a batch whose sequences have `length` rows each, one after the other:
 * each rises or falls by one step, or counts from 0 on behind padding on its left. */
bool place_read_batch(const struct candidate *candidate, uint64_t length, char *text,
                      size_t size);
