/* SPDX-License-Identifier: Apache-2.0
 * batch_format.h - the format of the answer to a batch: format= of its query, or Accept. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"

struct format;

struct batch_format {
    const struct format *format; /* NULL: Accept admits no format of a batch */
    bool given;                  /* by the query: Accept is not looked at */
};

/* Reads the query of a batch, which has format= and nothing else; accept may be NULL. */
enum pe_status batch_format_choose(struct batch_format *chosen, const char *query, size_t len,
                                   const char *accept, struct pe_errors *errors);
