/* SPDX-License-Identifier: Apache-2.0
 * notify_socket.h - tells the service manager how the service is: the protocol of sd_notify(3)
 * and sd_watchdog_enabled(3). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

struct notify_socket {
    int fd; /* -1: no service manager listens */
    struct sockaddr_un addr;
    socklen_t len;
    uint64_t watchdog_ms; /* it must hear from the service at least so often; 0: it need not */
};

/* Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID, and removes them, so that no child
 * speaks for the service. False, and in `why` a sentence: then nothing is told. */
bool notify_socket_open(struct notify_socket *notify, char *why, size_t why_size);
/* Sends lines such as "READY=1". A message that the manager does not take is dropped. Any
 * thread; NULL and a socket without a manager send nothing. */
void notify_socket_send(const struct notify_socket *notify, const char *lines);
void notify_socket_close(struct notify_socket *notify);
