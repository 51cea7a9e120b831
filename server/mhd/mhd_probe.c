/* SPDX-License-Identifier: Apache-2.0
 * mhd_probe.c - see mhd_probe.h. The sockets of a pair deliver at once, so a few runs of the
 * transport finish a case without waiting. */
#include "server/mhd/mhd_probe.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/http/chunks.h"
#include "server/http/request_check.h"
#include "server/http/request_id.h"
#include "server/http/transport.h"

#define BLOCK_FIRST "Content-Type: text/plain"
#define BLOCK_LAST "X-Probe: last line of the block"

enum { RUNS = 16, MAX_BODY = 1024 };

static const struct transport_body empty = {.kind = TRANSPORT_BYTES, .bytes = ""};

struct mhd_probe {
    struct transport *transport;
    struct transport_connection *wire;
    struct transport_response *ready; /* the response with status 200 to every request */
    struct head head;
    struct mhd_probe_verdict verdict;
};

/* ---- what the transport tells ------------------------------------------------------------ */

static void *on_begins(void *context, struct transport_connection *wire, int fd)
{
    struct mhd_probe *probe = context;

    (void)fd;
    probe->wire = wire;
    return probe;
}

static void on_target(void *owner, const char *raw)
{
    struct mhd_probe *probe = owner;

    request_check_target(&probe->head, raw);
}

/* Carries the request out: its response has its number as X-Request-Id. */
static bool carry_out(void *owner)
{
    struct mhd_probe *probe = owner;
    char id[REQUEST_ID_SIZE];

    request_id_print(++probe->verdict.executed, id);
    return transport_response_send(probe->wire, 200, probe->ready, id);
}

static bool refuse(struct mhd_probe *probe, unsigned status)
{
    struct transport_response *response;
    struct header_block head;
    bool sent;

    header_block_init(&head);
    head.closes = true;
    response = transport_response_new(&empty, &head);
    sent = response && transport_response_send(probe->wire, status, response, "refused");
    transport_response_free(response);
    return sent;
}

static bool drop(void *context, const char *bytes, size_t len)
{
    (void)context, (void)bytes, (void)len;
    return true;
}

/* Reads the chunks that arrived with the head: a case is sent at once. */
static bool answer_chunks(struct mhd_probe *probe, const struct head_bytes *bytes)
{
    struct chunks chunks;

    chunks_begin(&chunks, MAX_BODY);
    if (chunks_add(&chunks, bytes->rest, bytes->rest_len, drop, NULL) != CHUNKS_WHOLE)
        return refuse(probe, chunks.state == CHUNKS_TOO_LARGE ? 413 : 400);
    return carry_out(probe);
}

static bool on_head(void *owner, const struct head_bytes *bytes)
{
    struct mhd_probe *probe = owner;

    request_check_head(&probe->head, bytes, MAX_BODY);
    if (probe->head.refused)
        return refuse(probe, probe->head.refused);
    probe->verdict.arguments += MHD_get_connection_values(
        (struct MHD_Connection *)(void *)probe->wire, MHD_GET_ARGUMENT_KIND, NULL, NULL);
    return !probe->head.chunked || answer_chunks(probe, bytes);
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
                                             .whole = carry_out};

/* ---- asking ------------------------------------------------------------------------------ */

/* Makes the response, which has a block of header fields. */
static struct transport_response *make_ready(void)
{
    struct header_block head;

    header_block_init(&head);
    header_block_add_lines(&head, BLOCK_FIRST "\n" BLOCK_LAST "\n");
    return transport_response_new(&empty, &head);
}

struct mhd_probe *mhd_probe_new(void)
{
    struct mhd_probe *probe = calloc(1, sizeof *probe);

    if (!probe)
        return NULL;
    probe->ready = make_ready();
    if (probe->ready)
        probe->transport = transport_new(
            &(struct transport_options){.calls = &calls, .context = probe, .connections = 1});
    if (probe->transport)
        return probe;
    transport_response_free(probe->ready);
    free(probe);
    return NULL;
}

void mhd_probe_free(struct mhd_probe *probe)
{
    if (!probe)
        return;
    transport_free(probe->transport);
    transport_response_free(probe->ready);
    head_clear(&probe->head);
    free(probe);
}

/* Counts the responses that have the lines of their head as they were written, and then the
 * number of their request as X-Request-Id. */
static unsigned count_right(const char *text)
{
    static const char lines[] =
        "\r\n" BLOCK_FIRST "\r\n" BLOCK_LAST "\r\n" REQUEST_ID_NAME ": ";
    char id[REQUEST_ID_SIZE];
    unsigned count = 0;

    while ((text = strstr(text, lines))) {
        text += sizeof lines - 1;
        request_id_print(count + 1, id);
        if (strncmp(text, id, REQUEST_ID_LEN) != 0)
            break;
        count++;
    }
    return count;
}

struct mhd_probe_verdict mhd_probe_ask(struct mhd_probe *probe, const char *bytes, size_t len)
{
    const struct sockaddr local = {.sa_family = AF_UNIX};
    char text[1024];
    int pair[2];
    ssize_t got;

    probe->verdict = (struct mhd_probe_verdict){.status = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
        return probe->verdict;
    if (transport_add(probe->transport, pair[1], &local, sizeof local.sa_family) &&
        send(pair[0], bytes, len, MSG_NOSIGNAL) == (ssize_t)len) {
        for (int i = 0; i < RUNS; i++)
            transport_run(probe->transport);
        got = recv(pair[0], text, sizeof text - 1, 0);
        text[got > 0 ? got : 0] = '\0';
        if (sscanf(text, "HTTP/1.1 %d", &probe->verdict.status) != 1)
            probe->verdict.status = 0;
        probe->verdict.right = count_right(text);
    }
    close(pair[0]);
    transport_run(
        probe->transport); /* it sees the end of the stream and closes the connection */
    return probe->verdict;
}
