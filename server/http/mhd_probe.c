/* SPDX-License-Identifier: Apache-2.0
 * mhd_probe.c - see mhd_probe.h. The sockets of a pair deliver at once, so a few calls of
 * MHD_run finish a case without waiting. */
#include "server/http/mhd_probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/http/chunks.h"
#include "server/http/head.h"
#include "server/http/header_block.h"
#include "server/http/mhd.h"
#include "server/http/request_check.h"
#include "server/http/request_id.h"

#define BLOCK_FIRST "Content-Type: text/plain"
#define BLOCK_LAST "X-Probe: last line of the block"

enum { RUNS = 16, MAX_BODY = 1024 };

struct mhd_probe {
    struct MHD_Daemon *mhd;
    struct MHD_Response *ready; /* the response with status 200 to every request */
    struct head head;
    bool begun;
    struct mhd_probe_verdict verdict;
};

/* Carries the request out: its response has its number as X-Request-Id. */
static enum MHD_Result carry_out(struct mhd_probe *probe, struct MHD_Connection *mhd)
{
    char id[REQUEST_ID_SIZE];

    request_id_print(++probe->verdict.executed, id);
    return request_id_set(probe->ready, id) ? MHD_queue_response(mhd, 200, probe->ready)
                                            : MHD_NO;
}

static enum MHD_Result refuse(struct MHD_Connection *mhd, unsigned status)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    enum MHD_Result result = MHD_NO;

    if (response && MHD_add_response_header(response, "Connection", "close"))
        result = MHD_queue_response(mhd, status, response);
    if (response)
        MHD_destroy_response(response);
    return result;
}

static bool drop(void *context, const char *bytes, size_t len)
{
    (void)context, (void)bytes, (void)len;
    return true;
}

/* Reads the chunks that arrived with the head: a case is sent at once. */
static enum MHD_Result answer_chunks(struct mhd_probe *probe, struct MHD_Connection *mhd)
{
    struct chunks chunks;
    const char *bytes;
    size_t len;

    chunks_begin(&chunks, MAX_BODY);
    bytes = request_check_rest(&probe->head, mhd, &len);
    if (chunks_add(&chunks, bytes, len, drop, NULL) != CHUNKS_WHOLE)
        return refuse(mhd, chunks.state == CHUNKS_TOO_LARGE ? 413 : 400);
    return carry_out(probe, mhd);
}

static void *on_target(void *cls, const char *target, struct MHD_Connection *mhd)
{
    struct mhd_probe *probe = cls;

    probe->begun = false;
    request_check_target(&probe->head, target);
    return probe;
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *mhd, const char *url,
                                  const char *method, const char *version, const char *body,
                                  size_t *len, void **context)
{
    struct mhd_probe *probe = cls;

    if (!probe->begun) {
        probe->begun = true;
        request_check_head(&probe->head, mhd, method, version, MAX_BODY);
        if (probe->head.refused)
            return refuse(mhd, probe->head.refused);
        probe->verdict.arguments +=
            MHD_get_connection_values(mhd, MHD_GET_ARGUMENT_KIND, NULL, NULL);
        return probe->head.chunked ? answer_chunks(probe, mhd) : MHD_YES;
    }
    if (*len == 0)
        return carry_out(probe, mhd);
    *len = 0;
    return MHD_YES;
}

/* Makes the response, which has a block of header fields. */
static struct MHD_Response *make_ready(void)
{
    struct MHD_Response *ready =
        MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    struct header_block block;

    header_block_init(&block);
    header_block_add_lines(&block, BLOCK_FIRST "\n" BLOCK_LAST "\n");
    if (!ready || header_block_give(&block, ready))
        return ready;
    MHD_destroy_response(ready);
    return NULL;
}

struct mhd_probe *mhd_probe_new(void)
{
    struct mhd_probe *probe = calloc(1, sizeof *probe);

    if (!probe)
        return NULL;
    probe->ready = make_ready();
    if (!probe->ready) {
        free(probe);
        return NULL;
    }
    probe->mhd = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL, on_request, probe,
        MHD_OPTION_URI_LOG_CALLBACK, on_target, probe, MHD_OPTION_STRICT_FOR_CLIENT, 0,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MHD_POOL_BYTES, MHD_OPTION_END);
    if (probe->mhd)
        return probe;
    MHD_destroy_response(probe->ready);
    free(probe);
    return NULL;
}

void mhd_probe_free(struct mhd_probe *probe)
{
    if (!probe)
        return;
    MHD_stop_daemon(probe->mhd);
    MHD_destroy_response(probe->ready);
    head_clear(&probe->head);
    free(probe);
}

/* Counts the responses whose X-Request-Id is the number of their request. */
static unsigned numbered(const char *text)
{
    char id[REQUEST_ID_SIZE];
    unsigned count = 0;

    while ((text = strstr(text, REQUEST_ID_NAME ": "))) {
        text += sizeof REQUEST_ID_NAME + 1;
        request_id_print(count + 1, id);
        if (strncmp(text, id, REQUEST_ID_LEN) != 0)
            break;
        count++;
    }
    return count;
}

/* Counts the responses that have the lines of the block, as they were written. */
static unsigned whole(const char *text)
{
    static const char lines[] = "\r\n" BLOCK_FIRST "\r\n" BLOCK_LAST "\r\n";
    unsigned count = 0;

    for (; (text = strstr(text, lines)); text += sizeof lines - 1)
        count++;
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
    if (MHD_add_connection(probe->mhd, pair[1], &local, sizeof local.sa_family) == MHD_YES &&
        send(pair[0], bytes, len, MSG_NOSIGNAL) == (ssize_t)len) {
        for (int i = 0; i < RUNS; i++)
            MHD_run(probe->mhd);
        got = recv(pair[0], text, sizeof text - 1, 0);
        text[got > 0 ? got : 0] = '\0';
        if (sscanf(text, "HTTP/1.1 %d", &probe->verdict.status) != 1)
            probe->verdict.status = 0;
        probe->verdict.numbered = numbered(text);
        probe->verdict.whole = whole(text);
    }
    close(pair[0]);
    MHD_run(
        probe->mhd); /* libmicrohttpd sees the end of the stream and closes the connection */
    return probe->verdict;
}
