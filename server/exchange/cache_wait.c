/* SPDX-License-Identifier: Apache-2.0
 * cache_wait.c - keeps the cache's waiter and the loop's post in one block of memory, which
 * outlives an exchange that ends while the wake-up is on its way. See cache_wait.h. */
#include "server/exchange/cache_wait.h"

#include <stdlib.h>
#include <uv.h>

#include "server/net/peers.h"
#include "server/sys/thread_pool.h"

struct cache_wait {
    struct cache_waiter waiter; /* first, so that a pointer to a waiter is one to its wait */
    struct loop_post post;      /* found by its offset */
    struct exchange_loop *state;
    struct exchange *ex; /* NULL: the exchange waits no longer */
};

/* Runs on the loop's thread. */
static void on_post(struct loop_post *post)
{
    struct cache_wait *wait =
        (struct cache_wait *)(void *)((char *)post - offsetof(struct cache_wait, post));
    struct exchange *ex = wait->ex;

    wait->state->waits--;
    free(wait);
    if (ex) {
        ex->work.cache_wait = NULL;
        connection_resume(ex->connection);
    }
}

/* Runs on the maker's thread. */
static void on_wake(struct cache_waiter *waiter)
{
    struct cache_wait *wait = (struct cache_wait *)(void *)waiter;

    loop_post(wait->state->loop, &wait->post);
}

struct cache_wait *cache_wait_new(struct exchange *ex)
{
    struct cache_wait *wait = ex->state->spare_wait;

    ex->state->spare_wait = NULL;
    if (!wait && !(wait = malloc(sizeof *wait)))
        return NULL;
    *wait = (struct cache_wait){.waiter = {.wake = on_wake},
                                .post = {.fn = on_post},
                                .state = ex->state,
                                .ex = ex};
    return wait;
}

void cache_wait_free(struct cache_wait *wait)
{
    if (!wait || wait->state->spare_wait)
        free(wait);
    else
        wait->state->spare_wait = wait;
}

struct cache_waiter *cache_wait_waiter(struct cache_wait *wait)
{
    return &wait->waiter;
}

void cache_wait_begin(struct cache_wait *wait, struct cache_entry *entry)
{
    wait->ex->work.cache_wait = wait;
    wait->ex->work.entry = entry;
    wait->state->waits++;
    thread_pool_hasten(wait->state->pool, entry, exchange_peer(wait->ex)->number);
}

void cache_wait_cancel(struct exchange *ex)
{
    struct cache_wait *wait = ex->work.cache_wait;

    if (!wait)
        return;
    ex->work.cache_wait = NULL;
    wait->ex = NULL;
    if (cache_cancel(exchange_service(ex)->cache, ex->work.entry, &wait->waiter)) {
        wait->state->waits--;
        free(wait);
    } /* else on_post frees it */
}

bool cache_wait_spin(struct exchange *ex, uint64_t ns)
{
    uint64_t end = uv_hrtime() + ns;

    while (!cache_entry_done(ex->work.entry))
        if (uv_hrtime() > end)
            return false;
    cache_wait_cancel(ex);
    return true;
}
