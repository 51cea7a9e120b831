/* SPDX-License-Identifier: Apache-2.0
 * text_limit.c - counts text beside core's count of elements, and suggests what would fit. */
#include "proto/request/text_limit.h"

#include <inttypes.h>

/* Counts the rows and columns of tensors without elements, which are text too ("[],[],...",
 * names of columns). */
static uint64_t empty_cells(const struct pe_plan *plan)
{
    uint64_t cells = 0;

    for (size_t i = 0; i < pe_plan_tensor_count(plan); i++) {
        const struct pe_tensor_info *tensor = pe_plan_tensor(plan, i);
        uint64_t leading = 1;
        size_t axis = 0;

        while (axis < tensor->rank && tensor->dims[axis] > 0) {
            if (__builtin_mul_overflow(leading, tensor->dims[axis], &leading))
                return UINT64_MAX;
            axis++;
        }
        if (axis < tensor->rank && (__builtin_add_overflow(cells, leading, &cells) ||
                                    __builtin_add_overflow(cells, tensor->cols, &cells)))
            return UINT64_MAX;
    }
    return cells;
}

enum pe_status text_limit_check_text(const struct pe_plan *plan, uint64_t limit,
                                     struct pe_errors *errors)
{
    uint64_t cells = empty_cells(plan);
    size_t before = errors->count;

    if (cells <= limit)
        return PE_OK;
    pe_fail(errors, PE_TOO_LARGE, NULL,
            "the answer has no elements, but %" PRIu64 " rows and columns; at most %" PRIu64
            " are written as text",
            cells, limit);
    if (errors->count > before) {
        errors->at[before].limit = limit;
        errors->at[before].requested = cells;
    }
    return PE_TOO_LARGE;
}

void text_limit_hint(const struct format *format, size_t tensors, uint64_t max_elements,
                     struct pe_errors *errors)
{
    struct pe_problem *last = errors->count > 0 ? &errors->at[errors->count - 1] : NULL;

    if (!last || last->status != PE_TOO_LARGE || last->hint[0] != '\0')
        return;
    if (format->binary || last->requested > max_elements)
        pe_hint(errors, "ask for fewer positions, or in several parts");
    else if (format->instead)
        pe_hint(errors, "%s, or ask for fewer positions", format->instead);
    else
        pe_hint(errors, "use format=%s, or ask for fewer positions",
                format_binary(tensors)->name);
}
