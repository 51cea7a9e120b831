/* SPDX-License-Identifier: Apache-2.0
 * base64.c - turns three bytes into four characters. */
#include "proto/text/base64.h"

#include <stdint.h>

char *base64_print(char *out, const unsigned char *in, size_t len)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                 "0123456789+/";

    for (; len >= 3; in += 3, len -= 3) {
        uint32_t bits = (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2];

        *out++ = digits[bits >> 18];
        *out++ = digits[bits >> 12 & 63];
        *out++ = digits[bits >> 6 & 63];
        *out++ = digits[bits & 63];
    }
    if (len > 0) {
        uint32_t bits = (uint32_t)in[0] << 16 | (len > 1 ? (uint32_t)in[1] << 8 : 0);

        *out++ = digits[bits >> 18];
        *out++ = digits[bits >> 12 & 63];
        *out++ = len > 1 ? digits[bits >> 6 & 63] : '=';
        *out++ = '=';
    }
    return out;
}
