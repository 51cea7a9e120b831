/* SPDX-License-Identifier: Apache-2.0
 * compute.h - an answer that is made in one go: plan filled, encoded, one block of bytes.
 * Touches nothing but what it is given, so it runs on a loop's thread or on the pool's. */
#ifndef SERVER_COMPUTE_H
#define SERVER_COMPUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"
#include "proto/http/format.h"
#include "server/cache/cache.h"

enum compute_result { COMPUTE_DONE, COMPUTE_TOO_LONG, COMPUTE_NO_MEMORY, COMPUTE_STOPPED };

struct compute {
    struct encoder *encoder;    /* borrowed */
    uint64_t elements;          /* of the plan: a first guess at the length of text */
    size_t limit;               /* bytes of the answer */
    size_t step;                /* bytes that are read in one go (compute_step); 0: all */
    const struct pe_stop *stop; /* looked at between them; may be NULL */
    enum compute_result result;
    char *bytes; /* DONE: the answer; TOO_LONG: its first bytes, the encoder has the rest */
    size_t len;
    uint64_t started, ns;
    bool cheap; /* quickly made again, plan and all; its caller says so */
};

void compute_run(struct compute *compute);

/* What filling and encoding the whole plan takes, in operations: roughly nanoseconds. */
double compute_cost_ns(const struct pe_plan *plan, const struct format *format);
/* Operations that may be done before the first byte of an answer: 2 * 10^9 for each second. */
double compute_most(uint64_t work_timeout_ms);
size_t compute_element_size(const struct pe_plan *plan); /* of the tensor with the least */
/* Bytes whose elements take about so many operations, at least FORMAT_MIN_ROOM. */
size_t compute_step(const struct pe_plan *plan, double operations);
/* It surely has more than `limit` bytes: no number has less than two with its comma. */
bool compute_surely_longer(const struct encoder *encoder, uint64_t elements, size_t limit);

#endif
