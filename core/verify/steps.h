/* SPDX-License-Identifier: Apache-2.0
 * steps.h - float32's steps with a power function that no profile knows: frequencies may be
 * some units off, each by the same number of units in all rows. This explains tables of any
 * libm at any position, which a wider bound would not without letting mistakes pass. */
#pragma once

#include "core/verify/candidate.h"

/* Returns whether all tensors are the sines and cosines of float32 products of the positions
 * and frequencies of which each is at most sixteen units from the exact one. */
bool steps_explain(const struct candidate *candidate);
