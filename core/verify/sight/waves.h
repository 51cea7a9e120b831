/* SPDX-License-Identifier: Apache-2.0
 * waves.h - reads rotary tables without a claim: the turn from row to row gives each pair's
 * frequency, the first row the first position, the frequencies base and scaling. */
#pragma once

#include "core/posenc_verify.h"
#include "core/verify/sight/sight.h"

/* The bases that are tried: all, or those that people write, which are round numbers and those
 * of known claims. */
struct waves_bases {
    bool written;
    const struct pe_verify_known *known;
    size_t count;
};

/* Returns arguments of rotary tables that have the tensors' numbers, whose roles are set; NULL:
 * they are no cosines and sines of one, or of no form of scaling that is read here. */
struct pe_args *waves_try(struct sight *sight, const struct waves_bases *bases,
                          struct pe_verify_role *roles);
