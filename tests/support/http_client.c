/* SPDX-License-Identifier: Apache-2.0
 * http_client.c - see http_client.h. */
#include "tests/support/http_client.h"

#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "proto/text/buffer.h"

enum { CAPACITY = 65536, PATIENCE_SECONDS = 30 };

struct http_client {
    int fd;
    size_t at, len; /* of what was received and not yet read */
    char bytes[CAPACITY];
};

struct http_client *http_client_new(unsigned port)
{
    return http_client_new_from(port, "127.0.0.1");
}

struct http_client *http_client_new_from(unsigned port, const char *address)
{
    struct http_client *client = calloc(1, sizeof *client);
    struct sockaddr_in addr = {.sin_family = AF_INET,
                               .sin_port = htons((uint16_t)port),
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in from = {.sin_family = AF_INET};
    struct timeval patience = {.tv_sec = PATIENCE_SECONDS};

    ck_assert_ptr_nonnull(client);
    client->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(client->fd, 0);
    ck_assert_int_eq(inet_pton(AF_INET, address, &from.sin_addr), 1);
    ck_assert_int_eq(bind(client->fd, (struct sockaddr *)&from, sizeof from), 0);
    setsockopt(client->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ck_assert_msg(connect(client->fd, (struct sockaddr *)&addr, sizeof addr) == 0,
                  "port %u: %s", port, strerror(errno));
    return client;
}

void http_client_free(struct http_client *client)
{
    if (!client)
        return;
    close(client->fd);
    free(client);
}

int http_client_fd(const struct http_client *client)
{
    return client->fd;
}

void http_client_send(struct http_client *client, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t sent = send(client->fd, bytes, len, MSG_NOSIGNAL);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return; /* closed: the answer, if any, is there to be read */
        bytes += sent;
        len -= (size_t)sent;
    }
}

void http_client_request(struct http_client *client, const char *method, const char *target,
                         const char *headers, const char *body)
{
    size_t size = strlen(target) + (headers ? strlen(headers) : 0) + 256;
    char *head = malloc(size), length[64] = "";

    ck_assert_ptr_nonnull(head);
    if (body)
        snprintf(length, sizeof length, "Content-Length: %zu\r\n", strlen(body));
    snprintf(head, size, "%s %s HTTP/1.1\r\nHost: test\r\n%s%s\r\n", method, target,
             headers ? headers : "", length);
    http_client_send(client, head, strlen(head));
    if (body)
        http_client_send(client, body, strlen(body));
    free(head);
}

/* ---- reading ------------------------------------------------------------------------- */

ssize_t http_client_receive(struct http_client *client, void *out, size_t size, int flags)
{
    ssize_t got;

    do
        got = recv(client->fd, out, size, flags);
    while (got < 0 && errno == EINTR);
    return got;
}

/* Receives at least one byte more; false at the end. A timeout fails the test. */
static bool fill(struct http_client *client)
{
    ssize_t got;

    if (client->at == client->len)
        client->at = client->len = 0;
    ck_assert_msg(client->len < CAPACITY, "a line is too long");
    got = http_client_receive(client, client->bytes + client->len, CAPACITY - client->len, 0);
    ck_assert_msg(got >= 0 || errno == ECONNRESET, "no answer: %s", strerror(errno));
    if (got > 0)
        client->len += (size_t)got;
    return got > 0;
}

static int next_byte(struct http_client *client)
{
    if (client->at == client->len && !fill(client))
        return EOF;
    return (unsigned char)client->bytes[client->at++];
}

/* Appends a line with its LF to *text; false at the end. */
static bool read_line(struct http_client *client, struct buffer *text)
{
    int c = next_byte(client);

    while (c != EOF) {
        buffer_add(text, &(char){(char)c}, 1);
        if (c == '\n')
            return true;
        c = next_byte(client);
    }
    return false;
}

struct target {
    struct http_answer *answer;
    http_sink *sink;
    void *cls;
    size_t size;
};

static void deliver(struct target *target, const char *bytes, size_t len)
{
    struct http_answer *answer = target->answer;

    if (target->sink) {
        target->sink(target->cls, bytes, len);
    } else {
        if (answer->len + len + 1 > target->size) {
            target->size = (answer->len + len + 1) * 2;
            answer->body = realloc(answer->body, target->size);
            ck_assert_ptr_nonnull(answer->body);
        }
        memcpy(answer->body + answer->len, bytes, len);
        answer->body[answer->len + len] = '\0';
    }
    answer->len += len;
}

/* Reads `len` bytes of body, or all until the end; false when the body was cut. */
static bool read_bytes(struct http_client *client, struct target *target, uint64_t len)
{
    while (len > 0) {
        size_t chunk;

        if (client->at == client->len && !fill(client))
            return len == UINT64_MAX;
        chunk = client->len - client->at;
        if (chunk > len)
            chunk = (size_t)len;
        deliver(target, client->bytes + client->at, chunk);
        client->at += chunk;
        len -= len == UINT64_MAX ? 0 : chunk;
    }
    return true;
}

static bool read_chunks(struct http_client *client, struct target *target)
{
    for (;;) {
        struct buffer line = {0};
        bool there = read_line(client, &line);
        char *end = NULL;
        unsigned long size = there ? strtoul(line.bytes, &end, 16) : 0;
        bool sound = there && end > line.bytes && *end == '\r';

        buffer_fini(&line);
        if (!sound || !read_bytes(client, target, size))
            return false;
        if (next_byte(client) != '\r')
            return false;
        if (next_byte(client) != '\n')
            return false;
        if (size == 0)
            return true;
    }
}

static bool read_head(struct http_client *client, struct http_answer *answer)
{
    struct buffer head = {0};
    size_t before, len;
    bool there;

    do {
        before = head.len;
        there = read_line(client, &head);
    } while (there && strcmp(head.bytes + before, "\r\n") != 0);
    answer->head = buffer_take(&head, &len);
    return there && sscanf(answer->head, "HTTP/1.1 %d", &answer->status) == 1;
}

void http_client_read(struct http_client *client, struct http_answer *answer, bool no_body,
                      http_sink *sink, void *cls)
{
    struct target target = {.answer = answer, .sink = sink, .cls = cls};
    const char *length;

    do {
        http_answer_fini(answer);
        if (!read_head(client, answer)) {
            answer->status = 0;
            return;
        }
    } while (answer->status == 100);
    deliver(&target, "", 0);
    length = http_answer_header(answer, "Content-Length");
    if (no_body || answer->status == 204 || answer->status == 304)
        answer->whole = true;
    else if (length)
        answer->whole = read_bytes(client, &target, strtoull(length, NULL, 10));
    else if (http_answer_header(answer, "Transfer-Encoding"))
        answer->whole = read_chunks(client, &target);
    else
        answer->whole = read_bytes(client, &target, UINT64_MAX);
}

void http_client_ask(struct http_client *client, struct http_answer *answer, const char *method,
                     const char *target, const char *headers, const char *body)
{
    http_client_request(client, method, target, headers, body);
    http_client_read(client, answer, strcmp(method, "HEAD") == 0, NULL, NULL);
}

void http_client_get(struct http_client *client, struct http_answer *answer, const char *target)
{
    http_client_ask(client, answer, "GET", target, NULL, NULL);
}

bool http_client_closed(struct http_client *client)
{
    return client->at == client->len && !fill(client);
}

const char *http_answer_header(struct http_answer *answer, const char *name)
{
    const char *found = NULL;
    size_t len = strlen(name);

    for (const char *line = strstr(answer->head, "\r\n"); line && line[2] != '\r';
         line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, name, len) != 0 || line[2 + len] != ':')
            continue;
        ck_assert_msg(!found, "%s is there twice:\n%s", name, answer->head);
        snprintf(answer->value, sizeof answer->value, "%.*s",
                 (int)strcspn(line + 2 + len + 2, "\r"), line + 2 + len + 2);
        found = answer->value;
    }
    return found;
}

void http_answer_fini(struct http_answer *answer)
{
    free(answer->head);
    free(answer->body);
    *answer = (struct http_answer){0};
}
