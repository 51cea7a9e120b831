/* SPDX-License-Identifier: Apache-2.0
 * estimate.h - finds the value of a real parameter from the tensors: Gauss-Newton steps on few
 * rows first, where numbers depend on the parameter nearly linearly, then on more. */
#pragma once

#include "core/verify/candidate.h"

/* Finds the value of the parameter, beside the changes, that fits the tensors best, from
 * `start` on. False: the numbers do not depend on it, or no step led on. */
bool estimate_value(struct claim *claim, const struct changes *changes,
                    const struct pe_param *param, double start, double *value);
/* Finds the value with which the claim has the frequencies that were measured (observe.h): the
 * positions of the rows do not matter for it. */
bool estimate_by_frequencies(struct claim *claim, const struct changes *changes,
                             const struct pe_param *param, double start, const double *measured,
                             size_t pairs, double *value);
/* Returns the roundest number that is near an estimate. */
double estimate_nearby(double value);
/* Rounds a value to `digits` significant digits. */
double estimate_round(double value, int digits);
