/* SPDX-License-Identifier: Apache-2.0
 * whole_text.h - a whole number in decimal; printf takes ten times as long. */
#ifndef PROTO_TEXT_WHOLE_TEXT_H
#define PROTO_TEXT_WHOLE_TEXT_H

#include <stdint.h>

enum { WHOLE_TEXT_MAX = 20 };

/* Returns the end; no NUL. */
static inline char *whole_text(char *out, uint64_t number)
{
    char reversed[WHOLE_TEXT_MAX];
    int count = 0;
    do
        reversed[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count > 0)
        *out++ = reversed[--count];
    return out;
}

#endif
