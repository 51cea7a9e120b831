/* SPDX-License-Identifier: Apache-2.0
 * black_box.h - one posencd for a suite and one libcurl handle for a test. */
#pragma once

#include <jansson.h>

#include "tests/support/suite.h"
#include "tests/support/web.h"

void black_box_start(void), black_box_stop(void), black_box_open(void), black_box_close(void);
/* The fields of a suite whose posencd is started before its first test and stopped after its
 * last, and whose tests have a libcurl handle each. */
#define BLACK_BOX                                                                              \
    .begin = black_box_start, .end = black_box_stop, .setup = black_box_open,                  \
    .teardown = black_box_close, .timeout = 60
/* The running posencd of these tests. */
struct web *black_box_web(void);
unsigned black_box_port(void);

/* The body as JSON; fails the test if it is none. The reference is the caller's. */
json_t *black_box_json(const struct answer *answer);
/* Fails the test, with the status and media type that came, unless both are as expected. */
void black_box_expect(struct answer *answer, long status, const char *media_type);
/* An RFC 9457 problem with this status and slug; returns it (the caller's reference). */
json_t *black_box_problem(struct answer *answer, long status, const char *slug);
