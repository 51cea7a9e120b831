/* SPDX-License-Identifier: Apache-2.0
 * turns.c - see turns.h. While its buffer is full of what it cannot use, libmicrohttpd 0.9.75
 * reads no more and wants its next turn at once: until a deadline ends that connection a core
 * would be busy for it. (Lines before chunks did that; we read chunks now.) What it does for
 * others it tells by a call, or by what its epoll reports, which no pause holds up; but records
 * of TLS it sends one a turn, and of 64 bytes if the client wants it so (RFC 8449): those the
 * loop counts as calls. */
#include "server/net/turns.h"

bool turns_are_vain(const struct turns *turns)
{
    return turns->calls == turns->seen && turns->vain + 1 >= TURNS_IN_VAIN;
}

uint64_t turns_next(struct turns *turns, uint64_t wanted)
{
    if (wanted > 0 || turns->calls != turns->seen) {
        turns->seen = turns->calls;
        turns->vain = 0;
        return wanted;
    }
    if (turns->vain < TURNS_IN_VAIN)
        turns->vain++;
    return turns->vain < TURNS_IN_VAIN ? 0 : TURNS_PAUSE_MS;
}
