/* SPDX-License-Identifier: Apache-2.0
 * mhd_selftest.c - the request check depends on what libmicrohttpd does: on the bytes that
 * version 0.9.75 leaves in its buffer, or on the strictness of its own reader since 1.0.0. A
 * ready-made response has another X-Request-Id for each request, written in place, and its
 * other header fields are lines of one field (transport_response.c); another build may read
 * the one too late, or refuse the other. So the cases below are tried before any client is
 * served, which takes a few milliseconds. No decision rests on the version, but one: the bytes
 * of a head are looked for in 0.9.75 alone, since elsewhere reading them is undefined. */
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

/* Carried out, once, by a reader that ignores blanks behind a value, as RFC 9110, 5.5, asks:
 * so read it has one meaning, and the connection ends. Refused by the bytes. */
enum { IF_TRIMMED = 100 };

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
    {"a line feed behind a chunk's size",
     BYTES(POST "Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n" NEXT), 400, 0},
    {"a chunk that is longer than its size",
     BYTES(POST "Transfer-Encoding: chunked\r\n\r\n5\r\nhelloXX\r\n0\r\n\r\n" NEXT), 400, 0},
    {"a sign before a chunk's size",
     BYTES(POST "Transfer-Encoding: chunked\r\n\r\n+5\r\nhello\r\n0\r\n\r\n" NEXT), 400, 0},
    {"a line feed in the trailer section",
     BYTES(POST "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\n\r\n" NEXT), 400,
     0},
    {"a name in the trailer section that is no token",
     BYTES(POST "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n(X): y\r\n\r\n" NEXT),
     400, 0},
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
    {"a Content-Length that is no number", BYTES(POST "Content-Length: 5x\r\n\r\nhello" NEXT),
     400, 0},
    {"a sign before Content-Length", BYTES(POST "Content-Length: +5\r\n\r\nhello" NEXT), 400,
     0},
    {"a list as Content-Length", BYTES(POST "Content-Length: 5, 5\r\n\r\nhello" NEXT), 400, 0},
    {"a tab before the colon",
     BYTES(POST "Transfer-Encoding\t: chunked\r\nContent-Length: 5\r\n\r\nhello" NEXT), 400, 0},
    {"a name that is no token", BYTES(GET "X(A): v\r\n\r\n" NEXT), 400, 0},
    {"an empty name", BYTES(GET ": v\r\n\r\n" NEXT), 400, 0},
    {"a line without a colon", BYTES(GET "nocolon\r\n\r\n" NEXT), 400, 0},
    {"a control character in a value", BYTES(GET "X: a\x01\r\n\r\n" NEXT), 400, 0},
    {"two Transfer-Encoding",
     BYTES(POST
           "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" CHUNKS NEXT),
     400, 0},
    {"a vertical tab before chunked",
     BYTES(POST "Transfer-Encoding: \x0b"
                "chunked\r\n\r\n" CHUNKS NEXT),
     400, 0},
    {"gzip, chunked", BYTES(POST "Transfer-Encoding: gzip, chunked\r\n\r\n" CHUNKS), 501, 0},
    {"chunked and a blank", BYTES(POST "Transfer-Encoding: chunked \r\n\r\n" CHUNKS NEXT), 501,
     IF_TRIMMED},
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

/* Returns how many requests must be carried out. */
static unsigned expected(unsigned shortcuts, const struct selftest_case *test)
{
    if (test->executed == IF_TRIMMED)
        return mhd_shortcut_is_in(shortcuts, SHORTCUT_RAW_HEAD) ? 0 : 1;
    return test->executed;
}

static int expected_status(unsigned shortcuts, const struct selftest_case *test)
{
    return expected(shortcuts, test) > 0 ? 200 : test->status;
}

/* libmicrohttpd's reader refuses with a status of its own, or closes without an answer. */
static bool is_right(unsigned shortcuts, const struct selftest_case *test,
                     const struct mhd_probe_verdict *verdict)
{
    const unsigned executed = expected(shortcuts, test);
    const int status = expected_status(shortcuts, test);

    if (verdict->executed != executed || verdict->right != executed)
        return false;
    if (mhd_shortcut_is_in(shortcuts, SHORTCUT_NO_QUERY) && verdict->arguments != 0)
        return false;
    return verdict->status == status ||
           (!mhd_shortcut_is_in(shortcuts, SHORTCUT_RAW_HEAD) && executed == 0 &&
            (verdict->status == 0 || verdict->status >= 400));
}

static bool check(unsigned shortcuts, struct mhd_probe *probe, const struct selftest_case *test,
                  char *why)
{
    struct mhd_probe_verdict verdict = mhd_probe_ask(probe, test->bytes, test->len);

    if (is_right(shortcuts, test, &verdict))
        return true;
    snprintf(
        why, MHD_SELFTEST_WHY,
        "%s: answered %d and carried out %u requests, %u with all header lines and an id of "
        "their own, and %d arguments parsed; it must be %d, %u, %u and 0",
        test->name, verdict.status, verdict.executed, verdict.right, verdict.arguments,
        expected_status(shortcuts, test), expected(shortcuts, test), expected(shortcuts, test));
    return false;
}

/* Two connections get one response at the same time. */
static bool check_shared(struct mhd_probe *probe, char *why)
{
    struct mhd_probe_verdict verdict = mhd_probe_ask_two(probe, BYTES(GET "\r\n"));

    if (verdict.executed == 2 && verdict.right == 2)
        return true;
    snprintf(why, MHD_SELFTEST_WHY, "a response for two connections: %u of them were right",
             verdict.right);
    return false;
}

static bool check_refusal(struct mhd_probe *probe, char *why)
{
    struct mhd_probe_verdict verdict =
        mhd_probe_ask(probe, BYTES(POST "Content-Length: x\r\n\r\n"));

    if (verdict.refused == 400)
        return true;
    snprintf(why, MHD_SELFTEST_WHY, "a refused head: its status is told as %u, it must be 400",
             verdict.refused);
    return false;
}

/* Checks all cases, or those that are carried out, with these shortcuts. */
static bool check_cases(unsigned shortcuts, bool all, char *why)
{
    struct mhd_probe *probe = mhd_probe_new(shortcuts);
    bool right = probe != NULL;

    if (!probe)
        snprintf(why, MHD_SELFTEST_WHY, "out of memory or descriptors");
    for (size_t i = 0; i < mhd_selftest_count() && right; i++)
        right = (!all && cases[i].executed == 0) || check(shortcuts, probe, &cases[i], why);
    if (right && mhd_shortcut_is_in(shortcuts, SHORTCUT_SHARED))
        right = check_shared(probe, why);
    if (right && mhd_shortcut_is_in(shortcuts, SHORTCUT_REFUSALS))
        right = check_refusal(probe, why);
    mhd_probe_free(probe);
    return right;
}

/* Returns whether requests are read safely; the shortcut of the bytes is on if it works. */
static bool choose_reader(unsigned allowed, struct mhd_selftest *found)
{
    char *why = found->off[SHORTCUT_RAW_HEAD];
    const bool looks = strcmp(transport_version(), "0.9.75") == 0 &&
                       mhd_shortcut_is_in(allowed, SHORTCUT_RAW_HEAD);

    if (looks) {
        found->shortcuts = 1u << SHORTCUT_RAW_HEAD;
        if (check_cases(found->shortcuts, true, why))
            return true;
        found->shortcuts = 0;
    } else {
        snprintf(why, MHD_SELFTEST_WHY, "libmicrohttpd %s is asked for the lines",
                 transport_version());
    }
    if (check_cases(0, true, found->wrong))
        return true;
    if (looks)
        memcpy(found->wrong, why, MHD_SELFTEST_WHY);
    return false;
}

void mhd_selftest_run(unsigned allowed, struct mhd_selftest *found)
{
    memset(found, 0, sizeof *found);
    if (!choose_reader(allowed, found))
        return;
    for (int i = SHORTCUT_RAW_HEAD + 1; i < SHORTCUT_COUNT; i++) {
        const unsigned more = found->shortcuts | 1u << i;

        if (!mhd_shortcut_is_in(allowed, (enum mhd_shortcut)i))
            snprintf(found->off[i], MHD_SELFTEST_WHY, "it is not allowed");
        else if (check_cases(more, false, found->off[i]))
            found->shortcuts = more;
    }
    (void)check_cases(found->shortcuts, true, found->wrong);
}
