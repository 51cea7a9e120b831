/* SPDX-License-Identifier: Apache-2.0
 * json_whole.c - see json_whole.h. Neighbouring doubles below 2^64 are at most 2,048 apart, so
 * that a rest fits 16 bits. */
#include "proto/text/json_whole.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "core/text/whole_text.h"

int16_t json_whole_rest(const char *text, size_t len, double value)
{
    uint64_t size;

    if (whole_text_is_exact(text, len, value))
        return 0;
    if (!whole_text_read(text, len, &size))
        return JSON_WHOLE_FRACTION;
    const int16_t rest = (int16_t)(int64_t)(size - (uint64_t)fabs(value));
    return value < 0 ? (int16_t)-rest : rest;
}

bool json_whole_get(const struct json_body_value *value, size_t i, int64_t *whole)
{
    const double near = value->kind == JSON_BODY_NUMBER ? value->number : value->numbers[i];
    const int16_t rest = value->rests ? value->rests[i] : 0;

    if (!(fabs(near) <= 0x1p63) || near != floor(near) || rest == JSON_WHOLE_FRACTION)
        return false;
    if (near < 0x1p63)
        return !__builtin_add_overflow((int64_t)near, rest, whole);
    if (rest >= 0) /* 2^63 itself is beyond int64 */
        return false;
    *whole = INT64_MAX + (rest + 1);
    return true;
}

bool json_whole_length(const struct json_body_value *value, size_t i, uint64_t *length)
{
    int64_t whole;

    if (!json_whole_get(value, i, &whole) || whole < 0 || whole > INT64_C(1) << 53)
        return false;
    *length = (uint64_t)whole;
    return true;
}

const char *json_whole_print(const struct json_body_value *value, size_t i,
                             char text[JSON_WHOLE_TEXT_SIZE])
{
    const double near = value->kind == JSON_BODY_NUMBER ? value->number : value->numbers[i];
    const int16_t rest = value->rests ? value->rests[i] : 0;
    const double size = fabs(near);

    if (rest == JSON_WHOLE_FRACTION)
        snprintf(text, JSON_WHOLE_TEXT_SIZE, "a fraction near %.17g", near);
    else if (!(size < 0x1p64) || near != floor(near))
        snprintf(text, JSON_WHOLE_TEXT_SIZE, "%.17g", near);
    else
        snprintf(text, JSON_WHOLE_TEXT_SIZE, "%s%" PRIu64, near < 0 ? "-" : "",
                 (uint64_t)size + (uint64_t)(int64_t)(near < 0 ? -rest : rest));
    return text;
}
