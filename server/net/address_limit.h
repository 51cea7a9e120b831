/* SPDX-License-Identifier: Apache-2.0
 * address_limit.h - how many connections each address has, so that no client takes all places.
 * An IPv6 client is its /64: that is what one household or machine is given. Thread-safe. */
#ifndef SERVER_ADDRESS_LIMIT_H
#define SERVER_ADDRESS_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct address_limit;

/* Room for so many connections in all, `most` of them from one address. NULL: out of memory. */
struct address_limit *address_limit_new(size_t connections, size_t most);
void address_limit_free(struct address_limit *clients); /* NULL: nothing */

/* Counts a connection from there; false, and it is not counted, if that address has `most`
 * already and is not exempt. What has no IP address is neither counted nor refused; nor is
 * anybody when clients is NULL. */
bool address_limit_enter(struct address_limit *clients, const struct sockaddr *addr,
                         bool exempt);
/* A number for an IP address that all of its client's have; false: it is none. */
bool address_limit_number(const struct sockaddr *addr, uint64_t *number);
/* One that was counted is gone. addr NULL: nothing */
void address_limit_leave(struct address_limit *clients, const struct sockaddr *addr);

#endif
