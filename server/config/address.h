/* SPDX-License-Identifier: Apache-2.0
 * address.h - one --listen, parsed: "127.0.0.1:8080", "[::1]:8080", "localhost:8080",
 * "unix:/run/posencd.sock,mode=0660". Listening on it, and connecting to it. */
#ifndef SERVER_ADDRESS_H
#define SERVER_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>

struct address {
    struct sockaddr_storage addr;
    socklen_t len;
    mode_t mode; /* of a unix socket; 0: as the umask says */
};

/* False, and what would be right in `why`. No names but localhost are resolved. */
bool address_parse(struct address *address, const char *text, char *why, size_t why_size);
bool address_is_unix(const struct address *address);

/* A listening socket (non-blocking, close-on-exec), or -1 and why. A unix socket file that
 * nobody listens on any more is replaced; any other file is not. */
int address_listen(const struct address *address, char *why, size_t why_size);
/* A connected, blocking socket whose every wait ends after 5 s, or -1 with errno. 0.0.0.0 and
 * [::] mean this machine. */
int address_connect(const struct address *address);
/* The port a socket is bound to; 0 for unix. */
unsigned address_port(int fd);
/* "127.0.0.1:40123", "[::1]:8080", "unix:/run/posencd.sock": where a socket is bound. */
void address_print(int fd, char *text, size_t size);

#endif
