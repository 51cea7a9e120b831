/* SPDX-License-Identifier: Apache-2.0
 * span.h - where the time of one request went: a clock that is always in one step, and what
 * other threads did meanwhile moved from the wait to their steps. A span that was not begun
 * costs a branch. Not thread-safe: on the thread of the request's loop. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum span_step {
#define SPAN_STEP(ID, NAME) SPAN_##ID,
#include "server/sys/span_steps.def"
    SPAN_STEPS
};

struct span { /* zeros: it was not begun */
    bool begun;
    enum span_step step, before; /* before: to which span_wake returns */
    uint64_t since_ns;
    uint64_t ns[SPAN_STEPS];
};

const char *span_step_name(enum span_step step); /* "read_us" */
void span_begin(struct span *span, uint64_t now_ns);
/* From now on it is in that step. */
void span_enter(struct span *span, enum span_step step);
/* It is over: the step that it is in has the time until now, which is of uv_hrtime. */
void span_end(struct span *span, uint64_t now_ns);
/* It waits from now on; the wait is over, and it is in the step before. */
void span_wait(struct span *span);
void span_wake(struct span *span);
/* Counts nanoseconds of one step as those of another, at most as many as the first has. */
void span_move(struct span *span, enum span_step from, enum span_step to, uint64_t ns);
