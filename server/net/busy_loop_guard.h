/* SPDX-License-Identifier: Apache-2.0
 * busy_loop_guard.h - when a loop runs libmicrohttpd again: as soon as that wants, unless it
 * wants so without end. */
#ifndef SERVER_BUSY_LOOP_GUARD_H
#define SERVER_BUSY_LOOP_GUARD_H

#include <stdbool.h>
#include <stdint.h>

enum { BUSY_LOOP_GUARD_IN_VAIN = 64, BUSY_LOOP_GUARD_PAUSE_MS = 20 };

struct busy_loop_guard {
    uint64_t calls; /* that libmicrohttpd made to us: its reader of requests, of answers, ... */
    uint64_t seen;  /* of them, at the turn before */
    unsigned vain;  /* turns since one of them or a wish to wait */
};

/* One more without a call would be too many. */
bool busy_loop_guard_are_vain(const struct busy_loop_guard *turns);
/* After a turn of a daemon that wants the next one in `wanted` ms: when it comes. */
uint64_t busy_loop_guard_next(struct busy_loop_guard *turns, uint64_t wanted);

#endif
