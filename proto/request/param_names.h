/* SPDX-License-Identifier: Apache-2.0
 * param_names.h - the rows of every name that a request for an encoding may contain: the
 * encoding's parameters, the parameters of all encodings (out, dtype) and the options. */
#pragma once

#include <stddef.h>

#include "core/posenc.h"

enum { PARAM_NAMES_MAX = 80 };

struct param_names {
    size_t count, own; /* number of rows; the first `own` are the encoding's */
    const struct pe_param *at[PARAM_NAMES_MAX];
    struct pe_param out, dtype; /* out takes several of its choices, joined by commas */
    struct pe_choice outputs[PE_MAX_OUTPUTS + 1], dtypes[PE_DTYPE_COUNT + 1];
};

/* Fills the rows, which point into *vocabulary: it must not be moved. If enc is NULL, the rows
 * are the names that encodings share, with in_dtype and shape, which only encodings of tensors
 * have. */
void param_names_init(struct param_names *vocabulary, const struct pe_encoding *enc);

/* Finds the row of a name among pe_param_find's and option_at's; NULL if the name is unknown. A
 * request looks each name up once and keeps the row. */
const struct pe_param *param_names_find(const struct pe_encoding *enc, const char *name,
                                        size_t len);
/* Adds the problem of an unknown name, with the nearest known name as its hint; returns the
 * problem's status. */
enum pe_status param_names_refuse(const struct pe_encoding *enc, const char *name, size_t len,
                                  struct pe_errors *errors);
