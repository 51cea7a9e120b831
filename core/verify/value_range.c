/* SPDX-License-Identifier: Apache-2.0
 * value_range.c - looks for the ends of a range by growing steps, then by halves. */
#include "core/verify/value_range.h"

#include <math.h>
#include <string.h>

#include "core/args/number.h"
#include "core/verify/fit.h"

enum { HALVES = 10 };

static const double narrow = 1e-3, wide = 16; /* the first step, and the largest factor */

/* Returns whether another value of the change explains the sample too. */
static bool holds(struct claim *claim, const struct changes *changes, double value)
{
    const struct pe_stop *stop = claim->limits->stop;
    const struct pe_param *param = changes->at[0].param;
    struct changes other = *changes;
    struct fit fit;

    if (!(value >= param->min && value <= param->max) || pe_stop_is_set(stop))
        return false;
    number_print(other.at[0].text, value);
    struct candidate *candidate = candidate_new(claim, &other, NULL);
    const bool fits =
        candidate && candidate_all_fitted(candidate) && fit_quickly(&fit, candidate);
    candidate_free(candidate);
    return fits;
}

/* Returns the last value that holds on the side to which the value is multiplied. */
static double find_end(struct claim *claim, const struct changes *changes, double value,
                       bool up)
{
    double good = 1, bad = 1 + narrow;

    while (bad < wide && holds(claim, changes, up ? value * bad : value / bad)) {
        good = bad;
        bad = 1 + 3 * (bad - 1);
    }
    for (int i = 0; i < HALVES && bad < wide; i++) {
        const double middle = sqrt(good * bad);

        if (holds(claim, changes, up ? value * middle : value / middle))
            good = middle;
        else
            bad = middle;
    }
    return up ? value * good : value / good;
}

bool value_range_find(struct claim *claim, const struct changes *changes, double *low,
                      double *high)
{
    double value;

    if (changes->count != 1 || changes->at[0].param->type != PE_REAL ||
        !number_parse(changes->at[0].text, strlen(changes->at[0].text), &value) ||
        !(value > 0) || !isfinite(value) ||
        (!holds(claim, changes, value * (1 + narrow)) &&
         !holds(claim, changes, value / (1 + narrow))))
        return false;
    *low = find_end(claim, changes, value, false);
    *high = find_end(claim, changes, value, true);
    return true;
}
