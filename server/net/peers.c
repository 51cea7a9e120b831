/* SPDX-License-Identifier: Apache-2.0
 * peers.c - a hash table of peers with chains, and as many buckets as connections at least. See
 * peers.h. */
#include "server/net/peers.h"

#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "server/sys/siphash.h"

enum kind { PEER_CONNECTION, PEER_IPV4, PEER_IPV6, PEER_KEY };

struct peers {
    pthread_mutex_t lock;
    struct siphash_key hash_key;
    size_t most, mask, count;
    uint64_t numbers; /* of peers that were made */
    bool by_connection;
    struct peer *buckets[];
};

struct peers *peers_new(size_t connections, size_t most, bool by_connection)
{
    struct peers *peers;
    size_t buckets = 1;

    while (buckets < connections)
        buckets *= 2;
    peers = calloc(1, sizeof *peers + buckets * sizeof *peers->buckets);
    if (!peers)
        return NULL;
    pthread_mutex_init(&peers->lock, NULL);
    peers->hash_key = siphash_key_draw();
    peers->most = most > 0 ? most : SIZE_MAX;
    peers->mask = buckets - 1;
    peers->by_connection = by_connection;
    return peers;
}

void peers_free(struct peers *peers)
{
    if (!peers)
        return;
    assert(peers->count == 0);
    pthread_mutex_destroy(&peers->lock);
    free(peers);
}

/* ---- under the lock -------------------------------------------------------------------- */

static struct peer **bucket_of(struct peers *peers, const struct peer_identity *identity)
{
    return &peers->buckets[siphash(&peers->hash_key, identity, sizeof *identity) & peers->mask];
}

static struct peer *find(struct peers *peers, const struct peer_identity *identity)
{
    struct peer *at = *bucket_of(peers, identity);

    while (at && (at->identity.bits != identity->bits || at->identity.kind != identity->kind))
        at = at->next;
    return at;
}

/* Returns the peer, which is made if there is none, with one reference more; NULL: out of
 * memory. */
static struct peer *take(struct peers *peers, struct peer_identity identity)
{
    struct peer *peer;

    if (identity.kind == PEER_CONNECTION)
        identity.bits = peers->numbers + 1;
    peer = find(peers, &identity);
    if (!peer) {
        struct peer **bucket = bucket_of(peers, &identity);

        peer = calloc(1, sizeof *peer);
        if (!peer)
            return NULL;
        peer->identity = identity;
        peer->number = ++peers->numbers;
        peer->next = *bucket;
        *bucket = peer;
        peers->count++;
    }
    peer->references++;
    return peer;
}

static void drop(struct peers *peers, struct peer *peer)
{
    struct peer **at = bucket_of(peers, &peer->identity);

    assert(peer->references > 0);
    if (--peer->references > 0)
        return;
    assert(peer->connections == 0 && peer->body_bytes == 0);
    while (*at != peer)
        at = &(*at)->next;
    *at = peer->next;
    peers->count--;
    free(peer);
}

/* ---- any thread ------------------------------------------------------------------------ */

/* At a socket of both families, which a service manager may pass, IPv4 addresses are mapped
 * into IPv6. */
static struct peer_identity identity_of(const struct sockaddr *addr)
{
    const struct in6_addr *six = &((const struct sockaddr_in6 *)(const void *)addr)->sin6_addr;
    struct peer_identity identity = {.kind = PEER_CONNECTION};
    in_addr_t four;

    if (addr->sa_family == AF_INET) {
        identity.kind = PEER_IPV4;
        identity.bits = ((const struct sockaddr_in *)(const void *)addr)->sin_addr.s_addr;
    } else if (addr->sa_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(six)) {
        memcpy(&four, &six->s6_addr[12], sizeof four);
        identity.kind = PEER_IPV4;
        identity.bits = four;
    } else if (addr->sa_family == AF_INET6) {
        identity.kind = PEER_IPV6;
        memcpy(&identity.bits, six, sizeof identity.bits);
    }
    return identity;
}

enum peers_result peers_enter(struct peers *peers, const struct sockaddr *addr, bool exempt,
                              struct peer **peer)
{
    const struct peer_identity connection = {.kind = PEER_CONNECTION};
    enum peers_result result = PEERS_NO_MEMORY;

    pthread_mutex_lock(&peers->lock);
    *peer = take(peers, peers->by_connection ? connection : identity_of(addr));
    if (*peer && !exempt && (*peer)->connections >= peers->most) {
        drop(peers, *peer);
        *peer = NULL;
        result = PEERS_TOO_MANY;
    } else if (*peer) {
        (*peer)->connections++;
        result = PEERS_ENTERED;
    }
    pthread_mutex_unlock(&peers->lock);
    return result;
}

void peers_leave(struct peers *peers, struct peer *peer)
{
    pthread_mutex_lock(&peers->lock);
    assert(peer->connections > 0);
    peer->connections--;
    drop(peers, peer);
    pthread_mutex_unlock(&peers->lock);
}

struct peer_identity peers_address(const struct peer *peer)
{
    return peer->identity.kind == PEER_CONNECTION ? (struct peer_identity){.bits = 0}
                                                  : peer->identity;
}

struct peer *peers_take_key(struct peers *peers, const char *key, size_t len)
{
    const struct peer_identity identity = {.bits = siphash(&peers->hash_key, key, len),
                                           .kind = PEER_KEY};
    struct peer *peer;

    pthread_mutex_lock(&peers->lock);
    peer = take(peers, identity);
    pthread_mutex_unlock(&peers->lock);
    return peer;
}

struct peer *peers_share(struct peers *peers, struct peer *peer)
{
    pthread_mutex_lock(&peers->lock);
    peer->references++;
    pthread_mutex_unlock(&peers->lock);
    return peer;
}

void peers_drop(struct peers *peers, struct peer *peer)
{
    if (!peer)
        return;
    pthread_mutex_lock(&peers->lock);
    drop(peers, peer);
    pthread_mutex_unlock(&peers->lock);
}
