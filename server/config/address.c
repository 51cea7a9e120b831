/* SPDX-License-Identifier: Apache-2.0
 * address.c - see address.h. */
#include "server/config/address.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "server/sys/passed_sockets.h"

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

/* A name as in LISTEN_FDNAMES, or a descriptor after the standard streams. */
static bool parse_passed(struct address *address, const char *name, char *why, size_t why_size)
{
    size_t len = strlen(name), digits = strspn(name, "0123456789");
    unsigned long number = digits == len ? strtoul(name, NULL, 10) : 0;

    if (len == 0 || len >= PASSED_SOCKETS_NAME_SIZE || strchr(name, ':') ||
        (digits == len && (number < PASSED_SOCKETS_FIRST ||
                           number >= PASSED_SOCKETS_FIRST + PASSED_SOCKETS_MAX))) {
        snprintf(why, why_size,
                 "after fd: there must be the name of a socket that the service manager "
                 "passes, or its descriptor, %d..%d; digits alone are a descriptor",
                 PASSED_SOCKETS_FIRST, PASSED_SOCKETS_FIRST + PASSED_SOCKETS_MAX - 1);
        return false;
    }
    address->passed = true;
    address->fd = digits == len ? (int)number : -1;
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
    if (strncmp(text, ADDRESS_PASSED, strlen(ADDRESS_PASSED)) == 0)
        return parse_passed(address, text + strlen(ADDRESS_PASSED), why, why_size);
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
             "must be ADDRESS:PORT, [ADDRESS]:PORT, unix:PATH or fd:NAME, "
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

/* Accepted sockets inherit both options. */
static bool set_sending(int fd, sa_family_t family)
{
    const int send_buffer = SEND_BUFFER, yes = 1;

    return setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send_buffer, sizeof send_buffer) == 0 &&
           (family == AF_UNIX ||
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) == 0);
}

static bool prepare_tcp(const struct address *address, int fd)
{
    const int yes = 1;

    /* Only SO_REUSEADDR, so that a port in use is an error. */
    return setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
           (address->addr.ss_family != AF_INET6 ||
            setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes) == 0);
}

/* The family that a socket is bound in; AF_UNSPEC: it is not a socket. */
static sa_family_t family_of(int fd)
{
    struct sockaddr_storage addr = {0};
    socklen_t len = sizeof addr;

    return getsockname(fd, (struct sockaddr *)&addr, &len) == 0 ? addr.ss_family : AF_UNSPEC;
}

static bool has_option(int fd, int option, int value)
{
    int has = -1;
    socklen_t len = sizeof has;

    return getsockopt(fd, SOL_SOCKET, option, &has, &len) == 0 && has == value;
}

/* Takes a socket that the service manager has opened; its descriptor, or -1. */
static int adopt(int fd, char *why, size_t why_size)
{
    sa_family_t family = family_of(fd);
    int flags = fcntl(fd, F_GETFL);

    if ((family != AF_INET && family != AF_INET6 && family != AF_UNIX) ||
        !has_option(fd, SO_TYPE, SOCK_STREAM) || !has_option(fd, SO_ACCEPTCONN, 1)) {
        snprintf(why, why_size,
                 "must be a stream socket of TCP or unix that listens (ListenStream=, with "
                 "Accept=no)");
        return -1;
    }
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0 ||
        fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || !set_sending(fd, family)) {
        snprintf(why, why_size, "cannot be used: %s", strerror(errno));
        return -1;
    }
    return fd;
}

int address_listen(const struct address *address, char *why, size_t why_size)
{
    const struct sockaddr_un *un = (const struct sockaddr_un *)&address->addr;
    int fd;

    assert(!address->passed || address->fd >= 0);
    if (address->passed)
        return adopt(address->fd, why, why_size);
    fd = socket(address->addr.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        snprintf(why, why_size, "socket: %s", strerror(errno));
        return -1;
    }
    if (!set_sending(fd, address->addr.ss_family) ||
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

bool address_socket_is_unix(int fd)
{
    return family_of(fd) == AF_UNIX;
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
