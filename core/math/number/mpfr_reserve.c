/* SPDX-License-Identifier: Apache-2.0
 * mpfr_reserve.c - a memory reserve for GMP and MPFR, which end the process when an allocation
 * fails: units of a static array, allocated first fit. mpfr_memory_available asked for more
 * memory just before, yet another thread may take it in between; so the reserve serves a few
 * blocks for a few microseconds. For programs: the allocation functions of GMP are global to
 * the process. */
#include <assert.h>
#include <gmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/posenc.h"

enum { UNIT = 64, UNITS = 8192 };

static struct {
    _Alignas(UNIT) unsigned char bytes[UNITS * UNIT];
    bool taken[UNITS];
    atomic_flag busy;
} reserve = {.busy = ATOMIC_FLAG_INIT};

static size_t units_of(size_t size)
{
    return size / UNIT + 1;
}

static bool is_reserved(const void *block)
{
    const unsigned char *at = block;

    return at >= reserve.bytes && at < reserve.bytes + sizeof reserve.bytes;
}

static void mark(size_t first, size_t count, bool taken)
{
    memset(reserve.taken + first, taken, count);
}

static void *reserve_take(size_t size)
{
    const size_t count = units_of(size);
    size_t run = 0, at = 0;

    while (atomic_flag_test_and_set_explicit(&reserve.busy, memory_order_acquire))
        ;
    while (at < UNITS && run < count)
        run = reserve.taken[at++] ? 0 : run + 1;
    if (run == count)
        mark(at - count, count, true);
    atomic_flag_clear_explicit(&reserve.busy, memory_order_release);
    assert(run == count); /* returning NULL would not help: MPFR does not check */
    return reserve.bytes + (at - count) * UNIT;
}

static void reserve_give(const void *block, size_t size)
{
    const size_t first = (size_t)((const unsigned char *)block - reserve.bytes) / UNIT;

    while (atomic_flag_test_and_set_explicit(&reserve.busy, memory_order_acquire))
        ;
    mark(first, units_of(size), false);
    atomic_flag_clear_explicit(&reserve.busy, memory_order_release);
}

/* ---- what GMP calls ---------------------------------------------------------------------- */

static void *allocate(size_t size)
{
    void *block = malloc(size);

    return block ? block : reserve_take(size);
}

static void release(void *block, size_t size)
{
    if (is_reserved(block))
        reserve_give(block, size);
    else
        free(block);
}

static void *reallocate(void *block, size_t old, size_t size)
{
    void *moved = is_reserved(block) ? NULL : realloc(block, size);

    if (moved)
        return moved;
    moved = allocate(size);
    memcpy(moved, block, old < size ? old : size);
    release(block, old);
    return moved;
}

void pe_reserve_init(void)
{
    mp_set_memory_functions(allocate, reallocate, release);
}
