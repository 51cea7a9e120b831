/* SPDX-License-Identifier: Apache-2.0
 * picture_check.c - see picture_check.h. */
#include "proto/output/picture_check.h"

#include <inttypes.h>
#include <string.h>

#include "proto/pictures/raster.h"
#include "proto/text/buffer.h"

/* Returns whether the axis is named as the parameter that decides its length, as 0:128. */
static bool is_positions(const struct pe_encoding *enc, const char *axis)
{
    const struct pe_param *param = axis ? pe_param_find(enc, axis, strlen(axis)) : NULL;

    return param && param->type == PE_POSITIONS;
}

/* Returns the tensor with at most `len` positions in each axis of positions. */
static struct pe_tensor_info shortened(const struct pe_encoding *enc,
                                       const struct pe_tensor_info *tensor, uint64_t len)
{
    struct pe_tensor_info made = *tensor;

    made.rows = made.cols = 1;
    for (size_t axis = 0; axis < made.rank; axis++) {
        made.rows *= made.cols;
        if (len < made.dims[axis] && is_positions(enc, tensor->output->axes[axis]))
            made.dims[axis] = len;
        made.cols = made.dims[axis];
    }
    return made;
}

/* Returns the greatest number of positions with which the picture fits; 0: none. */
static uint64_t fitting(const struct pe_encoding *enc, const struct pe_tensor_info *tensor)
{
    uint64_t fits = 0, too_many = RASTER_SIDE_MAX + 1;

    while (too_many - fits > 1) {
        const uint64_t len = (fits + too_many) / 2;
        const struct pe_tensor_info made = shortened(enc, tensor, len);
        const struct raster raster = raster_new(&made, 1);

        if (raster_fits(&raster))
            fits = len;
        else
            too_many = len;
    }
    return fits;
}

/* Writes ": ask for fewer positions, as q=0:4096&k=0:4096", or nothing where positions do not
 * help. */
static void write_advice(const struct pe_plan *plan, size_t index, struct buffer *text)
{
    const struct pe_encoding *enc = pe_args_encoding(pe_plan_args(plan));
    const struct pe_tensor_info *tensor = pe_plan_tensor(plan, index);
    const uint64_t most = fitting(enc, tensor);
    const char *before = ": ask for fewer positions, as ";

    for (size_t axis = 0; most > 0 && axis < tensor->rank; axis++) {
        const char *name = tensor->output->axes[axis];

        if (tensor->dims[axis] <= most || !is_positions(enc, name))
            continue;
        buffer_add_format(text, "%s%s=0:%" PRIu64, before, name, most);
        before = "&";
    }
}

bool picture_check_fits(const struct pe_tensor_info *tensor, unsigned cell)
{
    const struct raster raster = raster_new(tensor, cell);

    return raster.width > 0 && raster.height > 0 && raster_fits(&raster);
}

enum pe_status picture_check(const struct pe_plan *plan, size_t index, const char *format,
                             unsigned cell, struct pe_errors *errors)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(plan, index);
    struct raster raster = raster_new(tensor, cell);
    unsigned fits = cell;
    struct buffer advice = {0};

    if (raster.width == 0 || raster.height == 0)
        return pe_fail(errors, PE_CONFLICT, "format",
                       "must not be %s without elements: a picture has at least one pixel",
                       format);
    while (!raster_fits(&raster) && --fits > 0)
        raster = raster_new(tensor, fits);
    if (fits == cell)
        return PE_OK;
    if (fits > 0)
        return pe_fail(
            errors, PE_CONFLICT, "cell",
            "must be at most %u here: a picture has at most %d pixels a side; got %u", fits,
            RASTER_SIDE_MAX, cell);
    write_advice(plan, index, &advice);
    pe_fail(errors, PE_CONFLICT, "format",
            "must not be %s: a picture has at most %d cells a side, and %s has more%.*s",
            format, RASTER_SIDE_MAX, tensor->output->name, (int)advice.len,
            advice.len > 0 ? advice.bytes : "");
    buffer_fini(&advice);
    return PE_CONFLICT;
}
