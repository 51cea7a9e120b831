/* SPDX-License-Identifier: Apache-2.0
 * json_got.c - see json_got.h. */
#include "proto/text/json_got.h"

#include <stdio.h>

#include "proto/text/json_whole.h"

_Static_assert((int)JSON_GOT_SIZE >= (int)JSON_WHOLE_TEXT_SIZE, "space to write one number");

const char *json_got(const struct json_body_value *value, char text[JSON_GOT_SIZE])
{
    switch (value->kind) {
    case JSON_BODY_NUMBER:
        return json_whole_print(value, 0, text);
    case JSON_BODY_BOOL:
        return value->flag ? "true" : "false";
    case JSON_BODY_STRING:
        snprintf(text, JSON_GOT_SIZE, "%.40s%s", value->text,
                 value->text_len > 40   ? "..."
                 : value->text_len == 0 ? "an empty text"
                                        : "");
        break;
    case JSON_BODY_NUMBERS:
        snprintf(text, JSON_GOT_SIZE, "an array of %zu numbers", value->rows * value->cols);
        break;
    case JSON_BODY_OBJECT:
        return "an object";
    case JSON_BODY_NULL:
        return "null";
    case JSON_BODY_OTHER:
        return "an array of other things than numbers";
    }
    return text;
}
