/* SPDX-License-Identifier: Apache-2.0
 * ask.c PORT CONNECTIONS SECONDS LENGTH - sends the request that standard input holds, on each
 * connection anew when LENGTH bytes of the answer have arrived; prints how many answers came
 * in how many seconds, and how many bytes. The kernel drops the bytes (MSG_TRUNC): a client
 * that copied them would be busier than the servers it should measure. wrk cannot read a 304
 * that has the Content-Length of the 200: it waits for a body. */
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 256, AT_ONCE = 1 << 30 };

static double now(void)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static int connect_to(int port)
{
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    return fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0 ? fd : -1;
}

int main(int argc, char *argv[])
{
    static char request[8192];
    struct pollfd polled[MOST];
    size_t left[MOST], answers = 0, bytes = 0;

    if (argc != 5)
        return EXIT_FAILURE;
    const size_t request_len = fread(request, 1, sizeof request, stdin);
    const int connections = (int)strtol(argv[2], NULL, 10);
    const size_t length = strtoull(argv[4], NULL, 10);
    if (connections < 1 || connections > MOST || length == 0)
        return EXIT_FAILURE;
    for (int i = 0; i < connections; i++) {
        polled[i] =
            (struct pollfd){.fd = connect_to((int)strtol(argv[1], NULL, 10)), .events = POLLIN};
        left[i] = length;
        if (polled[i].fd < 0 || write(polled[i].fd, request, request_len) < 0)
            return EXIT_FAILURE;
    }
    const double start = now(), end = start + strtod(argv[3], NULL);
    while (now() < end) {
        if (poll(polled, (nfds_t)connections, 100) < 0)
            return EXIT_FAILURE;
        for (int i = 0; i < connections; i++) {
            if (!polled[i].revents)
                continue;
            const ssize_t got = recv(polled[i].fd, NULL, AT_ONCE, MSG_TRUNC);
            if (got <= 0 || (size_t)got > left[i])
                return EXIT_FAILURE; /* closed, or another answer than expected */
            left[i] -= (size_t)got;
            bytes += (size_t)got;
            if (left[i] > 0)
                continue;
            left[i] = length;
            answers++;
            if (write(polled[i].fd, request, request_len) < 0)
                return EXIT_FAILURE;
        }
    }
    printf("%zu %.6f %zu\n", answers, now() - start, bytes);
    return EXIT_SUCCESS;
}
