/* SPDX-License-Identifier: Apache-2.0
 * clients.h - how many connections each address has, so that no client takes all places. An
 * IPv6 client is its /64: that is what one household or machine is given. Thread-safe. */
#ifndef SERVER_CLIENTS_H
#define SERVER_CLIENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct clients;

/* Room for so many connections in all, `most` of them from one address. NULL: out of memory. */
struct clients *clients_new(size_t connections, size_t most);
void clients_free(struct clients *clients); /* NULL: nothing */

/* Counts a connection from there; false, and it is not counted, if that address has `most`
 * already and is not exempt. What has no IP address is neither counted nor refused; nor is
 * anybody when clients is NULL. */
bool clients_enter(struct clients *clients, const struct sockaddr *addr, bool exempt);
/* A number for an IP address that all of its client's have; false: it is none. */
bool clients_number(const struct sockaddr *addr, uint64_t *number);
/* One that was counted is gone. addr NULL: nothing */
void clients_leave(struct clients *clients, const struct sockaddr *addr);

#endif
