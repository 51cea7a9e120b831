/* SPDX-License-Identifier: Apache-2.0
 * core_random.c - Steele, Lea and Flood's SplitMix (2014): one addition and a mix a draw. */
#include "tests/support/core_random.h"

uint64_t core_random_bits(struct core_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

int64_t core_random_whole(struct core_random *random, int64_t low, int64_t high)
{
    return low + (int64_t)(core_random_bits(random) % ((uint64_t)(high - low) + 1));
}

double core_random_real(struct core_random *random, double low, double high)
{
    return low + (high - low) * ((double)(core_random_bits(random) >> 11) * 0x1p-53);
}
