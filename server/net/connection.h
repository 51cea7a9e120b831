/* SPDX-License-Identifier: Apache-2.0
 * connection.h - one client connection: the registry entry that outlives libmicrohttpd's
 * requests on it. It holds the absolute deadline of its phase, what the gate noted of the
 * request head, and the exchange in progress, so that nothing leaks however a request ends.
 * Owned by its loop, used on that loop's thread only. */
#ifndef SERVER_CONNECTION_H
#define SERVER_CONNECTION_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/http/head.h"
#include "server/http/listener_kind.h"

struct certificate;
struct exchange;
struct loop;

enum connection_phase {
    PHASE_HANDSHAKE, /* of TLS, from accept */
    PHASE_HEAD,      /* from accept, or from the previous answer's end (idle keep-alive) */
    PHASE_BODY,      /* from the first handler call */
    PHASE_WORK,      /* suspended: waiting for another's computation or for the pool */
    PHASE_SEND,      /* from queueing the answer; moves with the bytes sent */
};

struct connection {
    struct connection *next, *prev; /* the loop's list */
    struct loop *loop;
    struct MHD_Connection *mhd;
    int fd;
    enum listener_kind listener_kind;
    struct certificate *certificate; /* that it was shown, or will be; NULL: not encrypted */
    enum connection_phase phase;
    uint64_t deadline_ms; /* uv_now clock; 0: none */
    uint64_t since_ms;    /* when the phase began */
    uint64_t looked_ms;   /* when we last looked whether the client has left */
    uint64_t sent;        /* bytes of the answer handed over: moves the send deadline */
    uint64_t received;    /* bytes of the body: moves the body deadline */
    uint64_t requests;    /* that came on this connection and are over */
    uint64_t paused_ms;   /* when it was */
    bool suspended;
    bool whole; /* all of the newest request has been read */
    bool begun; /* exchange_begin was called, exchange_end was not */
    struct head head;
    struct exchange *exchange; /* NULL between requests */
};

/* Made when libmicrohttpd takes the socket, freed when it closes it. NULL: out of memory, or
 * no handshake is possible. */
struct connection *connection_new(struct loop *loop, struct MHD_Connection *mhd, int fd,
                                  enum listener_kind listener_kind);
void connection_free(struct connection *connection);

/* Sets phase and the absolute deadline that the configuration gives it. */
void connection_enter(struct connection *connection, enum connection_phase phase);
/* The answer has advanced to `sent` bytes: the send deadline moves with it. An answer that is
 * handed over whole says its length when it is queued. */
void connection_progress(struct connection *connection, uint64_t sent);
/* MHD_suspend_connection and PHASE_WORK / MHD_resume_connection and MHD_run. The resume
 * must be called on the loop's own thread. */
void connection_suspend(struct connection *connection);
void connection_resume(struct connection *connection);
/* The same for one turn of the loop, in which others are served. */
void connection_yield(struct connection *connection);
/* The same in PHASE_SEND, when the answer's next bytes are being made: the time that takes is
 * not the client's. */
void connection_pause(struct connection *connection);
void connection_go_on(struct connection *connection);
/* The body is read past libmicrohttpd, which is suspended, until connection_resume. */
void connection_await_body(struct connection *connection);
/* What of it has come: bytes, 0 at its end; below 0 the connection is broken, or there is
 * nothing yet. */
enum { CONNECTION_AGAIN = -1, CONNECTION_BROKEN = -2 };
ssize_t connection_read(struct connection *connection, char *out, size_t room);
/* TLS has bytes that its socket does not tell of. */
bool connection_holds(const struct connection *connection);
/* Says these few bytes, as an interim answer; false: the socket does not take them at once. */
bool connection_say(struct connection *connection, const char *text);
/* The answer must carry Connection: close (draining, pressure, 10,000th request, chunks). */
bool connection_must_close(const struct connection *connection);

/* The loop's: body bytes came; the request is over; the clock is `now`: shut the socket down
 * (shutdown, never close) or expire the work if the deadline has passed. */
void connection_received(struct connection *connection, size_t bytes);
void connection_request_over(struct connection *connection);
void connection_sweep(struct connection *connection, uint64_t now_ms);
/* Shuts it down, because others want what it holds. */
void connection_drop(struct connection *connection);
/* A part of it: under overload an idle connection has five seconds left. */
void connection_press(struct connection *connection, uint64_t now_ms);
/* TLS: a number that is another whenever a record was sent or read. */
uint64_t connection_records(const struct connection *connection);
/* Says these last bytes to the client, as far as its socket takes them at once, and that no
 * more will come: past libmicrohttpd, which must have nothing on its way. */
void connection_tell(struct connection *connection, const char *bytes, size_t len);
/* Draining: a connection that has been idle for a second is shut down for reading, so that a
 * request already on its way is still answered. Others get the rest of that second for their
 * next request: a client that reads the end of its answer late has not been told of a close. */
void connection_drain(struct connection *connection, uint64_t now_ms);

#endif
