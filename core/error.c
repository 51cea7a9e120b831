/* SPDX-License-Identifier: Apache-2.0
 * error.c - collects problems, so that a client gets all of them at once. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/encoding.h"

void pe_errors_clear(struct pe_errors *errors)
{
    errors->count = 0;
    errors->dropped = 0;
}

enum pe_status pe_fail(struct pe_errors *errors, enum pe_status status, const char *parameter,
                       const char *format, ...)
{
    struct pe_problem *problem;
    va_list list;

    assert(status != PE_OK);
    if (errors->count == PE_MAX_PROBLEMS) {
        errors->dropped++;
        return status;
    }
    problem = &errors->at[errors->count++];
    problem->status = status;
    problem->hint[0] = '\0';
    problem->limit = problem->requested = 0;
    snprintf(problem->parameter, sizeof problem->parameter, "%s", parameter ? parameter : "");
    va_start(list, format);
    vsnprintf(problem->detail, sizeof problem->detail, format, list);
    va_end(list);
    return status;
}

void pe_hint(struct pe_errors *errors, const char *format, ...)
{
    va_list list;

    if (errors->count == 0 || errors->dropped > 0)
        return;
    va_start(list, format);
    vsnprintf(errors->at[errors->count - 1].hint, sizeof errors->at[0].hint, format, list);
    va_end(list);
}

void pe_note_limit(struct pe_errors *errors, uint64_t limit, uint64_t requested)
{
    if (errors->count == 0 || errors->dropped > 0)
        return;
    assert(errors->at[errors->count - 1].status == PE_TOO_LARGE);
    errors->at[errors->count - 1].limit = limit;
    errors->at[errors->count - 1].requested = requested;
}
