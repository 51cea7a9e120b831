/* SPDX-License-Identifier: Apache-2.0
 * peers.h - whom a request belongs to. A peer is an IPv4 address or an IPv6 /64, which is what
 * one household or machine is given. With --peer=connection, for servers whose clients all
 * come from the address of one proxy, it is the connection; so it is where there is no IP
 * address, as on a unix socket. A request with one of the API keys in use belongs to its key.
 * Every share that is fair between clients (connections, bodies, answers, tasks of the pool) is
 * counted in this one structure. A peer lives as long as there are references to it.
 * Thread-safe; only a new peer allocates, and a request on an open connection takes no lock. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct peers; /* all peers of a service, by address and by key */

struct peer_identity {
    uint64_t bits; /* IPv4 address, upper half of the IPv6 address, hash of a key, or a count */
    uint64_t kind;
};

struct peer {
    struct peer *next; /* of its bucket; with identity, for peers.c alone */
    struct peer_identity identity;
    uint64_t number;         /* no other peer of the process has it, then or later; never 0 */
    size_t references;       /* counted by peers.c, under its lock */
    size_t connections;      /* counted by peers.c, under its lock */
    uint64_t body_bytes;     /* counted by body_budget.c, under its lock */
    _Atomic uint64_t answer; /* bytes that answers to this peer hold (answer_share.h) */
};

/* Makes a table for `connections` at once, at most `most` of one address (0: no limit).
 * by_connection: an address is no peer, and each connection is one. NULL: out of memory. */
struct peers *peers_new(size_t connections, size_t most, bool by_connection);
void peers_free(struct peers *peers); /* no references are left; NULL: nothing */

enum peers_result { PEERS_ENTERED, PEERS_TOO_MANY, PEERS_NO_MEMORY };
/* Counts a connection from `addr` and refers to its peer until peers_leave. PEERS_TOO_MANY: the
 * address has `most` connections already, and this one is not exempt. */
enum peers_result peers_enter(struct peers *peers, const struct sockaddr *addr, bool exempt,
                              struct peer **peer);
void peers_leave(struct peers *peers, struct peer *peer);

/* Returns who the peer is, by its address; zeros: it has none, as on a unix socket. */
struct peer_identity peers_address(const struct peer *peer);
/* Refers to the peer of an API key. NULL: out of memory. */
struct peer *peers_take_key(struct peers *peers, const char *key, size_t len);
/* Adds a reference, for work that may outlast the connection; returns the peer. */
struct peer *peers_share(struct peers *peers, struct peer *peer);
void peers_drop(struct peers *peers, struct peer *peer); /* NULL: nothing */
