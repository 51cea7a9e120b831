/* SPDX-License-Identifier: Apache-2.0
 * zip_number.h - the numbers of a ZIP archive: little-endian, of up to 8 bytes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

static inline uint64_t zip_number_read(const unsigned char *bytes, size_t len)
{
    uint64_t number = 0;

    for (size_t i = len; i > 0; i--)
        number = number << 8 | bytes[i - 1];
    return number;
}
