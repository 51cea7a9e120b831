/* SPDX-License-Identifier: Apache-2.0
 * wire_fuzz.c - mutated requests over many connections at once, against a whole posencd behind
 * a unix socket:
 *
 *     wire_fuzz SOCKET SEEDS INPUTS SEED [bare]
 *
 * With "bare" an answer may be a body alone, as nginx answers a request of HTTP/0.9.
 * SEEDS holds requests, each behind its length in four bytes. Prints what came of the inputs;
 * exit 1 if a connection could not be made or an answer does not start like one, with the bytes
 * of the input on standard error. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { SEEDS_MAX = 4096, INPUT_MAX = 20000, CLIENTS = 200, PATIENCE_MS = 1500 };

struct bytes {
    char *at;
    uint32_t len;
};

struct client {
    int fd;
    bool ends; /* it closes its half after the input */
    char input[INPUT_MAX];
    uint32_t len, sent;
    char first[12]; /* of the answer */
    uint32_t got;
    int64_t since_ms;
};

struct fuzz {
    struct bytes seeds[SEEDS_MAX];
    size_t seed_count;
    uint64_t random;
    struct sockaddr_un address;
    int epoll;
    struct client *clients;
    bool bare;
    long left, open;                                /* inputs to go, connections open */
    long inputs, answered, silent, given_up, by[6]; /* what came: by the hundred of a status */
};

static const char *const words[] = {"\r\n",
                                    "\n",
                                    "\r",
                                    " ",
                                    "\t",
                                    ":",
                                    "Content-Length: ",
                                    "Transfer-Encoding: chunked\r\n",
                                    "0\r\n\r\n",
                                    "?",
                                    "&",
                                    "=",
                                    "%00",
                                    "%",
                                    "Cookie: a=\"",
                                    "\"",
                                    ";",
                                    ",",
                                    "Expect: 100-continue\r\n",
                                    "HTTP/1.1",
                                    "HTTP/1.0",
                                    "18446744073709551615",
                                    "ffffffffffffffff",
                                    "\xff",
                                    "Host: x\r\n",
                                    "Connection: close\r\n",
                                    "pos=0:4",
                                    "dim=4",
                                    "/v1/rope?",
                                    "/v1/rope/apply?",
                                    "POST ",
                                    "QUERY ",
                                    "GET ",
                                    "Content-Type: application/x-npy\r\n",
                                    "{\"dim\":4,\"pos\":\"0:2\"}",
                                    "If-None-Match: *\r\n",
                                    "\x93NUMPY",
                                    "Accept: text/csv\r\n"};

static uint64_t draw(struct fuzz *fuzz, uint64_t below)
{
    fuzz->random ^= fuzz->random << 13;
    fuzz->random ^= fuzz->random >> 7;
    fuzz->random ^= fuzz->random << 17;
    return below ? (fuzz->random >> 11) % below : 0;
}

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- inputs ------------------------------------------------------------------ */

/* Replaces `gone` bytes at `at` by other bytes, as far as the buffer holds them. */
static void replace(struct client *client, uint32_t at, uint32_t gone, const char *bytes,
                    uint32_t len)
{
    uint32_t rest = client->len - at - gone;

    if (client->len - gone + len > INPUT_MAX)
        return;
    memmove(client->input + at + len, client->input + at + gone, rest);
    if (len)
        memcpy(client->input + at, bytes, len);
    client->len = at + len + rest;
}

static void mutate(struct fuzz *fuzz, struct client *client)
{
    uint32_t at = (uint32_t)draw(fuzz, client->len + 1), rest = client->len - at;
    const struct bytes *other = &fuzz->seeds[draw(fuzz, fuzz->seed_count)];
    const char *word = words[draw(fuzz, sizeof words / sizeof *words)];
    uint32_t some = (uint32_t)draw(fuzz, rest < 40 ? rest + 1 : 40);
    char piece[64];

    switch (draw(fuzz, 8)) {
    case 0:
        if (rest)
            client->input[at] = (char)draw(fuzz, 256);
        break;
    case 1:
        if (rest)
            client->input[at] ^= (char)(1 << draw(fuzz, 8));
        break;
    case 2:
        replace(client, at, some, NULL, 0);
        break;
    case 3:
        memcpy(piece, client->input + at, some);
        for (uint64_t i = draw(fuzz, 30); i > 0; i--)
            replace(client, at, 0, piece, some);
        break;
    case 4: { /* the end of another */
        uint32_t from = (uint32_t)draw(fuzz, other->len + 1);
        replace(client, at, rest, other->at + from, other->len - from);
        break;
    }
    case 5: /* NUL */
        replace(client, at, 0, "", 1);
        break;
    default:
        replace(client, at, 0, word, (uint32_t)strlen(word));
    }
}

static void make_input(struct fuzz *fuzz, struct client *client)
{
    static const int counts[] = {1, 1, 1, 2, 2, 3, 6, 12};
    const struct bytes *seed = &fuzz->seeds[draw(fuzz, fuzz->seed_count)];

    client->len = seed->len;
    memcpy(client->input, seed->at, seed->len);
    for (int i = counts[draw(fuzz, 8)]; i > 0; i--)
        mutate(fuzz, client);
}

static bool read_seeds(struct fuzz *fuzz, const char *path)
{
    FILE *file = fopen(path, "rbe");
    uint32_t len;

    while (file && fuzz->seed_count < SEEDS_MAX && fread(&len, sizeof len, 1, file) == 1) {
        struct bytes *seed = &fuzz->seeds[fuzz->seed_count];

        seed->at = malloc(len + 1);
        seed->len = len;
        if (!seed->at || fread(seed->at, 1, len, file) != len)
            return false;
        if (len <= INPUT_MAX / 2)
            fuzz->seed_count++;
    }
    if (file)
        fclose(file);
    return fuzz->seed_count > 0;
}

/* ---- connections ------------------------------------------------------------------ */

static bool begin(struct fuzz *fuzz, struct client *client)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT, .data.ptr = client};

    client->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (client->fd < 0 ||
        connect(client->fd, (struct sockaddr *)&fuzz->address, sizeof fuzz->address) != 0) {
        int error = errno;
        close(client->fd);
        client->fd = -1;
        return error == EAGAIN; /* the queue is full: later */
    }
    make_input(fuzz, client);
    client->ends = draw(fuzz, 4) > 0;
    client->sent = client->got = 0;
    client->since_ms = now_ms();
    fuzz->left--;
    fuzz->open++;
    return epoll_ctl(fuzz->epoll, EPOLL_CTL_ADD, client->fd, &event) == 0;
}

/* Counts the answer; false if the bytes are no answer. */
static bool end(struct fuzz *fuzz, struct client *client)
{
    bool has_head = client->got >= sizeof client->first &&
                    memcmp(client->first, "HTTP/1.1 ", 9) == 0 && client->first[9] >= '1' &&
                    client->first[9] <= '5';
    bool sane = client->got == 0 || has_head || fuzz->bare;

    close(client->fd);
    client->fd = -1;
    fuzz->inputs++;
    fuzz->open--;
    if (client->got == 0)
        fuzz->silent++;
    else if (has_head)
        fuzz->by[client->first[9] - '0']++;
    fuzz->answered += client->got > 0;
    if (!sane)
        fwrite(client->input, 1, client->len, stderr);
    return sane;
}

/* False if the connection is over. */
static bool take(struct client *client)
{
    char bytes[16384];
    ssize_t got = recv(client->fd, bytes, sizeof bytes, 0);

    if (got <= 0)
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    for (ssize_t i = 0; i < got && client->got < sizeof client->first; i++)
        client->first[client->got++] = bytes[i];
    return true;
}

static void give(struct fuzz *fuzz, struct client *client)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
    uint32_t left = client->len - client->sent;
    uint32_t most = draw(fuzz, 4) ? left : (uint32_t)draw(fuzz, left + 1);
    ssize_t sent = send(client->fd, client->input + client->sent, most, MSG_NOSIGNAL);

    if (sent > 0)
        client->sent += (uint32_t)sent;
    if (client->sent < client->len && (sent >= 0 || errno == EAGAIN))
        return;
    if (client->ends)
        shutdown(client->fd, SHUT_WR);
    epoll_ctl(fuzz->epoll, EPOLL_CTL_MOD, client->fd, &event);
}

static bool serve(struct fuzz *fuzz, const struct epoll_event *event)
{
    struct client *client = event->data.ptr;

    if (client->fd < 0)
        return true;
    if ((event->events & (EPOLLIN | EPOLLHUP | EPOLLERR)) && !take(client))
        return end(fuzz, client);
    if (event->events & EPOLLOUT)
        give(fuzz, client);
    return true;
}

/* Starts connections and gives up those that nothing ends; false when the fuzzing is over. */
static bool look_after(struct fuzz *fuzz, int64_t now, bool *ok)
{
    for (size_t i = 0; i < CLIENTS; i++) {
        struct client *client = &fuzz->clients[i];

        if (client->fd >= 0 && now > client->since_ms + PATIENCE_MS) {
            fuzz->given_up++;
            *ok &= end(fuzz, client);
        }
        if (client->fd < 0 && fuzz->left > 0)
            *ok &= begin(fuzz, client);
    }
    return *ok && (fuzz->left > 0 || fuzz->open > 0);
}

static bool run(struct fuzz *fuzz)
{
    struct epoll_event events[CLIENTS];
    bool ok = true;

    for (size_t i = 0; i < CLIENTS; i++)
        fuzz->clients[i].fd = -1;
    while (look_after(fuzz, now_ms(), &ok)) {
        int count = epoll_wait(fuzz->epoll, events, CLIENTS, 5);

        for (int i = 0; i < count; i++)
            ok &= serve(fuzz, &events[i]);
    }
    return ok;
}

int main(int argc, char *argv[])
{
    struct fuzz *fuzz = calloc(1, sizeof *fuzz);
    bool ok;

    if (argc < 5 || argc > 6 || !fuzz || !read_seeds(fuzz, argv[2]))
        return 2;
    fuzz->clients = calloc(CLIENTS, sizeof *fuzz->clients);
    fuzz->address.sun_family = AF_UNIX;
    snprintf(fuzz->address.sun_path, sizeof fuzz->address.sun_path, "%s", argv[1]);
    fuzz->bare = argc == 6;
    fuzz->left = strtol(argv[3], NULL, 10);
    fuzz->random = 88172645463325252u ^ (strtoull(argv[4], NULL, 10) << 20);
    fuzz->epoll = epoll_create1(EPOLL_CLOEXEC);
    ok = fuzz->clients && fuzz->epoll >= 0 && run(fuzz);
    printf("{\"inputs\":%ld,\"answered\":%ld,\"silent\":%ld,\"given_up\":%ld,\"1xx\":%ld,"
           "\"2xx\":%ld,\"3xx\":%ld,\"4xx\":%ld,\"5xx\":%ld}\n",
           fuzz->inputs, fuzz->answered, fuzz->silent, fuzz->given_up, fuzz->by[1], fuzz->by[2],
           fuzz->by[3], fuzz->by[4], fuzz->by[5]);
    return ok ? 0 : 1;
}
