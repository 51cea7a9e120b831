/* SPDX-License-Identifier: Apache-2.0
 * mhd_probe.c - see mhd_probe.h. The sockets of a pair deliver at once, so a few runs of the
 * transport finish a case without waiting. */
#include "server/mhd/mhd_probe.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "server/http/chunks.h"
#include "server/http/request_check.h"
#include "server/http/request_id.h"
#include "server/http/transport.h"

#define BLOCK_FIRST "Content-Type: text/plain"
#define BLOCK_LAST "X-Probe: last line of the block"

enum { RUNS = 16, MAX_BODY = 1024, CONNECTIONS = 2, MOST_REQUESTS = 8 };

static const struct transport_body empty = {.kind = TRANSPORT_BYTES, .bytes = ""};

/* A connection, which owns the calls that are made for it. */
struct asked {
    struct mhd_probe *probe;
    struct transport_connection *wire;
    struct head head;
};

struct mhd_probe {
    unsigned shortcuts;
    struct transport *transport;
    /* The responses with status 200: to every request, but to one with chunks, which is the
     * last of its connection. */
    struct transport_response *ready, *last;
    struct asked asked[CONNECTIONS];
    size_t begun; /* number of connections so far */
    struct mhd_probe_verdict verdict;
};

/* ---- what the transport tells ------------------------------------------------------------ */

static void *on_begins(void *context, struct transport_connection *wire, int fd)
{
    struct mhd_probe *probe = context;
    struct asked *asked = &probe->asked[probe->begun++ % CONNECTIONS];

    (void)fd;
    asked->probe = probe;
    asked->wire = wire;
    return asked;
}

static void on_target(void *owner, const char *raw)
{
    struct asked *asked = owner;

    request_check_target(&asked->head, raw);
}

static void on_refuses(void *context, unsigned status)
{
    struct mhd_probe *probe = context;

    probe->verdict.refused = status;
}

static bool refuse(struct asked *asked, unsigned status)
{
    struct transport_response *response;
    struct header_block head;
    bool sent;

    header_block_init(&head);
    head.closes = true;
    response = transport_response_new(asked->probe->shortcuts, &empty, &head);
    sent = response && transport_response_send(asked->probe->shortcuts, asked->wire, status,
                                               response, "refused");
    transport_response_free(response);
    return sent;
}

/* Carries the request out: its response has its number as X-Request-Id. */
static bool carry_out(void *owner)
{
    struct asked *asked = owner;
    struct mhd_probe_verdict *verdict = &asked->probe->verdict;
    char id[REQUEST_ID_SIZE];

    request_check_trailer(&asked->head);
    if (asked->head.refused)
        return refuse(asked, asked->head.refused);
    request_id_print(++verdict->executed, id);
    return transport_response_send(
        asked->probe->shortcuts, asked->wire, 200,
        asked->head.chunked ? asked->probe->last : asked->probe->ready, id);
}

static bool drop(void *context, const char *bytes, size_t len)
{
    (void)context, (void)bytes, (void)len;
    return true;
}

/* Reads the chunks that arrived with the head: a case is sent at once. */
static bool answer_chunks(struct asked *asked, const struct head_bytes *bytes)
{
    struct chunks chunks;

    chunks_begin(&chunks, MAX_BODY);
    if (chunks_add(&chunks, bytes->rest, bytes->rest_len, drop, NULL) != CHUNKS_WHOLE)
        return refuse(asked, chunks.state == CHUNKS_TOO_LARGE ? 413 : 400);
    return carry_out(asked);
}

static bool on_head(void *owner, const struct head_bytes *bytes)
{
    struct asked *asked = owner;

    request_check_head(&asked->head, bytes, MAX_BODY);
    if (asked->head.refused)
        return refuse(asked, asked->head.refused);
    asked->probe->verdict.arguments += MHD_get_connection_values(
        (struct MHD_Connection *)(void *)asked->wire, MHD_GET_ARGUMENT_KIND, NULL, NULL);
    return !head_reads_chunks(&asked->head) || answer_chunks(asked, bytes);
}

static bool on_body(void *owner, const char *bytes, size_t *len)
{
    (void)owner, (void)bytes;
    *len = 0;
    return true;
}

static const struct transport_calls calls = {.begins = on_begins,
                                             .target = on_target,
                                             .head = on_head,
                                             .body = on_body,
                                             .whole = carry_out,
                                             .refuses = on_refuses};

/* ---- asking ------------------------------------------------------------------------------ */

/* Makes the response, which has a block of header fields. */
static struct transport_response *make_ready(unsigned shortcuts, bool closes)
{
    struct header_block head;

    header_block_init(&head);
    head.closes = closes;
    header_block_add_lines(&head, BLOCK_FIRST "\n" BLOCK_LAST "\n");
    return transport_response_new(shortcuts, &empty, &head);
}

struct mhd_probe *mhd_probe_new(unsigned shortcuts)
{
    struct mhd_probe *probe = calloc(1, sizeof *probe);

    if (!probe)
        return NULL;
    probe->shortcuts = shortcuts;
    probe->ready = make_ready(shortcuts, false);
    probe->last = make_ready(shortcuts, true);
    if (probe->ready && probe->last)
        probe->transport =
            transport_new(&(struct transport_options){.calls = &calls,
                                                      .context = probe,
                                                      .shortcuts = shortcuts,
                                                      .connections = CONNECTIONS});
    if (probe->transport)
        return probe;
    transport_response_free(probe->ready);
    transport_response_free(probe->last);
    free(probe);
    return NULL;
}

void mhd_probe_free(struct mhd_probe *probe)
{
    if (!probe)
        return;
    transport_free(probe->transport);
    transport_response_free(probe->ready);
    transport_response_free(probe->last);
    for (size_t i = 0; i < CONNECTIONS; i++)
        head_clear(&probe->asked[i].head);
    free(probe);
}

/* Counts the responses that have the lines of their head as they were written, and then the
 * number of a request as X-Request-Id, each number once; *seen has a bit for each. */
static unsigned count_right(const char *text, unsigned *seen)
{
    static const char lines[] = "\r\n" BLOCK_FIRST "\r\n" BLOCK_LAST "\r\n",
                      closes[] = "Connection: close\r\n", name[] = REQUEST_ID_NAME ": ";
    unsigned long number;
    unsigned count = 0;
    char *end;

    while ((text = strstr(text, lines))) {
        text += sizeof lines - 1;
        if (strncasecmp(text, closes, sizeof closes - 1) == 0)
            text += sizeof closes - 1;
        if (strncmp(text, name, sizeof name - 1) != 0)
            break;
        text += sizeof name - 1;
        number = strtoul(text, &end, 16);
        if (end != text + REQUEST_ID_LEN || number >= MOST_REQUESTS || *seen >> number & 1)
            break;
        *seen |= 1u << number;
        count++;
    }
    return count;
}

/* Sends the bytes on a new connection, and returns the client's end of it; -1: it could not. */
static int begin(struct mhd_probe *probe, const char *bytes, size_t len)
{
    const struct sockaddr local = {.sa_family = AF_UNIX};
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
        return -1;
    if (transport_add(probe->transport, pair[1], &local, sizeof local.sa_family) &&
        send(pair[0], bytes, len, MSG_NOSIGNAL) == (ssize_t)len)
        return pair[0];
    close(pair[0]);
    return -1;
}

/* Reads what has come and closes the client's end. */
static void end(struct mhd_probe *probe, int fd, unsigned *seen)
{
    char text[1024];
    const ssize_t got = recv(fd, text, sizeof text - 1, 0);

    text[got > 0 ? got : 0] = '\0';
    if (sscanf(text, "HTTP/1.1 %d", &probe->verdict.status) != 1)
        probe->verdict.status = 0;
    probe->verdict.right += count_right(text, seen);
    close(fd);
}

static struct mhd_probe_verdict ask(struct mhd_probe *probe, const char *bytes, size_t len,
                                    size_t connections)
{
    int fds[CONNECTIONS];
    unsigned seen = 0;

    probe->verdict = (struct mhd_probe_verdict){.status = -1};
    for (size_t i = 0; i < connections; i++)
        fds[i] = begin(probe, bytes, len);
    for (int i = 0; i < RUNS; i++)
        transport_run(probe->transport);
    for (size_t i = 0; i < connections; i++)
        if (fds[i] >= 0)
            end(probe, fds[i], &seen);
    transport_run(probe->transport); /* it sees the ends of the streams and closes */
    return probe->verdict;
}

struct mhd_probe_verdict mhd_probe_ask(struct mhd_probe *probe, const char *bytes, size_t len)
{
    return ask(probe, bytes, len, 1);
}

struct mhd_probe_verdict mhd_probe_ask_two(struct mhd_probe *probe, const char *bytes,
                                           size_t len)
{
    return ask(probe, bytes, len, 2);
}
