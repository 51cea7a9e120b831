/* SPDX-License-Identifier: Apache-2.0
 * selftest.c - the gate reads what libmicrohttpd 0.9.75 leaves in its buffer; another build
 * may leave something else. So, before anybody is served, a daemon of our own is asked over
 * pairs of sockets what each of these bytes mean, in a few milliseconds. */
#include "server/selftest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/gate.h"
#include "server/head.h"

enum { TURNS = 16, MAX_BODY = 1024 };

/* What the daemon under test did with the bytes of one case. */
struct witness {
    struct head head;
    bool begun;
    unsigned executed; /* requests that passed the gate and were complete */
    int arguments;     /* libmicrohttpd parsed itself */
};

static enum MHD_Result answer(struct MHD_Connection *mhd, unsigned status)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    enum MHD_Result result = MHD_NO;

    if (response && (status == 200 || MHD_add_response_header(response, "Connection", "close")))
        result = MHD_queue_response(mhd, status, response);
    if (response)
        MHD_destroy_response(response);
    return result;
}

static void *on_target(void *cls, const char *target, struct MHD_Connection *mhd)
{
    struct witness *witness = cls;

    (void)mhd;
    witness->begun = false;
    gate_target(&witness->head, target);
    return witness;
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *mhd, const char *url,
                                  const char *method, const char *version, const char *body,
                                  size_t *len, void **context)
{
    struct witness *witness = cls;

    (void)url;
    (void)body;
    (void)context;
    if (!witness->begun) {
        witness->begun = true;
        gate_head(&witness->head, mhd, method, version, MAX_BODY);
        witness->arguments = MHD_get_connection_values(mhd, MHD_GET_ARGUMENT_KIND, NULL, NULL);
        return witness->head.refused ? answer(mhd, witness->head.refused) : MHD_YES;
    }
    if (*len == 0) {
        witness->executed++;
        return answer(mhd, 200);
    }
    *len = 0;
    return MHD_YES;
}

/* ---- cases ------------------------------------------------------------------------- */

#define GET "GET /p HTTP/1.1\r\nHost: x\r\n"
#define POST "POST /p HTTP/1.1\r\nHost: x\r\n"
#define NEXT "GET /next HTTP/1.1\r\nHost: x\r\n\r\n"
#define CHUNKS "5\r\nhello\r\n0\r\n\r\n"
#define BYTES(TEXT) TEXT, sizeof(TEXT) - 1

static const struct selftest_case {
    const char *name;
    const char *bytes;
    size_t len;
    int status;        /* of the first answer */
    unsigned executed; /* requests carried out */
} cases[] = {
    {"a plain request", BYTES(GET "\r\n"), 200, 1},
    {"a query", BYTES("GET /p?a=1&b=%20 HTTP/1.1\r\nHost: x\r\n\r\n"), 200, 1},
    {"a body", BYTES(POST "Content-Length: 5\r\n\r\nhello"), 200, 1},
    {"a chunked body", BYTES(POST "Transfer-Encoding: chunked\r\n\r\n" CHUNKS), 200, 1},
    {"two pipelined requests", BYTES(GET "\r\n" NEXT), 200, 2},
    {"an absolute target", BYTES("GET http://x/p HTTP/1.1\r\nHost: x\r\n\r\n"), 200, 1},
    {"two Content-Length",
     BYTES(POST "Content-Length: 5\r\nContent-Length: 0\r\n\r\nhello" NEXT), 400, 0},
    {"Content-Length and Transfer-Encoding",
     BYTES(POST "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n" CHUNKS NEXT), 400, 0},
    {"a blank before the colon", BYTES(POST "Content-Length : 36\r\n\r\n" NEXT), 400, 0},
    {"a folded line", BYTES(POST "X-Api-: k\r\n Key\r\n\r\n" NEXT), 400, 0},
    {"a first line that starts with a blank",
     BYTES("POST /p HTTP/1.1\r\n Content-Length: 36\r\nHost: x\r\n\r\n" NEXT), 400, 0},
    {"gzip, chunked", BYTES(POST "Transfer-Encoding: gzip, chunked\r\n\r\n" CHUNKS), 501, 0},
    {"chunked and a blank", BYTES(POST "Transfer-Encoding: chunked \r\n\r\n" CHUNKS NEXT), 501,
     0},
    {"a NUL in a value", BYTES(POST "Content-Length: 5\0junk\r\n\r\nhello" NEXT), 400, 0},
    {"a NUL at the start of a line", BYTES(GET "\0X: v\r\nX-Z: 1\r\n\r\n" NEXT), 400, 0},
    {"line feeds alone", BYTES("GET /p HTTP/1.1\nHost: x\n\n" NEXT), 400, 0},
    {"a CR in a value", BYTES(GET "X-A: a\rContent-Length: 5\r\n\r\n" NEXT), 400, 0},
    {"an encoded NUL in the target", BYTES("GET /p%00 HTTP/1.1\r\nHost: x\r\n\r\n" NEXT), 400,
     0},
    {"a NUL in the target", BYTES("GET /p\0q HTTP/1.1\r\nHost: x\r\n\r\n" NEXT), 400, 0},
    {"two Host", BYTES(GET "Host: y\r\n\r\n" NEXT), 400, 0},
    {"HTTP/1.2", BYTES("GET /p HTTP/1.2\r\nHost: x\r\n\r\n" NEXT), 505, 0},
};

size_t selftest_count(void)
{
    return sizeof cases / sizeof *cases;
}

/* ---- running ----------------------------------------------------------------------- */

/* Status of the first answer to the bytes; 0: there was none, -1: they could not be sent. */
static int ask(struct MHD_Daemon *mhd, const struct selftest_case *test)
{
    const struct sockaddr local = {.sa_family = AF_UNIX};
    char text[1024];
    int pair[2], status = 0;
    ssize_t got;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
        return -1;
    if (MHD_add_connection(mhd, pair[1], &local, sizeof local.sa_family) != MHD_YES ||
        send(pair[0], test->bytes, test->len, MSG_NOSIGNAL) != (ssize_t)test->len) {
        close(pair[0]);
        return -1;
    }
    for (int i = 0; i < TURNS; i++)
        MHD_run(mhd);
    got = recv(pair[0], text, sizeof text - 1, 0);
    text[got > 0 ? got : 0] = '\0';
    if (sscanf(text, "HTTP/1.1 %d", &status) != 1)
        status = 0;
    close(pair[0]);
    MHD_run(mhd);
    return status;
}

static const char *check(struct MHD_Daemon *mhd, struct witness *witness,
                         const struct selftest_case *test, char *why, size_t why_size)
{
    int status;

    witness->executed = 0;
    witness->arguments = 0;
    status = ask(mhd, test);
    if (status == test->status && witness->executed == test->executed &&
        witness->arguments == 0)
        return NULL;
    snprintf(
        why, why_size,
        "%s: answered %d and carried out %u requests, with %d arguments parsed; it must be "
        "%d, %u and 0",
        test->name, status, witness->executed, witness->arguments, test->status,
        test->executed);
    return why;
}

const char *selftest_run(char *why, size_t why_size)
{
    struct witness *witness = calloc(1, sizeof *witness);
    struct MHD_Daemon *mhd = NULL;
    const char *wrong = "out of memory";

    if (witness)
        mhd = MHD_start_daemon(
            MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL, on_request, witness,
            MHD_OPTION_URI_LOG_CALLBACK, on_target, witness, MHD_OPTION_STRICT_FOR_CLIENT, 1,
            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)16384, MHD_OPTION_END);
    if (mhd) {
        wrong = NULL;
        if (strcmp(MHD_get_version(), "0.9.75") != 0) {
            snprintf(why, why_size, "libmicrohttpd is %s, must be 0.9.75", MHD_get_version());
            wrong = why;
        }
        for (size_t i = 0; i < selftest_count() && !wrong; i++)
            wrong = check(mhd, witness, &cases[i], why, why_size);
        MHD_stop_daemon(mhd);
    }
    if (witness)
        head_clear(&witness->head);
    free(witness);
    return wrong;
}
