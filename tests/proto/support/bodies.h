/* SPDX-License-Identifier: Apache-2.0
 * bodies.h - long JSON bodies. */
#ifndef TESTS_PROTO_SUPPORT_BODIES_H
#define TESTS_PROTO_SUPPORT_BODIES_H

#include <stddef.h>

/* Returns "before0,1,2,...,count-1behind", to be freed. */
char *bodies_count_up(const char *before, size_t count, const char *behind);

#endif
