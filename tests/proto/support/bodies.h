/* SPDX-License-Identifier: Apache-2.0
 * bodies.h - JSON bodies for tests of proto/text/json_body.h: malformed ones with their
 * sentences, and long ones. */
#ifndef TESTS_PROTO_SUPPORT_BODIES_H
#define TESTS_PROTO_SUPPORT_BODIES_H

#include <stddef.h>

struct bad_body {
    const char *text, *error;
};

extern const struct bad_body bodies_malformed[];
extern const size_t bodies_malformed_count;

/* Texts behind {"a":[0,...,99 (295 columns), an array that is cut out, with their errors. */
extern const struct bad_body bodies_late[];
extern const size_t bodies_late_count;

/* Returns "before0,1,2,...,count-1behind", to be freed. */
char *bodies_count_up(const char *before, size_t count, const char *behind);

#endif
