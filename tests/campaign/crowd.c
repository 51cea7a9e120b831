/* SPDX-License-Identifier: Apache-2.0
 * crowd.c PORT|tls:PORT FROM SECONDS GRACE GROUP... - sends requests from the address FROM to a
 * server on 127.0.0.1, and prints for each group of clients a line of JSON: how many requests
 * it sent, what came, what was cut, and how many milliseconds half and 99 % of the answers
 * took. A GROUP is options between commas: name=, file= (see crowd_requests.h), connections=,
 * rate=, pace=, depth=, first=, fresh (see crowd_group.h). It ends after SECONDS, or earlier at
 * TERM; requests that were sent at a rate may be answered GRACE seconds longer. */
#include <arpa/inet.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

#include "tests/campaign/crowd_group.h"

enum { GROUPS = 8, EVENTS = 512 };

static volatile sig_atomic_t over;

static void end(int number)
{
    (void)number;
    over = 1;
}

static double now(void)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static bool read_address(struct crowd_address *address, const char *to, const char *from)
{
    address->is_tls = strncmp(to, "tls:", 4) == 0;
    address->port = (uint16_t)strtol(address->is_tls ? to + 4 : to, NULL, 10);
    return address->port != 0 && inet_pton(AF_INET, from, &address->from) == 1;
}

static bool read_options(struct group_options *options, char *text)
{
    enum { NAME, FILE_PATH, CONNECTIONS, RATE, PACE, DEPTH, FRESH, FIRST };
    char *const words[] = {
        [NAME] = "name",   [FILE_PATH] = "file", [CONNECTIONS] = "connections",
        [RATE] = "rate",   [PACE] = "pace",      [DEPTH] = "depth",
        [FRESH] = "fresh", [FIRST] = "first",    NULL};
    char *value;

    *options = (struct group_options){.connections = 1, .depth = 1};
    while (*text) {
        const int word = getsubopt(&text, words, &value);

        if (word < 0 || (!value && word != FRESH))
            return false;
        if (word == NAME)
            options->name = value;
        else if (word == FILE_PATH)
            options->path = value;
        else if (word == CONNECTIONS)
            options->connections = (int)strtol(value, NULL, 10);
        else if (word == RATE)
            options->rate = strtod(value, NULL);
        else if (word == PACE)
            options->pace = (int)strtol(value, NULL, 10);
        else if (word == DEPTH)
            options->depth = (int)strtol(value, NULL, 10);
        else if (word == FIRST)
            options->first = strtoll(value, NULL, 10);
        else
            options->fresh = true;
    }
    return options->name && options->path && options->connections > 0 && options->depth > 0 &&
           options->depth <= DEPTH_MAX;
}

static bool any_waits(const struct group *groups, int count, double last)
{
    for (int i = 0; i < count; i++)
        if (group_waits(&groups[i], last))
            return true;
    return false;
}

static void run(struct group *groups, int count, int epoll, double last, double grace)
{
    static struct epoll_event events[EVENTS];

    for (double at = now(); !over && at < last + grace; at = now()) {
        if (at >= last && !any_waits(groups, count, last))
            break;
        for (int i = 0; i < count; i++)
            group_tick(&groups[i], at, last);
        const int ready = epoll_wait(epoll, events, EVENTS, 1);
        for (int i = 0; i < ready; i++)
            link_serve(events[i].data.ptr, events[i].events, now());
    }
}

int main(int argc, char *argv[])
{
    static struct group groups[GROUPS];
    const int epoll = epoll_create1(EPOLL_CLOEXEC), count = argc - 5;
    struct crowd_address address;

    if (count < 1 || count > GROUPS || epoll < 0 || !read_address(&address, argv[1], argv[2]))
        return EXIT_FAILURE;
    signal(SIGTERM, end);
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < count; i++)
        if (!read_options(&groups[i].options, argv[5 + i]) ||
            !group_begin(&groups[i], &address, epoll, now()))
            return EXIT_FAILURE;
    const double last = now() + strtod(argv[3], NULL);
    run(groups, count, epoll, last, strtod(argv[4], NULL));
    for (int i = 0; i < count; i++) {
        group_end(&groups[i], now(), last);
        group_print(&groups[i], stdout);
    }
    return EXIT_SUCCESS;
}
