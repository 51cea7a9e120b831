/* SPDX-License-Identifier: Apache-2.0
 * ask.c [--read] ADDRESS CONNECTIONS SECONDS [FROM] - sends the request that standard input
 * holds, on each connection anew when the answer has arrived, and on a new connection where
 * the answer ends the old one. ADDRESS is PORT, tls:PORT or the path of a unix socket. "{n}"
 * and "{n+128}" in the first line are numbers that count up from FROM, so that no request
 * comes twice. Prints how many answers came in how many seconds, how many bytes they had, and
 * their status, which must be the same for all. An answer that has not arrived whole counts as
 * its part. Over TCP the kernel drops the bytes of bodies (MSG_TRUNC): a client that copied
 * them would be busier than the servers it should measure. With --read it copies all of them
 * into a buffer, as every real client does, and the server pays for pages that the reader's
 * cache does not have. wrk cannot read a 304 that has the Content-Length of the 200: it waits
 * for a body. */
#include <assert.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/bench/ask_wire.h"

enum { MOST = 256, HEAD = 4096, REQUEST = 1 << 20, LINE = 1024, BUFFER = 1 << 20 };

struct asked {
    struct wire wire;
    char head[HEAD];
    size_t head_len;    /* bytes of the head so far */
    size_t body, left;  /* length of the body, and what is missing of it */
    bool in_body, ends; /* the head is complete; the connection ends with the answer */
};

struct load {
    const char *address;
    const char *tail; /* the request behind its first line */
    size_t tail_len;
    char line[LINE]; /* the first line, with its numbers unfilled */
    long long number;
    bool reads; /* bodies into the buffer */
    double answers;
    size_t bytes;
    int status;
    char buffer[BUFFER];
};

static double now(void)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

/* Writes the first line, with the next number in place of "{n}" and a sum for "{n+K}". */
static size_t write_line(struct load *load, char *to, size_t size)
{
    const char *from = load->line;
    const long long number = load->number++;
    size_t len = 0;

    while (*from) {
        assert(len < size);
        if (strncmp(from, "{n", 2) != 0) {
            to[len++] = *from++;
            continue;
        }
        char *end;
        const long long more = strtoll(from + 2, &end, 10);
        assert(*end == '}');
        len += (size_t)snprintf(to + len, size - len, "%lld", number + more);
        assert(len < size);
        from = end + 1;
    }
    return len;
}

/* Line and rest are sent at once: a server should not read a request in two parts. */
static bool send_request(struct load *load, struct asked *one)
{
    static char request[REQUEST + LINE];
    const size_t len = write_line(load, request, LINE);

    memcpy(request + len, load->tail, load->tail_len);
    one->head_len = 0;
    one->in_body = false;
    return wire_send(&one->wire, request, len + load->tail_len);
}

/* Reads status and length from a head that is complete; so many bytes of the body came with
 * it. */
static bool read_head(struct load *load, struct asked *one, size_t extra)
{
    const int status = (int)strtol(one->head + 9, NULL, 10);
    const char *length = strcasestr(one->head, "\r\nContent-Length:");

    if (load->status && status != load->status)
        return false;
    load->status = status;
    one->body = status == 304 || !length ? 0 : strtoull(length + 17, NULL, 10);
    one->ends = strcasestr(one->head, "\r\nConnection: close") != NULL;
    one->in_body = true;
    if (extra > one->body || (!length && status != 304))
        return false;
    one->left = one->body - extra;
    return true;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Receives a part of the head, and what comes of the body with it: nothing where the body will
 * be dropped. */
static ssize_t receive_head(struct load *load, struct asked *one)
{
    const size_t before = one->head_len, space = HEAD - 1 - before;
    const ssize_t got =
        wire_receive(&one->wire, load->buffer, load->reads ? sizeof load->buffer : space);

    if (got <= 0)
        return got;
    const size_t taken = smaller((size_t)got, space);
    memcpy(one->head + before, load->buffer, taken);
    one->head_len += taken;
    one->head[one->head_len] = '\0';
    const char *end = strstr(one->head, "\r\n\r\n");
    if (!end)
        return one->head_len < HEAD - 1 ? got : -1;
    const size_t head_part = (size_t)(end + 4 - one->head) - before;
    return read_head(load, one, (size_t)got - head_part) ? got : -1;
}

static bool receive(struct load *load, struct asked *one)
{
    ssize_t got;

    if (!one->in_body) {
        got = receive_head(load, one);
    } else {
        got = load->reads ? wire_receive(&one->wire, load->buffer,
                                         smaller(one->left, sizeof load->buffer))
                          : wire_receive(&one->wire, NULL, one->left);
        one->left -= got > 0 ? (size_t)got : 0;
    }
    load->bytes += got > 0 ? (size_t)got : 0;
    return got >= 0;
}

static bool is_whole(const struct asked *one)
{
    return one->in_body && one->left == 0;
}

/* Takes what has come; false if that is no answer. */
static bool step(struct load *load, struct asked *one)
{
    do
        if (!receive(load, one))
            return false;
    while (!is_whole(one) && wire_has_more(&one->wire));
    if (!is_whole(one))
        return true;
    load->answers++;
    if (one->ends) {
        wire_close(&one->wire);
        if (!wire_open(&one->wire, load->address))
            return false;
    }
    return send_request(load, one);
}

static bool run(struct load *load, struct asked *all, int connections, double seconds)
{
    static struct pollfd polled[MOST];
    const double end = now() + seconds;

    while (now() < end) {
        for (int i = 0; i < connections; i++)
            polled[i] = (struct pollfd){.fd = all[i].wire.fd, .events = POLLIN};
        if (poll(polled, (nfds_t)connections, 100) < 0)
            return false;
        for (int i = 0; i < connections; i++)
            if (polled[i].revents && !step(load, &all[i]))
                return false;
    }
    for (int i = 0; i < connections; i++)
        if (all[i].in_body && all[i].left > 0)
            load->answers += 1 - (double)all[i].left / (double)all[i].body;
    return true;
}

int main(int argc, char *argv[])
{
    static char request[REQUEST];
    static struct asked all[MOST];
    static struct load load;

    if (argc > 1 && strcmp(argv[1], "--read") == 0) {
        load.reads = true;
        argc--;
        argv++;
    }
    if (argc < 4 || argc > 5)
        return EXIT_FAILURE;
    const size_t request_len = fread(request, 1, sizeof request - 1, stdin);
    const int connections = (int)strtol(argv[2], NULL, 10);
    const char *line_end = strstr(request, "\r\n");
    if (connections < 1 || connections > MOST || !line_end || line_end - request >= LINE - 64)
        return EXIT_FAILURE;
    memcpy(load.line, request, (size_t)(line_end - request));
    load.tail = line_end;
    load.tail_len = request_len - (size_t)(line_end - request);
    load.address = argv[1];
    load.number = argc > 4 ? strtoll(argv[4], NULL, 10) : 0;
    for (int i = 0; i < connections; i++)
        if (!wire_open(&all[i].wire, load.address) || !send_request(&load, &all[i]))
            return EXIT_FAILURE;
    const double start = now();
    if (!run(&load, all, connections, strtod(argv[3], NULL)))
        return EXIT_FAILURE;
    printf("%.3f %.6f %zu %d\n", load.answers, now() - start, load.bytes, load.status);
    return EXIT_SUCCESS;
}
