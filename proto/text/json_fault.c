/* SPDX-License-Identifier: Apache-2.0
 * json_fault.c - see json_fault.h. */
#include "proto/text/json_fault.h"

const char *json_fault_says(enum json_error_code code)
{
    if (code == json_error_duplicate_key)
        return "a name stands twice in an object";
    return code == json_error_invalid_utf8 ? "text must be UTF-8" : NULL;
}

size_t json_fault_find(const struct buffer *rest, const json_error_t *error)
{
    size_t at = error->position > 0 ? (size_t)error->position : 0;

    if (json_error_code(error) == json_error_invalid_utf8 || at > rest->len || at < 2)
        return at;
    for (at -= 2; at > 0; at--) {
        size_t escapes = 0;

        while (escapes < at && rest->bytes[at - 1 - escapes] == '\\')
            escapes++;
        if (rest->bytes[at] == '"' && escapes % 2 == 0)
            break;
    }
    return at;
}
