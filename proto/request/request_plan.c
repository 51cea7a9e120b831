/* SPDX-License-Identifier: Apache-2.0
 * request_plan.c - sizes and prepares the response of a checked request under the limits of its
 * format. */
#include <assert.h>

#include "core/plan/plan_size.h"
#include "proto/http/format.h"
#include "proto/request/request_internal.h"
#include "proto/request/text_limit.h"

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
        status = text_limit_check_text(made, allowed.max_elements, errors);
    if (status == PE_OK && format->check)
        status = format->check(made, request, errors);
    if (status != PE_OK) {
        text_limit_hint(format, pe_args_wanted(request->args, wanted), limits->max_elements,
                        errors);
        request_check_mark(request, errors, before);
        pe_plan_free(made);
        return status;
    }
    *plan = made;
    return PE_OK;
}
