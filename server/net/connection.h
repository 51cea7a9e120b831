/* SPDX-License-Identifier: Apache-2.0
 * connection.h - one client connection: the registry entry that outlives libmicrohttpd's
 * requests on it. It holds the absolute deadline of its phase, what request_check.h noted of
 * the request head, and the exchange in progress, so that nothing leaks however a request ends.
 * Owned by its loop, used on that loop's thread only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "server/http/head.h"
#include "server/http/listener_kind.h"
#include "server/net/answer_place.h"
#include "server/net/reader_pace.h"
#include "server/net/turn.h"

struct certificate;
struct exchange;
struct loop;
struct peer;
struct socket_given;
struct transport_connection;

enum connection_phase {
    PHASE_HANDSHAKE, /* TLS handshake, from accept */
    PHASE_HEAD,      /* from accept, or from the previous answer's end (idle keep-alive) */
    PHASE_BODY,      /* from the first handler call */
    PHASE_WORK,      /* suspended: waits for another request's computation or for the pool */
    PHASE_SEND,      /* from queueing the answer; the deadline moves with the bytes sent */
};

struct connection {
    struct connection *next, *prev; /* in the daemon's list of connections */
    struct turn turn;
    struct answer_place place; /* in the loop's answer_queue */
    struct loop *loop;
    struct transport_connection *wire;
    int fd;
    struct peer *peer; /* counts the connection, which refers to it (auth_peer) */
    enum listener_kind listener_kind;
    struct certificate *certificate; /* certificate of the handshake; NULL: not encrypted */
    char *subject;                   /* name in the client's certificate; NULL: it has none */
    enum connection_phase phase;
    uint64_t deadline_ms; /* uv_now clock; 0: none */
    uint64_t since_ms;    /* when the phase began */
    uint64_t
        work_until_ms;  /* deadline of PHASE_WORK that all waits of the request share; 0: each
                             * has its own */
    uint64_t looked_ms; /* when we last looked whether the client has left */
    uint64_t sent;      /* bytes of the answer handed over: moves the send deadline */
    uint64_t calls;     /* of connection_progress in this phase */
    struct reader_pace pace; /* of the client, while the answer is sent (load_shedding.c) */
    uint64_t received;       /* bytes of the body: moves the body deadline */
    uint64_t requests;       /* requests of this connection that are over */
    uint64_t aged_ms;        /* an answer from then on closes the connection */
    uint64_t paused_ms;      /* when connection_pause or connection_await_turn was called */
    bool suspended;
    bool handshake_admitted; /* the bytes of the handshake that have arrived may be read */
    bool request_read;       /* all of the newest request has been read */
    bool begun;              /* exchange_begin was called, exchange_end was not */
    bool leaving;            /* it is counted in loop->leaving */
    struct head head;
    struct exchange *exchange; /* NULL between requests */
};

/* A connection is made when libmicrohttpd takes the socket and freed when it closes the socket.
 * NULL: out of memory, or no TLS handshake is possible. */
struct connection *connection_new(struct loop *loop, struct transport_connection *wire, int fd,
                                  const struct socket_given *given);
void connection_free(struct connection *connection);

/* Sets phase and the absolute deadline that the configuration gives it. */
void connection_enter(struct connection *connection, enum connection_phase phase);
/* The answer has advanced to `sent` bytes: the send deadline moves with it. An answer that is
 * handed over in one block reports its length when it is queued. */
void connection_progress(struct connection *connection, uint64_t sent);
/* Gives a suspended connection, whose deadline has passed, some more time. */
void connection_extend(struct connection *connection, uint64_t ms);
/* Suspends the connection and enters PHASE_WORK; resumes it and has the daemon
 * run. connection_resume must be called on the loop's own thread. */
void connection_suspend(struct connection *connection);
void connection_resume(struct connection *connection);
/* Enters PHASE_WORK until so many ms are over: a wait that begins next ends then. */
void connection_hold(struct connection *connection, uint64_t ms);
/* Enters PHASE_WORK, whose deadline all waits of the request share from now on. */
void connection_share_work(struct connection *connection);
/* Suspends the connection until its turn for that work (turn_queue.h): the loop serves
 * others. */
void connection_yield(struct connection *connection, uint64_t peer, double operations);
/* Lets a suspended connection wait for its turn, which `begin` starts with a call of
 * connection_take_turn: the deadlines of its body and of its answer move by that time, which
 * does not count against the client. */
void connection_await_turn(struct connection *connection, uint64_t peer, double operations,
                           turn_begin *begin);
void connection_take_turn(struct connection *connection);
/* Suspends the connection in PHASE_SEND while the answer's next bytes are made: the time until
 * connection_unpause, which is followed by connection_resume, does not count against the
 * client. */
void connection_pause(struct connection *connection);
void connection_unpause(struct connection *connection);
/* Suspends the connection until connection_resume: the body is read past libmicrohttpd. */
void connection_await_body(struct connection *connection);
/* Shows the loop's newest certificate in the handshake, which the connection keeps until it
 * ends; each part of the handshake waits for its turn. False: no handshake is possible. */
bool connection_handshake_prepare(struct connection *connection);
/* Returns true if the client of a handshake that waits for its turn has closed its side. */
bool connection_handshake_is_abandoned(const struct connection *connection);
/* The deadline has passed or the client has left, and the socket is shut down: a handshake that
 * waits for its turn ends soon, without the work. */
void connection_handshake_give_up(struct connection *connection);
/* Reads bytes that have arrived and returns their number, 0 at the end of the stream,
 * CONNECTION_AGAIN when there are none yet, or CONNECTION_BROKEN. */
enum { CONNECTION_AGAIN = -1, CONNECTION_BROKEN = -2 };
ssize_t connection_read(struct connection *connection, char *out, size_t size);
/* Returns about how many bytes have arrived and can be read; 0 at the end of the stream. */
size_t connection_arrived(const struct connection *connection);
/* Returns true if TLS has decrypted bytes, which polling the socket does not report. */
bool connection_has_pending(const struct connection *connection);
/* Sends a short interim response. False: the socket does not take all of it at once. */
bool connection_send_interim(struct connection *connection, const char *text);
/* The answer must carry Connection: close (draining, overload, its age, 10,000th request,
 * chunks). */
bool connection_must_close(const struct connection *connection);

/* `bytes` of the body arrived: the body deadline moves. */
void connection_received(struct connection *connection, size_t bytes);
/* The request is over: the connection waits for the head of the next one. */
void connection_request_over(struct connection *connection);
/* Past its deadline, shuts the socket down (shutdown, never close) or expires the work. */
void connection_sweep(struct connection *connection, uint64_t now_ms);
/* Resets the connection (RST), so that its client does not take a part of an answer for the
 * whole. A unix socket has no reset: it is shut down. */
void connection_reset(struct connection *connection);
/* Leaves an idle connection five seconds under overload; connection_sweep calls it first. */
void connection_shorten_idle(struct connection *connection, uint64_t now_ms);
/* Returns a number that changes whenever a TLS record was sent or read. */
uint64_t connection_records(const struct connection *connection);
/* Sends the last bytes, as far as the socket takes them at once, and ends the stream. This
 * bypasses libmicrohttpd, which must have nothing left to send. */
void connection_send_last(struct connection *connection, const char *bytes, size_t len);
/* Draining: a connection that has been idle for a second is shut down for reading, so that a
 * request already on its way is still answered. Other connections get the rest of that second
 * for their next request: a client that reads its answer late does not know of a close. */
void connection_drain(struct connection *connection, uint64_t now_ms);
