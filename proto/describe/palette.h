/* SPDX-License-Identifier: Apache-2.0
 * palette.h - the palettes that pictures of outputs may have (palettes.def). */
#pragma once

#include <stdbool.h>

#include "core/posenc.h"
#include "proto/text/buffer.h"

struct palette {
    const char *name;
    bool diverging; /* zero is its middle; else it is for values of one sign */
    const char *summary;
};

/* Returns the palette that suits the output by its sign and scale: a logarithm has no zero in
 * its middle. */
const struct palette *palette_of(const struct pe_output *output);
/* Writes all palettes as a JSON array. */
void palette_write_all(struct buffer *out);
