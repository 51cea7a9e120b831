/* SPDX-License-Identifier: Apache-2.0
 * verify_bits.c - see verify_bits.h. uint16 is kept as int32. */
#include "proto/verify/verify_bits.h"

#include <stdlib.h>
#include <string.h>

enum { SIGN = 0x8000, LEAST = 0x3000, MOST = 0x4080 }; /* bits of bfloat16: 5e-10, 4 */

static uint64_t count_of(const struct tensor *tensor)
{
    return tensor->bytes / sizeof(int32_t);
}

bool verify_bits_are(const struct tensor *tensor)
{
    const int32_t *bits = tensor->data;
    uint64_t usual = 0, zeros = 0;

    if (!tensor->type || strcmp(tensor->type, "u16") != 0 || tensor->info.dtype != PE_I32)
        return false;
    for (uint64_t i = 0; i < count_of(tensor); i++) {
        const int32_t size = bits[i] & ~SIGN;

        if (size > MOST)
            return false;
        usual += size >= LEAST;
        zeros += size == 0;
    }
    return usual > 0 && usual + zeros == count_of(tensor);
}

uint64_t verify_bits_bytes(const struct tensor_set *set)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < set->count; i++)
        if (verify_bits_are(&set->at[i]))
            bytes += count_of(&set->at[i]) * sizeof(uint16_t);
    return bytes;
}

void *verify_bits_make(const struct tensor *tensor)
{
    const int32_t *bits = tensor->data;
    uint16_t *made = malloc(count_of(tensor) * sizeof *made + 1);

    for (uint64_t i = 0; made && i < count_of(tensor); i++)
        made[i] = (uint16_t)bits[i];
    return made;
}
