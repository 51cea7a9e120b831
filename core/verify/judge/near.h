/* SPDX-License-Identifier: Apache-2.0
 * near.h - how near numbers are to the claim that are not within the bound of its rounding. */
#pragma once

#include "core/verify/candidate.h"

struct near {
    bool fast;  /* sines and cosines that a fast function of float32 has made */
    bool close; /* at most a thousandth away, no farther at far positions than at near ones,
                 * which frequencies have not; never of a mask, whose numbers are few */
    bool holds; /* every element is within the tolerance, which was given; a distance
                 * that is not finite never is */
    int digits; /* of the claim's numbers that are right, counted from the size of the row */
};

/* Measures the distance of the tensors from the claim's own candidate. All is false without
 * memory, or when stopped. */
struct near near_measure(const struct candidate *base,
                         const struct pe_verify_tolerance *tolerance);
