/* SPDX-License-Identifier: Apache-2.0
 * notify_socket.c - see notify_socket.h. */
#include "server/sys/notify_socket.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "/run/systemd/notify", or "@name" for an abstract name. */
static bool set_address(struct notify_socket *notify, const char *path)
{
    size_t len = strlen(path);

    if ((*path != '/' && *path != '@') || len < 2 || len >= sizeof notify->addr.sun_path)
        return false;
    notify->addr.sun_family = AF_UNIX;
    memcpy(notify->addr.sun_path, path, len);
    if (*path == '@')
        notify->addr.sun_path[0] = '\0';
    notify->len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len + (*path == '/'));
    return true;
}

/* The watchdog's time in milliseconds, if it watches this process. */
static uint64_t read_watchdog(void)
{
    const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
    char self[24];

    snprintf(self, sizeof self, "%ld", (long)getpid());
    return usec && (!pid || strcmp(pid, self) == 0) ? strtoull(usec, NULL, 10) / 1000 : 0;
}

bool notify_socket_open(struct notify_socket *notify, char *why, size_t why_size)
{
    const char *path = getenv("NOTIFY_SOCKET");
    bool ok = true;

    *notify = (struct notify_socket){.fd = -1};
    if (path && !set_address(notify, path)) {
        snprintf(
            why, why_size,
            "NOTIFY_SOCKET must be the path of a unix socket, or @ and an abstract name; got "
            "\"%.120s\"",
            path);
        ok = false;
    } else if (path) {
        notify->watchdog_ms = read_watchdog();
        notify->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        ok = notify->fd >= 0;
        if (!ok)
            snprintf(why, why_size, "NOTIFY_SOCKET: socket: %s", strerror(errno));
    }
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
    return ok;
}

void notify_socket_send(const struct notify_socket *notify, const char *lines)
{
    if (notify && notify->fd >= 0)
        (void)sendto(notify->fd, lines, strlen(lines), MSG_NOSIGNAL,
                     (const struct sockaddr *)&notify->addr, notify->len);
}

void notify_socket_close(struct notify_socket *notify)
{
    if (notify->fd >= 0)
        close(notify->fd);
    notify->fd = -1;
}
