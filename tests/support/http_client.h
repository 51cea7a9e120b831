/* SPDX-License-Identifier: Apache-2.0
 * http_client.h - a small blocking HTTP/1.1 client over one loopback connection, for tests of
 * a service in this process: raw bytes go out as given, answers come back taken apart. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct http_client;

struct http_answer {
    int status; /* 0: the connection was closed without an answer */
    char *head; /* status line and header lines */
    char *body; /* NUL-terminated beyond len */
    size_t len;
    bool whole; /* the body ended as announced, not by a cut connection */
    char value[8300];
};

/* Receives a body chunk by chunk, instead of .body. */
typedef void http_sink(void *cls, const char *bytes, size_t len);

/* Connects to 127.0.0.1:port; fails the test when that is not possible. */
struct http_client *http_client_new(unsigned port);
/* Connects from an IPv4 address of the loopback, which makes the client another peer. */
struct http_client *http_client_new_from(unsigned port, const char *address);
void http_client_free(struct http_client *client); /* closes at once, whatever is unread */
int http_client_fd(const struct http_client *client);
/* recv(2), which is called again when it is interrupted: an io_uring of the process, which
 * libuv has since 1.45, does so without a signal. */
ssize_t http_client_receive(struct http_client *client, void *out, size_t size, int flags);

void http_client_send(struct http_client *client, const char *bytes, size_t len);
/* Sends "METHOD target HTTP/1.1", Host, `headers` (whole lines with CR LF, may be NULL), and if
 * body is not NULL its Content-Length. */
void http_client_request(struct http_client *client, const char *method, const char *target,
                         const char *headers, const char *body);
/* Reads the next answer and skips 100 Continue. no_body: the answer is to a HEAD. Frees the
 * earlier content of *answer. sink may be NULL. */
void http_client_read(struct http_client *client, struct http_answer *answer, bool no_body,
                      http_sink *sink, void *cls);
/* Sends a request and reads its answer, which has no body for HEAD. */
void http_client_ask(struct http_client *client, struct http_answer *answer, const char *method,
                     const char *target, const char *headers, const char *body);
/* Sends a GET without headers and reads its answer. */
void http_client_get(struct http_client *client, struct http_answer *answer,
                     const char *target);
/* The server has closed the connection and nothing is left to read. */
bool http_client_closed(struct http_client *client);

/* Value of a header, NULL if absent; fails the test if there are two. Valid until the next call
 * with this answer. */
const char *http_answer_header(struct http_answer *answer, const char *name);
void http_answer_fini(struct http_answer *answer);
