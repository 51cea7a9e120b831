/* SPDX-License-Identifier: Apache-2.0
 * alloc_fail.c - the wrappers that --wrap=malloc and its kin ask for. */
#include "tests/support/alloc_fail.h"

#include <libdeflate.h>
#include <stdlib.h>

static _Thread_local struct {
    bool on, failed;
    size_t left; /* allocations before the one that fails */
    long live;
    size_t largest;
} window;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_reallocarray(void *memory, size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *memory);
struct libdeflate_compressor *__real_libdeflate_alloc_compressor(int level);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_reallocarray(void *memory, size_t count, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *memory);
struct libdeflate_compressor *__wrap_libdeflate_alloc_compressor(int level);

void alloc_fail_start(size_t n)
{
    window.on = true;
    window.failed = false;
    window.left = n;
    window.live = 0;
    window.largest = 0;
}

bool alloc_fail_stop(void)
{
    window.on = false;
    return window.failed;
}

long alloc_fail_live(void)
{
    return window.live;
}

size_t alloc_fail_largest(void)
{
    return window.largest;
}

static bool fails(size_t size)
{
    if (window.on && size > window.largest)
        window.largest = size;
    if (!window.on || window.failed || window.left-- > 0)
        return false;
    window.failed = true;
    return true;
}

static void *note(void *memory)
{
    window.live += window.on && memory;
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return fails(size) ? NULL : note(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails(count * size) ? NULL : note(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size)
{
    if (fails(size))
        return NULL;
    return memory ? __real_realloc(memory, size) : note(__real_realloc(memory, size));
}

void *__wrap_reallocarray(void *memory, size_t count, size_t size)
{
    void *moved;

    if (fails(count * size))
        return NULL;
    moved = __real_reallocarray(memory, count, size);
    return memory ? moved : note(moved);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails(size) ? NULL : note(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void *memory)
{
    window.live -= window.on && memory;
    __real_free(memory);
}

/* The function allocates inside its library. */
struct libdeflate_compressor *__wrap_libdeflate_alloc_compressor(int level)
{
    return fails(0) ? NULL : __real_libdeflate_alloc_compressor(level);
}
