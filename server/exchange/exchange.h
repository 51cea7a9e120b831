/* SPDX-License-Identifier: Apache-2.0
 * exchange.h - one HTTP round trip, as named steps in file order. The loop calls these from
 * libmicrohttpd's callbacks, on its own thread, after the gate. */
#ifndef SERVER_EXCHANGE_H
#define SERVER_EXCHANGE_H

#include <microhttpd.h>
#include <stddef.h>

struct connection;

/* First handler call: the head is known (connection->head), no body byte yet. Queues a
 * refusal at once (gate, 413, 415, 417...: these close the connection) or returns MHD_YES
 * to go on. MHD_NO only if not even the emergency response could be queued. */
enum MHD_Result exchange_begin(struct connection *connection);
/* The same for a head that libmicrohttpd has refused by itself (connection->head.refused): the
 * answer is said on the socket, past its own. */
void exchange_refuse(struct connection *connection);
/* Body bytes: *len becomes how many wait for another turn. */
enum MHD_Result exchange_body(struct connection *connection, const char *bytes, size_t *len);
/* The request is complete: run the steps until an answer is queued or the connection waits. */
enum MHD_Result exchange_run(struct connection *connection);
/* The request is over, answered or not; frees connection->exchange. */
void exchange_end(struct connection *connection, enum MHD_RequestTerminationCode why);
/* The deadline of PHASE_WORK passed: stop waiting and answer 503. */
void exchange_expire(struct connection *connection);
/* In PHASE_WORK the client has ended its side: work that has not begun is given up. */
void exchange_client_gone(struct connection *connection);

/* Per-loop state of the exchanges (hot responses, free lists); made with the loop. */
struct exchange_loop;
struct loop;
struct exchange_loop *exchange_loop_new(struct loop *loop); /* NULL: out of memory */
void exchange_loop_free(struct exchange_loop *state);
/* Every 100 ms: drop marked hot entries. */
void exchange_loop_tick(struct exchange_loop *state);
/* Work on the pool and wake-ups that will still come to this loop, though their exchanges may
 * be over: turn the loop until there are none, then free. */
size_t exchange_loop_pending(const struct exchange_loop *state);

#endif
