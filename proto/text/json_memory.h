/* SPDX-License-Identifier: Apache-2.0
 * json_memory.h - the memory jansson may take: counted for each thread, refused beyond a
 * budget, so that no document can make a request hold more than its share. */
#ifndef PROTO_TEXT_JSON_MEMORY_H
#define PROTO_TEXT_JSON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

enum { JSON_MEMORY_BUDGET = 24 << 20 }; /* bytes a request may have jansson take */

/* Makes jansson allocate here and seeds its hash tables. Once, in main, before any thread
 * and any other use of jansson. What jansson hands out as text (json_dumps) is then given back
 * by its own free function (json_get_alloc_funcs), not by free(). */
void json_memory_init(void);

/* Until json_memory_end, what this thread's jansson takes counts against `budget` bytes;
 * beyond it jansson is told that memory is out. What was taken may be freed later, on any
 * thread. Not nested. */
void json_memory_begin(size_t budget);

/* The worst result that jansson was given since json_memory_begin. */
enum json_memory { JSON_MEMORY_GIVEN, JSON_MEMORY_OVER_BUDGET, JSON_MEMORY_OUT };

/* Bytes taken and not given back since begin. Unless *worst is JSON_MEMORY_GIVEN, what jansson
 * made meanwhile is worth nothing, even if it reports success: 2.14 does not look whether the
 * text of a token could grow, and goes on with a shorter one. */
size_t json_memory_end(enum json_memory *worst);

#endif
