/* SPDX-License-Identifier: Apache-2.0
 * transport.h - the face of the library that reads and writes HTTP on sockets. Only server/mhd,
 * which implements it, includes that library's header (tests/lint). A transport belongs to one
 * loop, has no thread and no listening socket of its own, and is used on that loop's thread. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "server/http/head.h"
#include "server/http/header_block.h"

struct transport;
struct transport_connection; /* a client's connection, as the library knows it */
struct transport_response;   /* a complete response, which may be sent to many connections */

const char *transport_version(void); /* of the library */
/* `shortcuts` is the set of ways past the library's interface that its self-test found to work
 * (mhd_shortcut.h); 0: none. A server keeps its own, and gives it to all that it makes here. */
/* Whether heads are read from the library's buffer; else it is asked for their lines. */
bool transport_has_bytes(unsigned shortcuts);
/* Whether a response may be sent to one connection while it is sent to another. */
bool transport_shares_responses(unsigned shortcuts);
/* The number of shortcuts that are not in the set. */
unsigned transport_shortcuts_off(unsigned shortcuts);
/* The function that the library calls where it cannot go on; it does not return. It is one
 * for the process. */
typedef void transport_panic(void *context, const char *file, unsigned line,
                             const char *reason);
void transport_on_panic(transport_panic *panic, void *context);

/* ---- connections ------------------------------------------------------------------------- */

/* The calls of a connection, in the order in which they are made, and again for each request
 * from `target` to `over`. context: of the transport; owner: what `begins` returned. A
 * function that returns false has the connection closed. The last four may be NULL. */
struct transport_calls {
    /* The socket is served. NULL: it is closed, and no other call is made for it. */
    void *(*begins)(void *context, struct transport_connection *connection, int fd);
    void (*target)(void *owner, const char *raw); /* it has arrived; NULL: it is empty */
    bool (*head)(void *owner, const struct head_bytes *bytes); /* it is complete */
    /* Bytes of the body have arrived; *len becomes the number of those for a later call. */
    bool (*body)(void *owner, const char *bytes, size_t *len);
    bool (*whole)(void *owner); /* all of the request is there; again after each resumption */
    void (*over)(void *context, void *owner, bool sent); /* sent: all of the response was */
    void (*ends)(void *context, void *owner);            /* the socket is closed next */
    /* The library refuses the head of a connection, it does not say which, with this status. */
    void (*refuses)(void *context, unsigned status);
    void (*log)(void *context, const char *format, va_list args); /* a message of the library */
};

struct transport_options {
    const struct transport_calls *calls;
    void *context;
    unsigned shortcuts;
    size_t connections;         /* at most */
    unsigned idle_seconds;      /* after which a connection is closed: a backstop, 0: none */
    const char *tls_priorities; /* of GnuTLS; NULL: the connections are not encrypted */
};

struct transport *transport_new(const struct transport_options *options); /* NULL: no memory */
/* Closes all connections, none of which may be suspended. */
void transport_free(struct transport *transport);
int transport_epoll_fd(const struct transport *transport); /* readable: transport_run is due */
/* Takes the descriptor. False: it is closed, perhaps before `begins` was called. */
bool transport_add(struct transport *transport, int fd, const struct sockaddr *address,
                   socklen_t len);
/* Serves ready connections. Returns ms to the next run (UINT64_MAX: when a socket is ready). */
uint64_t transport_run(struct transport *transport);

/* No call is made for a suspended connection, until it was resumed and the transport runs. */
void transport_suspend(struct transport_connection *connection);
void transport_resume(struct transport_connection *connection);
/* Returns the TLS session; NULL: the connection is not encrypted. */
struct gnutls_session_int *transport_session(struct transport_connection *connection);
/* Returns the client's address; NULL: it is not known. */
const struct sockaddr *transport_address(struct transport_connection *connection);
/* Returns whether the head of a request is complete. */
bool transport_has_head(struct transport_connection *connection);
/* Calls `take` for each header line of the request that the library has read, or for each line
 * of the trailer section of its body. */
void transport_each_line(struct transport_connection *connection, bool trailer,
                         void (*take)(void *context, const struct head_line *line),
                         void *context);

/* ---- responses --------------------------------------------------------------------------- */

#define TRANSPORT_LEN_UNKNOWN UINT64_MAX

/* Makes the bytes of a body from byte `at` on and returns their number; 0: the connection was
 * suspended, and there are none yet. */
typedef ssize_t transport_pull(void *owner, uint64_t at, char *out, size_t capacity);
enum {
    TRANSPORT_END = -1, /* the body is over */
    TRANSPORT_CUT = -2, /* it breaks off: the client must not take it for the whole */
};

enum transport_body_kind {
    TRANSPORT_LACKS,  /* there was no memory for the body */
    TRANSPORT_BYTES,  /* `len` bytes in memory */
    TRANSPORT_FILE,   /* `len` bytes of the descriptor `fd`, which the response closes */
    TRANSPORT_PULLED, /* `pull` makes them as the socket takes them, `block` bytes at most */
    TRANSPORT_NONE,   /* none follows: of a 304, or of an answer to HEAD */
};

/* The body of a response. */
struct transport_body {
    enum transport_body_kind kind;
    /* Content-Length, of NONE that of the 200 to GET. If it is unknown a pulled body is sent in
     * chunks, and one that is NONE has no length and ends the connection. */
    uint64_t len;
    const void *bytes;
    int fd;
    size_t block;
    transport_pull *pull;
    void (*release)(void *owner); /* called once, when the body is not needed; NULL: nothing */
    void *owner;
};

/* Returns how many bytes are left at least for the head of the response to a request with this
 * head. The library has 16 KiB for the head of a request, a record of each line and the head of
 * the response; when they do not fit, it closes the connection without a response. */
enum { TRANSPORT_HEAD_SPACE_ENOUGH = 1792 }; /* of any without a long Content-Location */
size_t transport_head_space(const struct head_bytes *request);

/* Makes a response, which takes the body; the lines of the head are copied. NULL: out of
 * memory, or the head has failed; the body is released. */
struct transport_response *transport_response_new(unsigned shortcuts,
                                                  const struct transport_body *body,
                                                  struct header_block *head);
void transport_response_free(struct transport_response *response); /* NULL: nothing */
/* Adds the lines of the head that the response was made of. */
void transport_response_lines(struct transport_response *response, struct header_block *block);
/* Sends the response with this X-Request-Id, which is valid. A response that has an id of the
 * same length needs no memory where ids are written in place. False: nothing is sent. */
bool transport_response_send(unsigned shortcuts, struct transport_connection *connection,
                             unsigned status, struct transport_response *response,
                             const char *request_id);
