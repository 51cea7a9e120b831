/* SPDX-License-Identifier: Apache-2.0
 * client_state.h - struct client, which client_table.c makes and frees, and client.c uses. No
 * other file includes it. */
#pragma once

#include <pthread.h>

#include "server/quota/client.h"
#include "server/quota/client_table.h"
#include "server/quota/token_bucket.h"

/* The counters of a client in /metrics, which the lock of the table guards. */
struct client_view {
    struct client_sums {
        uint64_t requests, bytes, work_ns, refused[QUOTA_LIMITS];
    } base,   /* that the client had used when it was shown first */
        seen, /* that it had used when the page was written last */
        now;  /* that it has used, while the page is written */
    bool is_shown;
    unsigned generation; /* of the file that named the client last */
};

struct client {
    struct client *next; /* of the names, or of the bucket of addresses; of the table */
    struct client_table *table;
    atomic_size_t references;
    struct client_usage *usage; /* own, or that of the row of addresses */
    struct client_usage own;
    struct client_view *view; /* NULL: it is an address */
    char *id;                 /* NULL: it is an address */
    struct client_address address;
    struct client *row;            /* of an address */
    bool was_seen;                 /* an address was, since the hand passed */
    pthread_mutex_t lock;          /* protects the fields below */
    char label[CLIENT_LABEL_SIZE]; /* changed under the lock of the table too */
    struct quota quota;
    uint64_t inflight;
    struct token_bucket requests, bytes, work, refusals;
};
