/* SPDX-License-Identifier: Apache-2.0
 * request_plan.c - sizes and prepares the response of a checked request under the limits of its
 * format. Text is counted beside core's count of elements. */
#include <assert.h>
#include <inttypes.h>

#include "core/plan/plan_size.h"
#include "proto/http/format.h"
#include "proto/request/request_internal.h"

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

/* Refuses tensors without elements that have more than `limit` rows and columns as text. */
static enum pe_status check_empty(const struct pe_plan *plan, uint64_t limit,
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

/* Adds a hint that says what would fit, if the last problem is PE_TOO_LARGE without one.
 * tensors is the response's number of tensors, max_elements the limit of a binary format. */
static void add_hint(const struct format *format, size_t tensors, uint64_t max_elements,
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

uint64_t request_elements(const struct request *request)
{
    return pe_args_elements(request->args);
}

enum pe_status request_plan(const struct request *request, struct pe_plan **plan,
                            struct pe_table *table, const struct request_limits *limits,
                            struct pe_errors *errors)
{
    const struct format *format = request->options.format;
    struct pe_limits allowed = {.max_elements = limits->max_elements,
                                .max_prepared = limits->max_prepared,
                                .reserve = limits->reserve,
                                .context = limits->context,
                                .brief = limits->brief,
                                .max_operations = limits->max_operations,
                                .stop = limits->stop};
    struct pe_plan *made = NULL;
    size_t wanted[PE_MAX_OUTPUTS];

    assert(request->key);
    const bool text = !format->binary && !format->picture; /* a picture has limits of its own */
    if (text && limits->max_text_elements < allowed.max_elements)
        allowed.max_elements = limits->max_text_elements;
    size_t before = errors->count;
    enum pe_status status = pe_plan_new(&made, request->args, table, &allowed, errors);
    if (status == PE_OK && text)
        status = check_empty(made, allowed.max_elements, errors);
    if (status == PE_OK && format->check)
        status = format->check(made, request, errors);
    if (status != PE_OK) {
        add_hint(format, pe_args_wanted(request->args, wanted), limits->max_elements, errors);
        request_check_mark(request, errors, before);
        pe_plan_free(made);
        return status;
    }
    *plan = made;
    return PE_OK;
}
