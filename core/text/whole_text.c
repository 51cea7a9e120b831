/* SPDX-License-Identifier: Apache-2.0
 * whole_text.c - see whole_text.h. */
#include "core/text/whole_text.h"

#include <math.h>

enum { EXPONENT_MAX = 100000 }; /* of texts that mean 0, or 2^64 and above */

/* Returns the exponent behind the letter at text[at], cut to +-EXPONENT_MAX. */
static int64_t read_exponent(const char *text, size_t len, size_t at)
{
    int64_t exponent = 0;
    bool minus = false;

    for (at++; at < len; at++)
        if (text[at] == '-' || text[at] == '+')
            minus = text[at] == '-';
        else if (exponent < EXPONENT_MAX)
            exponent = 10 * exponent + (text[at] - '0');
    return minus ? -exponent : exponent;
}

/* Appends one digit; returns false beyond 2^64. */
static bool append(uint64_t *size, unsigned digit)
{
    return !__builtin_mul_overflow(*size, 10, size) &&
           !__builtin_add_overflow(*size, digit, size);
}

bool whole_text_read(const char *text, size_t len, uint64_t *size)
{
    size_t end = 0, point;
    int64_t places; /* digits before the point, once the exponent has moved it */

    while (end < len && (text[end] | 0x20) != 'e')
        end++;
    for (point = 0; point < end && text[point] != '.';)
        point++;
    places = (int64_t)point - (len > 0 && text[0] == '-');
    places += end < len ? read_exponent(text, len, end) : 0;
    *size = 0;
    for (size_t at = len > 0 && text[0] == '-'; at < end; at++) {
        if (text[at] == '.')
            continue;
        if (places-- > 0 ? !append(size, (unsigned)(text[at] - '0')) : text[at] != '0')
            return false;
    }
    for (; places > 0 && *size > 0; places--)
        if (!append(size, 0))
            return false;
    return true;
}

bool whole_text_is_exact(const char *text, size_t len, double value)
{
    const double most = fabs(value);
    uint64_t size;

    if (most < 0x1p53 || most >= 0x1p64)
        return true;
    return whole_text_read(text, len, &size) && size == (uint64_t)most;
}
