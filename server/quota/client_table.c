/* SPDX-License-Identifier: Apache-2.0
 * client_table.c - see client_table.h. The clients with names are a list; addresses are in a
 * hash table, which refers to them, and are forgotten by the CLOCK algorithm. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/quota/client_page.h"
#include "server/quota/client_state.h"
#include "server/sys/siphash.h"

struct client_table {
    pthread_mutex_t lock;
    struct client *names;
    struct client_page page; /* what is shown of them */
    struct siphash_key hash_key;
    size_t most, count, hand;  /* addresses, and where the next search for an old one begins */
    struct client **addresses; /* `most` of them at most, in no order */
    size_t mask;
    struct client *buckets[];
};

/* ---- references -------------------------------------------------------------------------- */

static void free_client(struct client *client)
{
    pthread_mutex_destroy(&client->lock);
    free(client->view);
    free(client->id);
    free(client);
}

/* Nothing refers to the client any more. */
static void forget(struct client *client)
{
    struct client_table *table = client->table;
    struct client **at = &table->names;

    pthread_mutex_lock(&table->lock);
    while (*at != client)
        at = &(*at)->next;
    *at = client->next;
    client_page_forget(&table->page, client);
    pthread_mutex_unlock(&table->lock);
    free_client(client);
}

struct client *client_table_share(struct client *client)
{
    if (client)
        atomic_fetch_add_explicit(&client->references, 1, memory_order_relaxed);
    return client;
}

void client_table_drop(struct client *client)
{
    if (client && atomic_fetch_sub_explicit(&client->references, 1, memory_order_acq_rel) == 1)
        forget(client);
}

/* ---- life -------------------------------------------------------------------------------- */

struct client_table *client_table_new(size_t addresses)
{
    struct client_table *table;
    size_t most = addresses > CLIENT_TABLE_ADDRESSES ? addresses : CLIENT_TABLE_ADDRESSES;
    size_t buckets = 1;

    while (buckets < most)
        buckets *= 2;
    table = calloc(1, sizeof *table + buckets * sizeof table->buckets[0]);
    if (!table)
        return NULL;
    table->addresses = calloc(most, sizeof *table->addresses);
    if (!table->addresses) {
        free(table);
        return NULL;
    }
    pthread_mutex_init(&table->lock, NULL);
    table->hash_key = siphash_key_draw();
    table->most = most;
    table->mask = buckets - 1;
    return table;
}

void client_table_free(struct client_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->count; i++) {
        struct client *row = table->addresses[i]->row;

        free_client(table->addresses[i]);
        client_table_drop(row);
    }
    pthread_mutex_destroy(&table->lock);
    free(table->addresses);
    free(table);
}

static struct client *make(struct client_table *table, const char *id)
{
    struct client *client = calloc(1, sizeof *client);

    if (!client)
        return NULL;
    pthread_mutex_init(&client->lock, NULL);
    client->table = table;
    client->usage = &client->own;
    atomic_init(&client->references, 1);
    if (!id)
        return client;
    client->id = malloc(strlen(id) + 1);
    client->view = calloc(1, sizeof *client->view);
    if (client->id && client->view) {
        memcpy(client->id, id, strlen(id) + 1);
        return client;
    }
    free_client(client);
    return NULL;
}

/* ---- names ------------------------------------------------------------------------------- */

/* Refers to the client, unless nothing did and another thread is about to forget it. */
static bool share_living(struct client *client)
{
    size_t references = atomic_load_explicit(&client->references, memory_order_relaxed);

    while (references > 0)
        if (atomic_compare_exchange_weak_explicit(&client->references, &references,
                                                  references + 1, memory_order_relaxed,
                                                  memory_order_relaxed))
            return true;
    return false;
}

static struct client *find(const struct client_table *table, const char *id)
{
    struct client *client = table->names;

    while (client && (strcmp(client->id, id) != 0 || !share_living(client)))
        client = client->next;
    return client;
}

static void name(struct client *client, const char *label)
{
    pthread_mutex_lock(&client->lock);
    snprintf(client->label, sizeof client->label, "%s", label);
    pthread_mutex_unlock(&client->lock);
}

static void limit(struct client *client, const struct quota *quota)
{
    pthread_mutex_lock(&client->lock);
    client->quota = *quota;
    pthread_mutex_unlock(&client->lock);
}

void client_table_renew(struct client_table *table)
{
    pthread_mutex_lock(&table->lock);
    table->page.generation++;
    pthread_mutex_unlock(&table->lock);
}

struct client *client_table_take(struct client_table *table, const char *id, const char *label,
                                 const struct quota *quota)
{
    struct client *client;

    pthread_mutex_lock(&table->lock);
    client = find(table, id);
    if (!client) {
        client = make(table, id);
        if (client) {
            client->next = table->names;
            table->names = client;
        }
    }
    if (client) {
        client->view->generation = table->page.generation + 1;
        name(client, label);
        limit(client, quota);
    }
    pthread_mutex_unlock(&table->lock);
    return client;
}

/* ---- addresses --------------------------------------------------------------------------- */

static struct client **bucket_of(struct client_table *table,
                                 const struct client_address *address)
{
    return &table->buckets[siphash(&table->hash_key, address, sizeof *address) & table->mask];
}

/* Removes the client of an address that no request refers to from its bucket; its row is
 * dropped by the caller, without the lock. */
static struct client *remove_old(struct client_table *table)
{
    for (size_t i = 0; i < 2 * table->most; i++) {
        struct client *client = table->addresses[table->hand], **at;
        const bool was_seen = client->was_seen;

        if (was_seen || atomic_load(&client->references) > 1) {
            client->was_seen = false;
            table->hand = (table->hand + 1) % table->most;
            continue;
        }
        for (at = bucket_of(table, &client->address); *at != client;)
            at = &(*at)->next;
        *at = client->next;
        table->addresses[table->hand] = table->addresses[--table->count];
        return client;
    }
    return NULL;
}

static struct client *find_address(struct client_table *table,
                                   const struct client_address *address)
{
    struct client *client = *bucket_of(table, address);

    while (client &&
           (client->address.bits != address->bits || client->address.kind != address->kind))
        client = client->next;
    return client;
}

static struct client *add_address(struct client_table *table,
                                  const struct client_address *address)
{
    struct client **bucket = bucket_of(table, address), *client = make(table, NULL);

    if (!client)
        return NULL;
    client->address = *address;
    client->next = *bucket;
    *bucket = client;
    table->addresses[table->count++] = client;
    return client;
}

struct client *client_table_take_address(struct client_table *table, struct client *row,
                                         const struct client_address *address)
{
    struct client *client, *old = NULL, *row_before = NULL;
    struct quota quota;

    pthread_mutex_lock(&row->lock);
    quota = row->quota;
    pthread_mutex_unlock(&row->lock);
    pthread_mutex_lock(&table->lock);
    client = find_address(table, address);
    if (!client && table->count == table->most)
        old = remove_old(table);
    if (!client && table->count < table->most)
        client = add_address(table, address);
    if (client && client->row != row && atomic_load(&client->references) == 1) {
        row_before = client->row; /* of a row of the file that was removed and is there again */
        client->row = client_table_share(row);
        client->usage = row->usage;
    }
    if (client) {
        client->was_seen = true;
        client_table_share(client);
        limit(client, &quota);
    }
    pthread_mutex_unlock(&table->lock);
    client_table_drop(row_before);
    if (old) {
        client_table_drop(old->row);
        free_client(old);
    }
    return client;
}

void client_table_write(struct client_table *table, struct metrics_page *page)
{
    pthread_mutex_lock(&table->lock);
    if (table->names)
        client_page_write(&table->page, table->names, page);
    pthread_mutex_unlock(&table->lock);
}
