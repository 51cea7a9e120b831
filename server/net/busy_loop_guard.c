/* SPDX-License-Identifier: Apache-2.0
 * busy_loop_guard.c - see busy_loop_guard.h. While its buffer is full of what it cannot use,
 * libmicrohttpd 0.9.75 reads no more and wants its next turn at once: until a deadline ends
 * that connection a core would be busy for it. (Lines before chunks did that; we read chunks
 * now.) What it does for others it tells by a call, or by what its epoll reports, which no
 * pause holds up; but records of TLS it sends one a turn, and of 64 bytes if the client wants
 * it so (RFC 8449): those the loop counts as calls. */
#include "server/net/busy_loop_guard.h"

bool busy_loop_guard_are_vain(const struct busy_loop_guard *turns)
{
    return turns->calls == turns->seen && turns->vain + 1 >= BUSY_LOOP_GUARD_IN_VAIN;
}

uint64_t busy_loop_guard_next(struct busy_loop_guard *turns, uint64_t wanted)
{
    if (wanted > 0 || turns->calls != turns->seen) {
        turns->seen = turns->calls;
        turns->vain = 0;
        return wanted;
    }
    if (turns->vain < BUSY_LOOP_GUARD_IN_VAIN)
        turns->vain++;
    return turns->vain < BUSY_LOOP_GUARD_IN_VAIN ? 0 : BUSY_LOOP_GUARD_PAUSE_MS;
}
