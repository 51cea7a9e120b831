/* SPDX-License-Identifier: Apache-2.0
 * role_points.c - see role_points.h. */
#include "core/verify/role/role_points.h"

#include <string.h>

#include "core/encoding.h"

enum { COORDINATES_MOST = 4 };

static bool is_taken(const struct pe_verify_role *roles, size_t count,
                     const struct pe_output *output)
{
    for (size_t i = 0; i < count; i++)
        if (roles[i].output == output)
            return true;
    return false;
}

/* Returns whether an output has so many axes, of which the last is that of coordinates. */
static bool is_of_points(const struct pe_output *output, size_t rank)
{
    size_t axes = 0;

    while (axes < PE_MAX_RANK && output->axes[axes])
        axes++;
    return axes == rank && rank > 1 && strcmp(output->axes[rank - 1], "axis") == 0;
}

const struct pe_output *role_points(const struct pe_encoding *enc,
                                    const struct pe_verify_role *roles, size_t count,
                                    const struct pe_tensor *info)
{
    const struct pe_output *found = NULL;
    size_t rank = 0, points = 0;

    for (size_t i = 0; i < info->rank; i++)
        rank += info->dims[i] != 1;
    if (info->rank == 0 || info->dims[info->rank - 1] > COORDINATES_MOST)
        return NULL;
    for (size_t i = 0; i < enc->output_count; i++)
        if (is_of_points(&enc->outputs[i], rank) && !is_taken(roles, count, &enc->outputs[i])) {
            found = &enc->outputs[i];
            points++;
        }
    return points == 1 ? found : NULL;
}
