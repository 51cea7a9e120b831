/* SPDX-License-Identifier: Apache-2.0
 * mpfr_memory.h - MPFR ends the process when it finds no memory. So core checks that there is
 * memory before it calls code that may use MPFR: resolve, check, table_build and prepare of an
 * encoding, and pe_build_alloc in prepare. Without memory the status is PE_NO_MEMORY. */
#pragma once

#include <stdbool.h>

/* Returns true when there is memory for all that one hook computes with MPFR at a time. Any
 * thread may call it. */
bool mpfr_memory_available(void);
/* Frees the constants (pi, ln 2) that MPFR keeps for this thread; what used them calls this.
 * Between mpfr_memory_hold_constants and mpfr_memory_release_constants, which may be nested,
 * they stay: work that computes many numbers would make them again for each. */
void mpfr_memory_drop_constants(void);
void mpfr_memory_hold_constants(void);
void mpfr_memory_release_constants(void);
