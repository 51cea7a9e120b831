/* SPDX-License-Identifier: Apache-2.0
 * reader_pace.h - tells whether the client of an answer is slow: whether it took no bytes for a
 * second, or takes fewer than 64 KiB a second. Only time counts in which the socket had bytes
 * that it could not send because the client did not read: while the server makes the next
 * bytes, or a network has them on the way, the client is not slow. A client has a second of
 * credit; time spends it, and each 64 KiB that are taken earn a second. So a pause of less than
 * a second costs a fast reader nothing. On the thread of the connection's loop. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    READER_PACE_CREDIT_MS = 1000,
    READER_PACE_BYTES_A_SECOND = 65536, /* the slowest reader that is never cut off */
    READER_PACE_GAP_MS = 400,           /* after so long without a look nothing is known */
};

struct reader_pace { /* zeros: not looked at yet */
    uint64_t looked_ms;
    uint64_t taken;   /* bytes that the client had taken then */
    uint64_t slow_ms; /* when its credit is used up */
};

/* The state of a socket that shows whether its client reads. */
struct reader_pace_socket {
    uint64_t taken; /* bytes that the client has acknowledged since it connected */
    bool waits;     /* there are bytes that are not sent, since the client does not read */
};

/* Looks at the socket of a connection whose answer is being sent. calls: how often bytes of the
 * answer were handed over. A unix socket does not tell what its client took, but a client that
 * takes nothing causes no call; an answer that one call handed over is not judged there. */
void reader_pace_look(struct reader_pace *pace, int fd, uint64_t calls, uint64_t now_ms);
/* Does the same with what the socket says. */
void reader_pace_note(struct reader_pace *pace, const struct reader_pace_socket *socket,
                      uint64_t now_ms);
/* True: the client's credit was used up when last looked at. */
bool reader_pace_is_slow(const struct reader_pace *pace);
