/* SPDX-License-Identifier: Apache-2.0
 * json_run.c - reads a run of numbers, which needs no step of the grammar for each byte. */
#include "proto/text/json_run.h"

#include "proto/text/json_array.h"
#include "proto/text/json_step.h"

size_t json_run_numbers(struct json_scan *scan, const char *at, const char *end)
{
    const char *next = at;
    double last = 0;
    size_t count = json_array_put_list(scan, at, end, &next);

    if (scan->verdict != JSON_SCAN_OK)
        return 0;
    const char *behind = next;
    if (json_numbers_f64(next, end, &last, &behind) == JSON_NUMBERS_OK) {
        scan->token_place = json_scan_here(scan); /* the place of a number over a limit */
        if (!json_array_put_text(scan, last, next, (size_t)(behind - next)))
            return 0;
        scan->offset += (uint64_t)(behind - next);
        json_step_go(scan, STEP_AFTER);
        return (size_t)(behind - at);
    }
    if (count > 0)
        json_step_go(scan, STEP_VALUE);
    return (size_t)(next - at);
}
