/* SPDX-License-Identifier: Apache-2.0
 * compute.h - makes an answer at once: fills a plan and encodes it into one block of bytes.
 * Touches nothing but its arguments, so it runs on a loop's thread or on the pool's. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"
#include "proto/http/format.h"
#include "proto/request/request.h"
#include "server/cache/cache.h"

enum compute_result { COMPUTE_DONE, COMPUTE_TOO_LONG, COMPUTE_NO_MEMORY, COMPUTE_STOPPED };

struct compute {
    struct encoder *encoder;    /* borrowed */
    uint64_t elements;          /* elements of the plan: a first guess at the length of text */
    size_t limit;               /* most bytes of the answer */
    size_t step;                /* bytes of one read (compute_step); 0: all */
    const struct pe_stop *stop; /* checked between reads; may be NULL */
    /* The answer, whose length is known, goes into a file of these if one can be made. NULL: it
     * goes to `bytes`. */
    struct body_file_budget *files;
    enum compute_result result;
    char *bytes; /* DONE: the answer; TOO_LONG: its first bytes, the encoder has the rest */
    struct body_file *file; /* DONE: has the answer, in place of `bytes`; NULL: none */
    size_t len;
    size_t identity_len; /* the bytes are gzip of so many bytes; 0: they are not compressed */
    uint64_t started, ns;
    bool is_timed;    /* set by the caller: fill_ns is wanted */
    uint64_t fill_ns; /* of `ns`, in which numbers were computed, and not written */
    bool cheap;       /* quick to compute again, with its plan; set by the caller */
};

/* Work that takes longer is for the pool, not for the thread of a loop. */
#define COMPUTE_INLINE_NS 1e6

void compute_run(struct compute *compute);
/* compute_file.c: as compute_run does it with `files`. False: no file can be made, and nothing
 * was read. */
bool compute_to_file(struct compute *compute);

/* Returns the cost of filling and encoding the whole plan, in operations (roughly ns). */
double compute_cost_ns(const struct pe_plan *plan, const struct request_options *options);
/* The same, of text as far as its first `limit` bytes. */
double compute_limited_cost_ns(const struct pe_plan *plan,
                               const struct request_options *options, size_t limit);
/* Returns roughly the nanoseconds of planning and computing a request without a plan. An answer
 * that is surely longer than `limit` is only planned; with a limit of 0 each answer is. Takes a
 * short time itself: where planning takes more than a millisecond and lists are long it is
 * twice that, whatever the answer's size, for which they may have to be read. */
double compute_unplanned_cost_ns(const struct request *request, size_t limit);
/* Returns the operations allowed before an answer's first byte: 2 * 10^9 for each second. */
double compute_most_operations(uint64_t work_timeout_ms);
size_t compute_element_size(const struct pe_plan *plan); /* bytes of its smallest element */
/* Returns the bytes whose elements take about `operations`, at least FORMAT_MIN_CAPACITY. */
size_t compute_step(const struct pe_plan *plan, double operations);
/* Returns bytes that the answer does not exceed, unless they are `limit`. It is no picture. */
uint64_t compute_most_bytes(const struct encoder *encoder, const struct pe_plan *plan,
                            uint64_t limit);
/* True: the answer has more than `limit` bytes; a number has at least two with its comma. */
bool compute_surely_longer(const struct encoder *encoder, uint64_t elements, size_t limit);
