/* SPDX-License-Identifier: Apache-2.0
 * param_set.h - the sets of parameters in an output's row, of each of which a request must give
 * one: "len|q&len|k" are two. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"

enum { PARAM_SET_MAX = 8 };

struct param_set {
    size_t count; /* at least 1 */
    const struct pe_param *at[PARAM_SET_MAX];
};

/* Reads the set at *sets (.one_of of an output of the encoding) and moves *sets to the next or
 * to the end; false at the end, and where the output has none (NULL). */
bool param_set_next(const struct pe_encoding *enc, const char **sets, struct param_set *set);
