/* SPDX-License-Identifier: Apache-2.0
 * compute_plan.h - makes the plan of a request and its encoder, under the limits of the
 * configuration, on any thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/posenc.h"

struct encoder;
struct request;
struct service;

/* Counts the bytes that planning reserves for its results, and holds its stop. */
struct compute_budget {
    struct service *service;
    uint64_t *reserved;         /* grows by what is taken of the in-flight budget */
    const struct pe_stop *stop; /* NULL: nothing stops it */
    bool on_loop;               /* on a loop's thread, which others wait for */
    double growth_ns;           /* result: the time that the shared table takes to grow */
};

/* Makes plan and encoder of a finished request, whose arguments this thread has to itself. The
 * shared table grows by what makes the request faster, unless the in-flight budget lacks the
 * bytes. PE_STOPPED: on the loop's thread that would take too long. brief: see pe_limits. */
enum pe_status compute_plan(struct compute_budget *budget, bool brief,
                            const struct request *request, struct pe_plan **plan,
                            struct encoder **encoder, struct pe_errors *errors);
