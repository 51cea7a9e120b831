/* SPDX-License-Identifier: Apache-2.0
 * client.c - see client.h. Bytes and work are taken when they are known, which is after the
 * request was admitted; so a bucket may owe what one request at once of the client has used. */
#include <math.h>
#include <string.h>

#include "server/quota/client_state.h"

#define REFUSALS_A_SECOND 10 /* that are answered at once */
#define MINUTE 60.0
#define RETRY_MOST 86400.0 /* seconds: a client asks again once a day, whatever it owes */

/* ---- limits, under the lock -------------------------------------------------------------- */

/* Returns the seconds until the bucket of a limit has a token; 0: it has one. */
static double wait_for(struct token_bucket *bucket, double a_second, double capacity,
                       uint64_t now_ns)
{
    token_bucket_fill(bucket, a_second, capacity, now_ns);
    return token_bucket_wait(bucket, 1, a_second);
}

static bool has_endpoint(const struct quota *quota, size_t endpoint)
{
    return quota->endpoints == 0 || (endpoint < 64 && (quota->endpoints >> endpoint & 1));
}

/* Returns the first limit that refuses a request now, with the seconds until it may not;
 * QUOTA_LIMITS: none does. */
static enum quota_limit find_limit(struct client *client, size_t endpoint, uint64_t now_ns,
                                   double *seconds)
{
    const struct quota *quota = &client->quota;

    *seconds = 0;
    if (!has_endpoint(quota, endpoint))
        return QUOTA_ENDPOINTS;
    if (quota->inflight > 0 && client->inflight >= quota->inflight)
        return QUOTA_INFLIGHT;
    if (quota->requests > 0 && (*seconds = wait_for(&client->requests, (double)quota->requests,
                                                    (double)quota->requests, now_ns)) > 0)
        return QUOTA_REQUESTS;
    if (quota->bytes > 0 && (*seconds = wait_for(&client->bytes, (double)quota->bytes,
                                                 (double)quota->bytes, now_ns)) > 0)
        return QUOTA_BYTES;
    if (quota->work_ms > 0 &&
        (*seconds = wait_for(&client->work, (double)quota->work_ms / MINUTE,
                             (double)quota->work_ms, now_ns)) > 0)
        return QUOTA_WORK;
    return QUOTA_LIMITS;
}

static bool refuse(struct client *client, enum quota_limit limit, double seconds,
                   uint64_t now_ns, struct client_refusal *refusal)
{
    refusal->limit = limit;
    refusal->retry_s =
        limit == QUOTA_ENDPOINTS ? 0 : (unsigned)ceil(fmin(fmax(seconds, 1), RETRY_MOST));
    refusal->is_flood =
        wait_for(&client->refusals, REFUSALS_A_SECOND, REFUSALS_A_SECOND, now_ns) > 0;
    if (!refusal->is_flood)
        client->refusals.tokens -= 1;
    return false;
}

/* ---- any thread ------------------------------------------------------------------------ */

static void count(_Atomic uint64_t *sum, uint64_t more)
{
    atomic_fetch_add_explicit(sum, more, memory_order_relaxed);
}

bool client_admit(struct client *client, size_t endpoint, uint64_t now_ns,
                  struct client_refusal *refusal)
{
    enum quota_limit limit;
    double seconds;

    pthread_mutex_lock(&client->lock);
    limit = find_limit(client, endpoint, now_ns, &seconds);
    if (limit != QUOTA_LIMITS) {
        (void)refuse(client, limit, seconds, now_ns, refusal);
    } else {
        if (client->quota.requests > 0)
            client->requests.tokens -= 1;
        client->inflight++;
    }
    pthread_mutex_unlock(&client->lock);
    count(limit == QUOTA_LIMITS ? &client->usage->requests : &client->usage->refused[limit], 1);
    return limit == QUOTA_LIMITS;
}

void client_leave(struct client *client)
{
    pthread_mutex_lock(&client->lock);
    client->inflight--;
    pthread_mutex_unlock(&client->lock);
}

void client_charge_bytes(struct client *client, uint64_t bytes)
{
    count(&client->usage->bytes, bytes);
    pthread_mutex_lock(&client->lock);
    if (client->quota.bytes > 0)
        client->bytes.tokens -= (double)bytes;
    pthread_mutex_unlock(&client->lock);
}

void client_charge_work(struct client *client, uint64_t ns)
{
    count(&client->usage->work_ns, ns);
    pthread_mutex_lock(&client->lock);
    if (client->quota.work_ms > 0)
        client->work.tokens -= (double)ns / 1e6;
    pthread_mutex_unlock(&client->lock);
}

void client_copy_label(struct client *client, char label[QUOTA_NAME_MAX + 1])
{
    struct client *named = client->row ? client->row : client;

    pthread_mutex_lock(&named->lock);
    memcpy(label, named->label, sizeof named->label);
    pthread_mutex_unlock(&named->lock);
}

bool client_is_address(const struct client *client)
{
    return client->row != NULL;
}
