/* SPDX-License-Identifier: Apache-2.0
 * heap.c - see heap.h. The Makefile asks the compiler for the settings (HAVE_MALLOPT). */
#include "server/sys/heap.h"

#ifdef HAVE_MALLOPT
#include <malloc.h>

void heap_set(int threads)
{
    mallopt(M_ARENA_MAX, threads);
    mallopt(M_MXFAST, 0);
    mallopt(M_TOP_PAD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);
    mallopt(M_MMAP_THRESHOLD, 4 << 20); /* longer than any response that is cached */
}

void heap_give_back(void)
{
    malloc_trim(0);
}
#else
void heap_set(int threads)
{
    (void)threads;
}

void heap_give_back(void)
{
}
#endif
