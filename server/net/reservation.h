/* SPDX-License-Identifier: Apache-2.0
 * reservation.h - bytes of --max-inflight that one response is made of. They are taken before
 * the bytes are allocated: a buffer whose budget is a reservation takes them as it grows. A
 * response that holds bytes of its own cannot be made without one (response_body.h). The
 * others hold entries, which the cache counts, or bytes that are part of the program.
 *
 * A client must be told its error, and an operator the state of the service, when the budget
 * is used up. So a reservation may have an allowance: bytes that it takes beyond the budget.
 * They are counted as the others are. All connections together can so hold
 * RESERVATION_ALLOWANCE bytes each beyond --max-inflight, and pages of metrics
 * RESERVATION_METRICS_BEYOND bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/text/buffer.h"

struct service;

enum {
    RESERVATION_ALLOWANCE = 16 << 10, /* of a connection: no problem and no health is longer */
    RESERVATION_METRICS_BEYOND = 1 << 20, /* of all pages of metrics: about ten */
};

struct reservation {
    struct buffer_budget budget; /* first, so that a budget's address is its reservation's */
    struct service *service;
    uint64_t bytes;     /* that are reserved */
    uint64_t allowance; /* bytes that may still be taken beyond the budget */
    uint64_t beyond;    /* by so much the whole budget may be exceeded for this response */
    bool refused;       /* bytes were wanted that were not there */
};

/* Returns a reservation without bytes: of a document or a computation; of a problem or of
 * health; of a page of metrics. Its memory must not move while a buffer has it as its
 * budget. */
struct reservation reservation_of(struct service *service);
struct reservation reservation_of_problem(struct service *service);
struct reservation reservation_of_metrics(struct service *service);
/* Takes over bytes that have been reserved already. */
struct reservation reservation_taken(struct service *service, uint64_t bytes);
/* Takes bytes; false: there are too few, and `refused` is set. On any thread. */
bool reservation_take(struct reservation *reservation, uint64_t bytes);
/* The same, as pe_limits.reserve: its context is the reservation. */
bool reservation_reserve(void *reservation, uint64_t bytes);
/* Gives back all but `kept` bytes. */
void reservation_trim(struct reservation *reservation, uint64_t kept);
