/* SPDX-License-Identifier: Apache-2.0
 * turns.h - when a loop runs libmicrohttpd again: as soon as that wants, unless it wants so
 * without end. */
#ifndef SERVER_TURNS_H
#define SERVER_TURNS_H

#include <stdbool.h>
#include <stdint.h>

enum { TURNS_IN_VAIN = 64, TURNS_PAUSE_MS = 20 };

struct turns {
    uint64_t calls; /* that libmicrohttpd made to us: its reader of requests, of answers, ... */
    uint64_t seen;  /* of them, at the turn before */
    unsigned vain;  /* turns since one of them or a wish to wait */
};

/* One more without a call would be too many. */
bool turns_are_vain(const struct turns *turns);
/* After a turn of a daemon that wants the next one in `wanted` ms: when it comes. */
uint64_t turns_next(struct turns *turns, uint64_t wanted);

#endif
