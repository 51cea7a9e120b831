/* SPDX-License-Identifier: Apache-2.0
 * mhd_selftest.c - the request check reads the bytes that libmicrohttpd 0.9.75 leaves in its
 * buffer; another build may leave other bytes. A ready-made response has another X-Request-Id
 * for each request, written in place, and its other header fields are lines of one field
 * (transport_response.c); another build may read the one too late, or refuse the other. So
 * the cases below are tried before any client is served, which takes a few milliseconds. */
#include "server/mhd/mhd_selftest.h"

#include <stdio.h>
#include <string.h>

#include "server/http/transport.h"
#include "server/mhd/mhd_probe.h"

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
    int status;        /* of the first response */
    unsigned executed; /* number of requests carried out */
} cases[] = {
    {"a plain request", BYTES(GET "\r\n"), 200, 1},
    {"a query", BYTES("GET /p?a=1&b=%20 HTTP/1.1\r\nHost: x\r\n\r\n"), 200, 1},
    {"a body", BYTES(POST "Content-Length: 5\r\n\r\nhello"), 200, 1},
    {"a chunked body", BYTES(POST "Transfer-Encoding: chunked\r\n\r\n" CHUNKS), 200, 1},
    {"a chunked body and a request behind it",
     BYTES(POST "Transfer-Encoding: chunked\r\n\r\n" CHUNKS NEXT), 200, 1},
    {"a line feed in a chunk's extension",
     BYTES(POST "Transfer-Encoding: chunked\r\n\r\n5;a\nhello\r\n0\r\n\r\n" NEXT), 400, 0},
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
    {"a line feed and a colon before the end", BYTES(GET "X: y\n:\r\n" NEXT), 400, 0},
    {"a colon and a line feed for the end", BYTES(GET "X: y\r\n:\n" NEXT), 400, 0},
    {"a CR in a value", BYTES(GET "X-A: a\rContent-Length: 5\r\n\r\n" NEXT), 400, 0},
    {"an encoded NUL in the target", BYTES("GET /p%00 HTTP/1.1\r\nHost: x\r\n\r\n" NEXT), 400,
     0},
    {"a NUL in the target", BYTES("GET /p\0q HTTP/1.1\r\nHost: x\r\n\r\n" NEXT), 400, 0},
    {"a blank in the target", BYTES("GET /p q HTTP/1.1\r\nHost: x\r\n\r\n" NEXT), 400, 0},
    {"no Host", BYTES("GET /p HTTP/1.1\r\n\r\n" NEXT), 400, 0},
    {"two Host", BYTES(GET "Host: y\r\n\r\n" NEXT), 400, 0},
    {"HTTP/1.2", BYTES("GET /p HTTP/1.2\r\nHost: x\r\n\r\n" NEXT), 505, 0},
};

size_t mhd_selftest_count(void)
{
    return sizeof cases / sizeof *cases;
}

/* ---- running --------------------------------------------------------------------------- */

static const char *check(struct mhd_probe *probe, const struct selftest_case *test, char *why,
                         size_t why_size)
{
    struct mhd_probe_verdict verdict = mhd_probe_ask(probe, test->bytes, test->len);

    if (verdict.status == test->status && verdict.executed == test->executed &&
        verdict.right == test->executed && verdict.arguments == 0)
        return NULL;
    snprintf(
        why, why_size,
        "%s: answered %d and carried out %u requests, %u with all header lines and an id of "
        "their own, and %d arguments parsed; it must be %d, %u, %u and 0",
        test->name, verdict.status, verdict.executed, verdict.right, verdict.arguments,
        test->status, test->executed, test->executed);
    return why;
}

const char *mhd_selftest_run(char *why, size_t why_size)
{
    struct mhd_probe *probe = mhd_probe_new();
    const char *wrong = probe ? NULL : "out of memory or descriptors";

    if (probe && strcmp(transport_version(), "0.9.75") != 0) {
        snprintf(why, why_size, "libmicrohttpd is %s, must be 0.9.75", transport_version());
        wrong = why;
    }
    for (size_t i = 0; i < mhd_selftest_count() && !wrong; i++)
        wrong = check(probe, &cases[i], why, why_size);
    mhd_probe_free(probe);
    return wrong;
}
