/* SPDX-License-Identifier: Apache-2.0
 * float_text_bound.c - bounds of parameters as text. */
#include <stdio.h>
#include <string.h>

#include "core/text/float_text.h"

char *float_text_bound(char *out, double value)
{
    enum { ZEROS = 10 };
    char *end = float_text_f64(out, value);
    size_t len = (size_t)(end - out), zeros = 0;

    if (memchr(out, '.', len) || memchr(out, 'e', len))
        return end;
    while (zeros < len && out[len - 1 - zeros] == '0')
        zeros++;
    if (zeros < ZEROS)
        return end;
    end -= zeros;
    return end + snprintf(end, zeros, "e%zu", zeros);
}
