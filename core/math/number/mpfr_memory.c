/* SPDX-License-Identifier: Apache-2.0
 * mpfr_memory.c - allocates and frees several times the memory that MPFR needs here (numbers of
 * 512 bits, their powers, the constants of its thread: some kilobytes in all). */
#include "core/math/number/mpfr_memory.h"

#include <assert.h>
#include <mpfr.h>
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

static _Thread_local size_t holders; /* as MPFR's constants are those of a thread */

void mpfr_memory_drop_constants(void)
{
    if (holders == 0)
        mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
}

void mpfr_memory_hold_constants(void)
{
    holders++;
}

void mpfr_memory_release_constants(void)
{
    assert(holders > 0);
    holders--;
    mpfr_memory_drop_constants();
}
