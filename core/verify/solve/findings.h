/* SPDX-License-Identifier: Apache-2.0
 * findings.h - what is true of parts of the numbers, read by the solvers, even where no mistake
 * explains all of them. */
#pragma once

#include "core/verify/candidate.h"

struct findings {
    struct pe_verify_finding at[PE_VERIFY_FINDINGS];
    size_t count;
    char says[PE_VERIFY_SENTENCE]; /* half a sentence about the parts that are wrong; "": the
                                    * solvers have read nothing */
};

/* Reads the numbers of a verdict that they are wrong, and copies to it what was read. `base` is
 * the claim's own candidate, NULL if no tensor has its shape. */
void findings_read(struct findings *findings, struct pe_verdict *verdict,
                   const struct candidate *base);
