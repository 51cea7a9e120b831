/* SPDX-License-Identifier: Apache-2.0
 * cork.h - keeps the head of a response in the kernel until its body follows. libmicrohttpd
 * 0.9.75 sends the head of a response with a file by itself, as a segment of its own that wakes
 * the client for nothing; a socket with TCP_CORK sends full segments only. libmicrohttpd corks
 * sockets too and does not know of this one: it then pushes what it need not push, and
 * cork_end pushes all that is left. Used on the loop's thread. */
#pragma once

struct connection;

/* Corks the connection's socket until cork_end; does nothing on a socket that is not TCP. */
void cork_begin(struct connection *connection);
/* Sends what the cork holds back, if there is one. Called when the response is over. */
void cork_end(struct connection *connection);
