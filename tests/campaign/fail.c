/* SPDX-License-Identifier: Apache-2.0
 * fail.c - the mapped page, and memory; see fail.h. */
#include "tests/campaign/fail.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static struct control *control;

__attribute__((constructor)) static void map_control(void)
{
    const char *path = getenv("POSENC_FAIL");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *at = fd < 0 ? MAP_FAILED
                      : mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    if (fd >= 0)
        close(fd);
    if (at != MAP_FAILED)
        control = at;
}

int fail_error(void)
{
    return control ? (int)atomic_load(&control->error) : 0;
}

int fail_now(enum kind kind)
{
    int64_t left;

    if (!control)
        return 0;
    atomic_fetch_add(&control->calls[kind], 1);
    if (atomic_load(&control->kind) != kind)
        return 0;
    left = atomic_load(&control->countdown);
    while (left > 0 && !(left == 1 && atomic_load(&control->sticky)))
        if (atomic_compare_exchange_weak(&control->countdown, &left, left - 1))
            break;
    if (left != 1)
        return 0;
    atomic_fetch_add(&control->fired, 1);
    return (int)atomic_load(&control->error);
}

/* ---- memory ------------------------------------------------------------------------------ */

/* glibc's own names: there is nothing to look up, so nothing that allocates. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static void *count_live(void *block)
{
    if (block && control)
        atomic_fetch_add(&control->live, 1);
    return block;
}

static void *no_memory(void)
{
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t size)
{
    return fail_now(ALLOCATE) ? no_memory() : count_live(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return fail_now(ALLOCATE) ? no_memory() : count_live(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size)
{
    void *moved;

    if (fail_now(ALLOCATE))
        return no_memory();
    moved = __libc_realloc(block, size);
    return block ? moved : count_live(moved);
}

/* glibc's own would call its realloc past ours. */
void *reallocarray(void *block, size_t count, size_t size)
{
    size_t bytes;

    return __builtin_mul_overflow(count, size, &bytes) ? no_memory() : realloc(block, bytes);
}

void *memalign(size_t alignment, size_t size)
{
    return fail_now(ALLOCATE) ? no_memory() : count_live(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    void *made = memalign(alignment, size);

    if (!made)
        return ENOMEM;
    *block = made;
    return 0;
}

void free(void *block)
{
    if (block && control)
        atomic_fetch_sub(&control->live, 1);
    __libc_free(block);
}
