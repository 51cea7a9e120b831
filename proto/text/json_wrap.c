/* SPDX-License-Identifier: Apache-2.0
 * json_wrap.c - see json_wrap.h. */
#include "proto/text/json_wrap.h"

#include <string.h>

#include "proto/text/json_grammar.h"

static const char before[] = "{\"\":", after[] = "}";

enum json_scan_state json_wrap_begin(struct json_wrap *wrap, struct json_scan *scan,
                                     const char *bytes, size_t len)
{
    size_t space = 0;

    while (space < len && memchr(" \t\r\n", bytes[space], 4))
        space++;
    if (wrap->begun || space == len)
        return JSON_SCAN_OK;
    wrap->begun = true;
    wrap->is_array = wrap->takes_array && bytes[space] == '[';
    if (!wrap->is_array)
        return JSON_SCAN_OK;
    const enum json_scan_state state = json_grammar_add(scan, before, sizeof before - 1);
    scan->line_start += sizeof before - 1;
    return state;
}

enum json_scan_state json_wrap_end(const struct json_wrap *wrap, struct json_scan *scan)
{
    return wrap->is_array ? json_grammar_add(scan, after, sizeof after - 1) : JSON_SCAN_OK;
}
