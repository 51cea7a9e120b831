/* SPDX-License-Identifier: Apache-2.0
 * address_limit.c - counts connections in a hash table with linear probing, at most half full,
 * so that counting allocates nothing. See address_limit.h. */
#include "server/net/address_limit.h"

#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/sys/siphash.h"

struct client {
    uint64_t address; /* IPv4 address, or the upper half of the IPv6 address */
    unsigned family;
    unsigned count; /* 0: the slot is free */
};

struct address_limit {
    pthread_mutex_t lock;
    struct siphash_key hash_key;
    size_t most, mask;
    struct client slots[];
};

struct address_limit *address_limit_new(size_t connections, size_t most)
{
    struct address_limit *clients;
    size_t slots = 2;

    while (slots < 2 * connections)
        slots *= 2;
    clients = calloc(1, sizeof *clients + slots * sizeof *clients->slots);
    if (!clients)
        return NULL;
    pthread_mutex_init(&clients->lock, NULL);
    clients->hash_key = siphash_key_draw();
    clients->most = most;
    clients->mask = slots - 1;
    return clients;
}

void address_limit_free(struct address_limit *clients)
{
    if (!clients)
        return;
    pthread_mutex_destroy(&clients->lock);
    free(clients);
}

/* Sets the family and the address of a client. False: `addr` is no IP address. At a socket of
 * both families, which a service manager may pass, IPv4 addresses are mapped into IPv6. */
static bool identify(const struct sockaddr *addr, struct client *client)
{
    const struct in6_addr *six = &((const struct sockaddr_in6 *)(const void *)addr)->sin6_addr;
    in_addr_t four;

    *client = (struct client){.family = addr->sa_family};
    if (addr->sa_family == AF_INET) {
        client->address = ((const struct sockaddr_in *)(const void *)addr)->sin_addr.s_addr;
    } else if (addr->sa_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(six)) {
        memcpy(&four, &six->s6_addr[12], sizeof four);
        *client = (struct client){.family = AF_INET, .address = four};
    } else if (addr->sa_family == AF_INET6) {
        memcpy(&client->address, six, sizeof client->address);
    }
    return addr->sa_family == AF_INET || addr->sa_family == AF_INET6;
}

bool address_limit_number(const struct sockaddr *addr, uint64_t *number)
{
    struct client client;
    bool known = identify(addr, &client);

    *number = client.address;
    return known;
}

static size_t home(const struct address_limit *clients, const struct client *client)
{
    return siphash(&clients->hash_key, client, offsetof(struct client, count)) & clients->mask;
}

/* Returns the slot of the client, or the free slot where it belongs. */
static struct client *find(struct address_limit *clients, const struct client *client)
{
    size_t i = home(clients, client);

    while (clients->slots[i].count > 0 && (clients->slots[i].address != client->address ||
                                           clients->slots[i].family != client->family))
        i = (i + 1) & clients->mask;
    return &clients->slots[i];
}

bool address_limit_enter(struct address_limit *clients, const struct sockaddr *addr,
                         bool exempt)
{
    struct client client, *slot;
    bool enters;

    if (!clients || !identify(addr, &client))
        return true;
    pthread_mutex_lock(&clients->lock);
    slot = find(clients, &client);
    enters = exempt || slot->count < clients->most;
    if (enters) {
        client.count = slot->count + 1;
        *slot = client;
    }
    pthread_mutex_unlock(&clients->lock);
    return enters;
}

/* Closes the gap at slot i: moves up the entries behind it that would no longer be found. */
static void close_gap(struct address_limit *clients, size_t i)
{
    for (size_t j = (i + 1) & clients->mask; clients->slots[j].count > 0;
         j = (j + 1) & clients->mask) {
        size_t from_home = (j - home(clients, &clients->slots[j])) & clients->mask;

        if (from_home < ((j - i) & clients->mask))
            continue;
        clients->slots[i] = clients->slots[j];
        clients->slots[j].count = 0;
        i = j;
    }
}

void address_limit_leave(struct address_limit *clients, const struct sockaddr *addr)
{
    struct client client, *slot;

    if (!clients || !addr || !identify(addr, &client))
        return;
    pthread_mutex_lock(&clients->lock);
    slot = find(clients, &client);
    assert(slot->count > 0);
    if (--slot->count == 0)
        close_gap(clients, (size_t)(slot - clients->slots));
    pthread_mutex_unlock(&clients->lock);
}
