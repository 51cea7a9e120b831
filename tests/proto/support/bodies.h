/* SPDX-License-Identifier: Apache-2.0
 * bodies.h - long JSON bodies. */
#pragma once

#include <stddef.h>

/* Returns "before0,1,2,...,count-1behind", to be freed. */
char *bodies_count_up(const char *before, size_t count, const char *behind);
