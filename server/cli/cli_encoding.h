/* SPDX-License-Identifier: Apache-2.0
 * cli_encoding.h - an encoding that is named on the command line. */
#pragma once

#include "core/posenc.h"

/* Finds the encoding; NULL after a line on stderr with the nearest name. `what` is what the
 * word should be: "encoding". */
const struct pe_encoding *cli_encoding_find(const char *name, const char *what);
