/* SPDX-License-Identifier: Apache-2.0
 * address.c - see address.h. */
#include "server/config/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    BACKLOG = 1024,
    SEND_BUFFER = 262144, /* fixed: with an auto-tuned size a slow reader looks stuck */
};

/* ---- text -------------------------------------------------------------------------- */

static bool parse_unix(struct address *address, const char *path, char *why, size_t why_size)
{
    struct sockaddr_un *un = (struct sockaddr_un *)&address->addr;
    const char *comma = strchr(path, ',');
    size_t len = comma ? (size_t)(comma - path) : strlen(path);
    char *end;

    if (len == 0 || len >= sizeof un->sun_path) {
        snprintf(why, why_size, "a socket's path must have 1..%zu bytes",
                 sizeof un->sun_path - 1);
        return false;
    }
    if (comma) {
        unsigned long mode = strtoul(comma + 6, &end, 8);

        if (strncmp(comma, ",mode=", 6) != 0 || comma[6] < '0' || comma[6] > '7' || *end ||
            mode == 0 || mode > 0777) { /* 0 would let no process connect */
            snprintf(why, why_size, "after the path there may be ,mode=0660");
            return false;
        }
        address->mode = (mode_t)mode;
    }
    un->sun_family = AF_UNIX;
    memcpy(un->sun_path, path, len);
    address->len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len + 1);
    return true;
}

static bool parse_port(const char *text, in_port_t *port)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    *port = htons((uint16_t)value);
    return *text >= '0' && *text <= '9' && *end == '\0' && value <= 65535;
}

static bool parse_host(struct address *address, const char *host, in_port_t port)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)&address->addr;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&address->addr;

    if (strcmp(host, "localhost") == 0)
        host = "127.0.0.1";
    if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = port;
        address->len = sizeof *v4;
    } else if (inet_pton(AF_INET6, host, &v6->sin6_addr) == 1) {
        v6->sin6_family = AF_INET6;
        v6->sin6_port = port;
        address->len = sizeof *v6;
    } else {
        return false;
    }
    return true;
}

bool address_parse(struct address *address, const char *text, char *why, size_t why_size)
{
    const char *colon = strrchr(text, ':');
    bool literal = *text == '[';
    char host[64];
    in_port_t port;

    *address = (struct address){0};
    if (strncmp(text, "unix:", 5) == 0)
        return parse_unix(address, text + 5, why, why_size);
    if (colon && colon > text && (size_t)(colon - text) < sizeof host &&
        parse_port(colon + 1, &port)) {
        size_t len = (size_t)(colon - text);
        memcpy(host, text + literal, len - literal);
        host[len - literal] = '\0';
        /* An IPv6 address needs brackets; other addresses must not have them. */
        if ((literal ? colon[-1] == ']' && strchr(host, ':') : !strchr(host, ':'))) {
            if (literal)
                host[len - 2] = '\0';
            if (parse_host(address, host, port))
                return true;
        }
    }
    snprintf(why, why_size,
             "must be ADDRESS:PORT, [ADDRESS]:PORT or unix:PATH, "
             "such as 127.0.0.1:8080; got \"%.60s\"",
             text);
    return false;
}

bool address_is_unix(const struct address *address)
{
    return address->addr.ss_family == AF_UNIX;
}

/* ---- sockets ----------------------------------------------------------------------- */

static int close_with(int fd, const char *what, char *why, size_t why_size)
{
    snprintf(why, why_size, "%s: %s", what, strerror(errno));
    close(fd);
    return -1;
}

/* Removes a socket file that refuses connections: no process listens on it any more. False, and
 * errno, if the path is in use. */
static bool clear_leftover(const struct address *address)
{
    const char *path = ((const struct sockaddr_un *)&address->addr)->sun_path;
    struct stat status;
    int fd;

    if (lstat(path, &status) != 0 || !S_ISSOCK(status.st_mode))
        return true; /* bind reports what is wrong, if anything is */
    fd = address_connect(address);
    if (fd >= 0) {
        close(fd);
        errno = EADDRINUSE;
        return false;
    }
    return errno != ECONNREFUSED || unlink(path) == 0;
}

static bool prepare_unix(const struct address *address, int fd)
{
    /* bind creates the file with the mode of the socket, so it never has another mode. */
    return clear_leftover(address) && (!address->mode || fchmod(fd, address->mode) == 0);
}

static bool prepare_tcp(const struct address *address, int fd)
{
    const int yes = 1;

    /* Only SO_REUSEADDR, so that a port in use is an error; accepted sockets inherit
     * NODELAY. */
    return setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
           setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) == 0 &&
           (address->addr.ss_family != AF_INET6 ||
            setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes) == 0);
}

int address_listen(const struct address *address, char *why, size_t why_size)
{
    const struct sockaddr_un *un = (const struct sockaddr_un *)&address->addr;
    const int send_buffer = SEND_BUFFER;
    int fd = socket(address->addr.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0) {
        snprintf(why, why_size, "socket: %s", strerror(errno));
        return -1;
    }
    if (setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send_buffer, sizeof send_buffer) != 0 ||
        !(address_is_unix(address) ? prepare_unix(address, fd) : prepare_tcp(address, fd)) ||
        bind(fd, (const struct sockaddr *)&address->addr, address->len) != 0)
        return close_with(fd, "cannot bind", why, why_size);
    if (address->mode &&
        chmod(un->sun_path, address->mode) != 0) /* sets the bits that the umask removed */
        return close_with(fd, "cannot set the mode", why, why_size);
    if (listen(fd, BACKLOG) != 0)
        return close_with(fd, "cannot listen", why, why_size);
    return fd;
}

int address_connect(const struct address *address)
{
    struct address target = *address;
    struct sockaddr_in *v4 = (struct sockaddr_in *)&target.addr;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&target.addr;
    const struct timeval patience = {.tv_sec = 5};
    int fd = socket(target.addr.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0), why;

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (target.addr.ss_family == AF_INET && v4->sin_addr.s_addr == htonl(INADDR_ANY))
        v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (target.addr.ss_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&v6->sin6_addr))
        v6->sin6_addr = in6addr_loopback;
    if (connect(fd, (const struct sockaddr *)&target.addr, target.len) == 0)
        return fd;
    why = errno;
    close(fd);
    errno = why;
    return -1;
}

unsigned address_port(int fd)
{
    struct sockaddr_storage addr = {0};
    socklen_t len = sizeof addr;

    if (getsockname(fd, (struct sockaddr *)&addr, &len) != 0)
        return 0;
    if (addr.ss_family == AF_INET)
        return ntohs(((struct sockaddr_in *)&addr)->sin_port);
    if (addr.ss_family == AF_INET6)
        return ntohs(((struct sockaddr_in6 *)&addr)->sin6_port);
    return 0;
}

void address_print(int fd, char *text, size_t size)
{
    struct sockaddr_storage addr = {0};
    const struct sockaddr_un *un = (const struct sockaddr_un *)&addr;
    socklen_t len = sizeof addr;
    char host[INET6_ADDRSTRLEN] = "?";

    getsockname(fd, (struct sockaddr *)&addr, &len);
    if (addr.ss_family == AF_UNIX) {
        snprintf(text, size, "unix:%s", un->sun_path);
    } else if (addr.ss_family == AF_INET6) {
        inet_ntop(AF_INET6, &((struct sockaddr_in6 *)&addr)->sin6_addr, host, sizeof host);
        snprintf(text, size, "[%s]:%u", host, address_port(fd));
    } else {
        inet_ntop(AF_INET, &((struct sockaddr_in *)&addr)->sin_addr, host, sizeof host);
        snprintf(text, size, "%s:%u", host, address_port(fd));
    }
}
