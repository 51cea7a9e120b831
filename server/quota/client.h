/* SPDX-License-Identifier: Apache-2.0
 * client.h - a client that --api-keys-file names, or an address that has no key: what it may
 * use (quota.h), what it uses now, and what it has used. Keys of one name are one client. It
 * lives as long as a line of the file or a request refers to it, so that a reload neither gives
 * a client anew what it has used nor takes it from requests in progress. Thread-safe. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/quota/quota.h"

struct client;

/* A request that was not admitted. */
struct client_refusal {
    enum quota_limit limit;
    unsigned retry_s; /* seconds until it may be admitted; 0: never */
    /* The client is refused so often that an answer at once would cost others time. */
    bool is_flood;
};

/* The client of a request, where keys are in use, and what the request has used. */
struct client_request {
    struct client *client; /* NULL: it needs no key, or shows none that is valid */
    bool admitted;         /* it has a place in flight */
    uint64_t charged;      /* bytes that were taken of the client's limit */
    uint64_t work_ns;      /* that threads have worked for it */
};

/* Counters of a client since its row was first read; they outlive a reload. */
struct client_usage {
    _Atomic uint64_t requests; /* that were admitted */
    _Atomic uint64_t bytes;    /* of their bodies and answers */
    _Atomic uint64_t work_ns;  /* of threads */
    _Atomic uint64_t refused[QUOTA_LIMITS];
};

/* Admits a request at the i-th endpoint, which takes a place in flight until client_leave.
 * endpoint: beyond ENDPOINT_COUNT where nothing is; now_ns: of uv_hrtime. */
bool client_admit(struct client *client, size_t endpoint, uint64_t now_ns,
                  struct client_refusal *refusal);
void client_leave(struct client *client);
/* Takes bytes, or time of a thread, that an admitted request has used. */
void client_charge_bytes(struct client *client, uint64_t bytes);
void client_charge_work(struct client *client, uint64_t ns);

/* Copies the name of metrics and logs, which a reload may change: "team-a", "line 4" of a key
 * without a name, "no key" of an address. */
void client_copy_label(struct client *client, char label[QUOTA_NAME_MAX + 1]);
/* The client is an address, whose peer is that of its connection. */
bool client_is_address(const struct client *client);
