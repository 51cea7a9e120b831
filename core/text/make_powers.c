/* SPDX-License-Identifier: Apache-2.0
 * make_powers.c - prints the tables of core/text/powers.c: powers of ten to 128 bits, and the
 * scale of every float32 exponent. It runs while posenc is built. */
#include <inttypes.h>
#include <stdio.h>

#include "core/text/make_power.h"

int main(void)
{
    static struct power_of_ten powers[POWERS_COUNT];
    static uint64_t scales[POWERS_F32_COUNT];

    make_powers_of_ten(powers);
    make_f32_scales(scales);
    printf("/* Made by core/text/make_powers.c. */\n");
    printf("/* 10^%d ... 10^%d: high and low word. */\n", POWERS_MIN, POWERS_MAX);
    printf("#define POWERS_OF_TEN \\\n");
    for (int i = 0; i < POWERS_COUNT; i++)
        printf("    {0x%016" PRIx64 ", 0x%016" PRIx64 "}, \\\n", powers[i].high, powers[i].low);
    printf("    /* end */\n");
    printf("/* 2^q / 10^(k+1) * 2^64 for the exponent fields 0 ... 254 of float32. */\n");
    printf("#define POWERS_F32_SCALES \\\n");
    for (int i = 0; i < POWERS_F32_COUNT; i++)
        printf("    0x%016" PRIx64 ", \\\n", scales[i]);
    printf("    /* end */\n");
    return 0;
}
