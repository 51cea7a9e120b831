/* SPDX-License-Identifier: Apache-2.0
 * json_memory.h - limits jansson's memory: it is counted for each thread and refused beyond a
 * budget, so that no document can make a request hold more than its share. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { JSON_MEMORY_BUDGET = 24 << 20 }; /* bytes that jansson may take for a request */

/* Makes jansson allocate here and seeds its hash tables. Call it once, in main, before any
 * thread and any other use of jansson. Text that jansson returns (json_dumps) must then be
 * freed by jansson's own free function (json_get_alloc_funcs), not by free(). */
void json_memory_init(void);

/* Counts jansson's memory on this thread until json_memory_end against `budget` bytes; beyond
 * it, jansson's allocations fail. Blocks may be freed later, on any thread. Calls do not
 * nest. */
void json_memory_begin(size_t budget);

/* The worst result of jansson's allocations since json_memory_begin. */
enum json_memory { JSON_MEMORY_GIVEN, JSON_MEMORY_OVER_BUDGET, JSON_MEMORY_OUT };

/* Returns the bytes taken and not freed since json_memory_begin. Unless *worst is
 * JSON_MEMORY_GIVEN, the values that jansson made are invalid, even if it reports success:
 * jansson 2.14 does not check whether the text of a token could grow, and goes on with a
 * shorter one. */
size_t json_memory_end(enum json_memory *worst);
