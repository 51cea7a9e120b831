/* SPDX-License-Identifier: Apache-2.0
 * reader_pace.c - see reader_pace.h. */
#include "server/net/reader_pace.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <sys/socket.h>

void reader_pace_note(struct reader_pace *pace, const struct reader_pace_socket *socket,
                      uint64_t now_ms)
{
    uint64_t since = now_ms - pace->looked_ms, most = now_ms + READER_PACE_CREDIT_MS;
    uint64_t moved = socket->taken - pace->taken;

    pace->slow_ms += moved * 1000 / READER_PACE_BYTES_A_SECOND;
    if (pace->looked_ms == 0 || since > READER_PACE_GAP_MS || !socket->waits ||
        pace->slow_ms > most)
        pace->slow_ms = most;
    pace->looked_ms = now_ms;
    pace->taken = socket->taken;
}

bool reader_pace_is_slow(const struct reader_pace *pace)
{
    return pace->looked_ms != 0 && pace->slow_ms <= pace->looked_ms;
}

static void ask_calls(struct reader_pace_socket *socket, int fd, uint64_t calls,
                      const struct reader_pace *pace)
{
    struct pollfd poller = {.fd = fd, .events = POLLOUT};

    socket->taken = calls;
    socket->waits = calls > 1 && calls == pace->taken && poll(&poller, 1, 0) == 0;
}

void reader_pace_look(struct reader_pace *pace, int fd, uint64_t calls, uint64_t now_ms)
{
    struct reader_pace_socket socket;
    struct tcp_info info = {.tcpi_state = 0};
    socklen_t len = sizeof info;

    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) != 0) {
        ask_calls(&socket, fd, calls, pace);
    } else {
        socket.taken = info.tcpi_bytes_acked;
        socket.waits = info.tcpi_notsent_bytes > 0;
    }
    reader_pace_note(pace, &socket, now_ms);
}
