/* SPDX-License-Identifier: Apache-2.0
 * png.c - a response that is the PNG picture of one tensor (picture.h). */
#include <stdlib.h>

#include "proto/output/picture.h"
#include "proto/output/picture_check.h"
#include "proto/pictures/png_writer.h"

struct png {
    struct picture *picture;
    bool begun;
    char warning[PICTURE_WARNING_SIZE];
};

static enum pe_status check(const struct pe_plan *plan, const struct request *request,
                            struct pe_errors *errors)
{
    const struct option_values *options = &request_options(request)->values;

    if (options->has_range &&
        picture_map(pe_plan_tensor(plan, 0), options)->kind == COLOUR_MAP_KIND_TRUTH)
        return pe_fail(errors, PE_CONFLICT, "range",
                       "has no effect on truth values; leave it out, or give another cmap");
    return picture_check(plan, 0, format_png.name, (unsigned)options->value[OPTION_CELL],
                         errors);
}

static enum pe_status begin(struct encoder *encoder)
{
    struct png *png = calloc(1, sizeof *png);

    if (!png)
        return PE_NO_MEMORY;
    encoder->state = png;
    png->picture =
        picture_new(encoder, 0, (unsigned)encoder->options.values.value[OPTION_CELL]);
    return png->picture ? PE_OK : PE_NO_MEMORY;
}

static size_t png_read_bytes(struct encoder *encoder, char *out, size_t capacity)
{
    struct png *png = encoder->state;
    uint64_t beyond = 0;

    if (!png->begun)
        picture_begin(encoder, png->picture, &beyond);
    if (beyond > 0)
        picture_warn(encoder, beyond, encoder_elements(pe_plan_tensor(encoder->plan, 0)),
                     png->warning);
    png->begun = true;
    return picture_read(encoder, png->picture, out, capacity);
}

static void end(struct encoder *encoder)
{
    struct png *png = encoder->state;

    if (png)
        picture_free(png->picture);
    free(png);
}

static const char *const accepts[] = {"image/png", NULL};

const struct format format_png = {
    .name = "png",
    .media_type = "image/png",
    .accepts = accepts,
    .extension = "png",
    .summary = "a picture of one tensor: a cell an element, colours by value",
    .wire_version = 1,
    .wire_tag = PNG_WRITER_TAG,
    .single = true,
    .picture = true,
    .operations = 1e6,
    .check = check,
    .read = png_read_bytes,
    .begin = begin,
    .end = end,
};
