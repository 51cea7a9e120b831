/* SPDX-License-Identifier: Apache-2.0
 * exchange.h - one HTTP round trip, as named steps in file order. server/net/daemon.c calls
 * these on the loop's thread, once the request check (request_check.h) has run. A function that
 * returns false has the connection closed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct connection;
struct service;

/* The head is known (connection->head), no byte of the body yet. Queues a refusal at once
 * (request check, 413, 415, 417...: these close the connection) or goes on. False if the
 * answer is on the socket already, or not even the emergency response could be queued. */
bool exchange_begin(struct connection *connection);
/* Begins an exchange whose head the transport has refused (connection->head.refused): the
 * response is written on the socket, in place of the transport's own. */
void exchange_refuse(struct connection *connection);
/* Reads bytes of the body; *len becomes the number of bytes left for a later call. */
bool exchange_body(struct connection *connection, const char *bytes, size_t *len);
/* The request is complete: runs steps until a response is queued or the connection waits. */
bool exchange_run(struct connection *connection);
/* The request is over, its response sent as a whole or not; frees connection->exchange. */
void exchange_end(struct connection *connection, bool sent);
/* The deadline of PHASE_WORK has passed: stops waiting and answers 503. Work that has a result
 * when it is stopped has a second for that; another call gives it up. */
void exchange_expire(struct connection *connection);
/* The client has ended its side in PHASE_WORK: work that has not begun is cancelled. */
void exchange_client_gone(struct connection *connection);

/* Refuses a body that arrives with 503, since others want its memory; its further bytes are
 * dropped. */
void exchange_shed_body(struct connection *connection);
/* Resets a connection whose answer has begun, counts it and logs the reason. The reason is the
 * client's: no other answer is cut. */
void exchange_cut(struct connection *connection, const char *reason);

/* Every tick of a loop: ends connections of a daemon (a list from `first`; NULL: it is empty)
 * until the bytes that other clients want are free: bodies of peers beyond their eighth, then
 * bodies that arrive slowest; and answers whose clients are slow (reader_pace.h), first those
 * of the peer whose answers hold most. In load_shedding.c. */
void load_shedding(struct service *service, struct connection *first);

/* State that the exchanges of a loop share (response cache, free list); made with the loop. */
struct exchange_loop;
struct loop;
struct exchange_loop *exchange_loop_new(struct loop *loop); /* NULL: out of memory */
void exchange_loop_free(struct exchange_loop *state);
/* Every 100 ms: drops stale entries of the response cache. */
void exchange_loop_tick(struct exchange_loop *state);
/* The number of tasks on the pool and of wake-ups that will still come to this loop, though
 * their exchanges may be over: run the loop until there are none, then free. */
size_t exchange_loop_pending(const struct exchange_loop *state);
