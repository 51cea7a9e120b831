/* SPDX-License-Identifier: Apache-2.0
 * zip_number.c - see zip_number.h. */
#include "proto/tensors/zip_number.h"

uint64_t zip_number_read(const unsigned char *bytes, size_t len)
{
    uint64_t number = 0;

    for (size_t i = len; i > 0; i--)
        number = number << 8 | bytes[i - 1];
    return number;
}
