/* SPDX-License-Identifier: Apache-2.0
 * busy_loop_guard.c - see busy_loop_guard.h. While its buffer is full of bytes that it cannot
 * use, libmicrohttpd 0.9.75 reads no more and asks to run again at once: it would keep a core
 * busy until a deadline ends that connection. (Lines before chunks did that; we read chunks
 * now.) Its progress on other connections shows in calls, or in events of its epoll, which no
 * pause delays; but it sends one TLS record a run, of as few as 64 bytes if the client asks for
 * that (RFC 8449), so the loop counts records as calls. */
#include "server/net/busy_loop_guard.h"

bool busy_loop_guard_is_spinning(const struct busy_loop_guard *guard)
{
    return guard->calls == guard->seen && guard->idle_runs + 1 >= BUSY_LOOP_GUARD_IDLE_RUNS;
}

uint64_t busy_loop_guard_next(struct busy_loop_guard *guard, uint64_t wanted)
{
    if (wanted > 0 || guard->calls != guard->seen) {
        guard->seen = guard->calls;
        guard->idle_runs = 0;
        return wanted;
    }
    if (guard->idle_runs < BUSY_LOOP_GUARD_IDLE_RUNS)
        guard->idle_runs++;
    return guard->idle_runs < BUSY_LOOP_GUARD_IDLE_RUNS ? 0 : BUSY_LOOP_GUARD_PAUSE_MS;
}
