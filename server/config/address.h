/* SPDX-License-Identifier: Apache-2.0
 * address.h - an address to listen on or to connect to: "127.0.0.1:8080", "[::1]:8080",
 * "localhost:8080", "unix:/run/posencd.sock,mode=0660"; or a socket that the service manager
 * has passed: "fd:web" by its name, "fd:3" by its descriptor. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define ADDRESS_PASSED "fd:"

struct address {
    struct sockaddr_storage addr;
    socklen_t len;
    mode_t mode; /* of a unix socket; 0: the umask decides */
    bool passed; /* the socket exists, and this struct has no address of it */
    int fd;      /* of a socket that is passed; -1: it is given by its name */
};

/* False, and in `why` what would be right. No name but localhost is resolved. */
bool address_parse(struct address *address, const char *text, char *why, size_t why_size);
bool address_is_unix(const struct address *address);

/* A listening socket (non-blocking, close-on-exec), or -1 and the reason in `why`. The file of
 * a unix socket that no process listens on is replaced; any other file is not. A passed socket
 * is checked and becomes ours; it must have a descriptor. */
int address_listen(const struct address *address, char *why, size_t why_size);
/* A connected, blocking socket on which no call waits longer than 5 s, or -1 and errno. 0.0.0.0
 * and [::] mean this machine. */
int address_connect(const struct address *address);
/* Whether a socket is bound to a file, or to an abstract name. */
bool address_socket_is_unix(int fd);
/* The port that a socket is bound to; 0 for a unix socket. */
unsigned address_port(int fd);
/* The address that a socket is bound to: "127.0.0.1:40123", "unix:/run/posencd.sock". */
void address_print(int fd, char *text, size_t size);
