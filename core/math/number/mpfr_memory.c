/* SPDX-License-Identifier: Apache-2.0
 * mpfr_memory.c - allocates and frees several times the memory that MPFR needs here (numbers of
 * 512 bits, their powers, the constants of its thread: some kilobytes in all). */
#include "core/math/number/mpfr_memory.h"

#include <stddef.h>
#include <stdlib.h>

enum { PROBE_BYTES = 48 << 10 };

bool mpfr_memory_available(void)
{
    /* volatile: without it clang drops both calls and returns true */
    void *volatile probe = malloc(PROBE_BYTES);
    bool available = probe != NULL;

    free(probe);
    return available;
}
