/* SPDX-License-Identifier: Apache-2.0
 * amplitude.h - says a mistake that changes nothing but the number by which cosines and sines
 * are multiplied, whichever parameter led to it. */
#pragma once

#include "core/verify/candidate.h"

/* Says it in the words of the mistake where the two candidates, of the claim and of the
 * numbers, have the same angles and other amplitudes; otherwise does nothing. */
void amplitude_say(struct pe_mistake *mistake, const struct candidate *claimed,
                   const struct candidate *found);
