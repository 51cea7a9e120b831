/* SPDX-License-Identifier: Apache-2.0
 * busy_loop_guard.h - decides when a loop runs libmicrohttpd again: as soon as libmicrohttpd
 * asks for it, unless it keeps asking without any progress. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { BUSY_LOOP_GUARD_IDLE_RUNS = 64, BUSY_LOOP_GUARD_PAUSE_MS = 20 };

struct busy_loop_guard {
    uint64_t calls;     /* calls of our callbacks: request handler, response reader, ... */
    uint64_t seen;      /* value of `calls` at the previous run */
    unsigned idle_runs; /* runs in a row that made no call and asked for the next run at once */
};

/* Returns true if the loop has to pause after one more run without a call. */
bool busy_loop_guard_is_spinning(const struct busy_loop_guard *guard);
/* Returns the ms until the next run of a daemon that has just run and wants `wanted` ms. */
uint64_t busy_loop_guard_next(struct busy_loop_guard *guard, uint64_t wanted);
