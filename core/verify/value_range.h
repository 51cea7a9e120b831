/* SPDX-License-Identifier: Apache-2.0
 * value_range.h - the values of a number that explain tensors as well: an edge that is rounded
 * to a whole pair, or numbers that lost their digits. */
#pragma once

#include "core/verify/candidate.h"

/* Finds the values around that of a change which give the numbers too, where the change is of
 * one real parameter and they are more than a thousandth of it. False if they are not. */
bool value_range_find(struct claim *claim, const struct changes *changes, double *low,
                      double *high);
