/* SPDX-License-Identifier: Apache-2.0
 * busy_loop_guard.h - decides when a loop runs libmicrohttpd again: as soon as libmicrohttpd
 * asks for it, unless it keeps asking without any progress. */
#ifndef SERVER_BUSY_LOOP_GUARD_H
#define SERVER_BUSY_LOOP_GUARD_H

#include <stdbool.h>
#include <stdint.h>

enum { BUSY_LOOP_GUARD_IN_VAIN = 64, BUSY_LOOP_GUARD_PAUSE_MS = 20 };

struct busy_loop_guard {
    uint64_t calls; /* calls of our callbacks: request handler, response reader, ... */
    uint64_t seen;  /* value of `calls` at the previous run */
    unsigned vain;  /* runs in a row that made no call and asked for the next run at once */
};

/* Returns true if the loop has to pause after one more run without a call. */
bool busy_loop_guard_are_vain(const struct busy_loop_guard *turns);
/* Returns the ms until the next run of a daemon that has just run and wants `wanted` ms. */
uint64_t busy_loop_guard_next(struct busy_loop_guard *turns, uint64_t wanted);

#endif
