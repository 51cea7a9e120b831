/* SPDX-License-Identifier: Apache-2.0
 * twin.h - an encoding as a table and the same encoding applied to vectors: "rope" and
 * "rope/apply". */
#pragma once

#include <stdbool.h>

#include "core/posenc.h"

/* Returns whether the encoding is applied to vectors. */
bool twin_is_applied(const struct pe_encoding *enc);
/* Returns the other of the two; NULL where there is only one. */
const struct pe_encoding *twin_find(const struct pe_encoding *enc);
