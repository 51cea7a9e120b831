/* SPDX-License-Identifier: Apache-2.0
 * heap.h - settings of the C library's heap, where it has any: glibc's has, musl's has not. */
#pragma once

/* A request allocates and frees some kilobytes: the heap must not grow and shrink with each,
 * nor merge its small blocks whenever a large one is allocated. */
void heap_set(int threads);
/* Gives free memory back to the system, which takes milliseconds: called by a thread of the
 * pool (heap_trim.h), and when memory is short (overload_sample_memory). */
void heap_give_back(void);
