/* SPDX-License-Identifier: Apache-2.0
 * address_limit.h - counts connections by address, so that no client takes all of them. An IPv6
 * client is its /64: that is what one household or machine is given. Thread-safe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct address_limit;

/* Allocates counters for `connections` in all, `most` from one address. NULL: out of memory. */
struct address_limit *address_limit_new(size_t connections, size_t most);
void address_limit_free(struct address_limit *clients); /* NULL: nothing */

/* Counts a connection from `addr`. Returns false and counts nothing if that address has `most`
 * connections already and is not exempt. A connection without an IP address is neither counted
 * nor refused; nor is any connection when `clients` is NULL. */
bool address_limit_enter(struct address_limit *clients, const struct sockaddr *addr,
                         bool exempt);
/* Stores a number that all addresses of a client have in common. False: no IP address. */
bool address_limit_number(const struct sockaddr *addr, uint64_t *number);
/* Uncounts a closed connection. Does nothing when `addr` is NULL. */
void address_limit_leave(struct address_limit *clients, const struct sockaddr *addr);
