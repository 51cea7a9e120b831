/* SPDX-License-Identifier: Apache-2.0
 * alloc_fail.h - lets one chosen allocation of this thread fail, and counts what is still
 * held. The runners are linked with --wrap for malloc, calloc, realloc, reallocarray,
 * aligned_alloc and free: calls from our objects pass through these wrappers, calls inside
 * shared libraries do not. The making of a compressor of libdeflate can fail too; it is not
 * counted as held. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* From now on this thread's allocations are counted, and number n of them (from 0) returns
 * NULL. Use no check macro before alloc_fail_stop: check allocates too. */
void alloc_fail_start(size_t n);
/* Ends the window. True when allocation number n was asked for, so that a larger n can reach a
 * further one. */
bool alloc_fail_stop(void);
/* Allocations since alloc_fail_start that are not freed yet; after alloc_fail_stop those of the
 * window that ended. */
long alloc_fail_live(void);

/* Bytes of the largest allocation asked for in the window. */
size_t alloc_fail_largest(void);
