/* SPDX-License-Identifier: Apache-2.0
 * client_table.h - the clients of a service by their identity, and what is shown of them.
 * Thread-safe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/quota/client.h"
#include "server/sys/metrics_page.h"

enum {
    CLIENT_TABLE_SHOWN = 50,       /* clients that /metrics names; the others are "other" */
    CLIENT_TABLE_ADDRESSES = 4096, /* addresses that are remembered, at least */
    CLIENT_ID_SIZE = 160,
    CLIENT_LABEL_SIZE = QUOTA_NAME_MAX + 1
};

struct client_table;

/* A table that remembers so many addresses, or CLIENT_TABLE_ADDRESSES if that is more. NULL:
 * out of memory. */
struct client_table *client_table_new(size_t addresses);
void client_table_free(
    struct client_table *table); /* no client is referred to; NULL: nothing */

/* All clients of a file were taken: those that no longer are in it are shown no more. */
void client_table_renew(struct client_table *table);
/* Refers to the client of that identity, a text, which is made if there is none, and has this
 * label and these limits from now on. NULL: out of memory. */
struct client *client_table_take(struct client_table *table, const char *id, const char *label,
                                 const struct quota *quota);
struct client *client_table_share(struct client *client); /* one more reference; NULL: NULL */
void client_table_drop(struct client *client);            /* one less; NULL is ignored */
/* An address, as bits of a kind (net/peers.h). */
struct client_address {
    uint64_t bits, kind;
};
/* Refers to the client that is an address; its limits are those of `row`, whose usage is the
 * sum over all addresses. The address that was not seen for longest is forgotten for a new one.
 * NULL: out of memory. */
struct client *client_table_take_address(struct client_table *table, struct client *row,
                                         const struct client_address *address);

/* Writes the families of clients: the CLIENT_TABLE_SHOWN with most requests by their labels,
 * and "other", which has what all others used while they were not shown. So each sample only
 * grows, or begins anew. */
void client_table_write(struct client_table *table, struct metrics_page *page);
