/* SPDX-License-Identifier: Apache-2.0
 * palette.c - see palette.h. */
#include "proto/describe/palette.h"

#include <string.h>

enum { SEQUENTIAL = false, DIVERGING = true };
static const struct palette palettes[] = {
#define PALETTE(NAME, KIND, SUMMARY) {NAME, KIND, SUMMARY},
#include "proto/describe/palettes.def"
#undef PALETTE
};

const struct palette *palette_of(const struct pe_output *output)
{
    bool diverging =
        output->sign == PE_SIGNED && output->scale == PE_LINEAR && output->natural != PE_BOOL8;
    const struct palette *palette = palettes;

    while (palette->diverging != diverging)
        palette++;
    return palette;
}

void palette_write_all(struct buffer *out)
{
    for (size_t i = 0; i < sizeof palettes / sizeof palettes[0]; i++) {
        const struct palette *palette = &palettes[i];

        buffer_add_format(out,
                          "%s{\"name\":\"%s\",\"kind\":\"%s\",\"doc\":", i == 0 ? "[" : ",",
                          palette->name, palette->diverging ? "diverging" : "sequential");
        buffer_add_json(out, palette->summary, strlen(palette->summary));
        buffer_add_text(out, "}");
    }
    buffer_add_text(out, "]");
}
