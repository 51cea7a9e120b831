/* SPDX-License-Identifier: Apache-2.0
 * cache_wait.c - keeps the cache's waiter and the loop's post in one block of memory, which
 * outlives an exchange that ends while the wake-up is on its way. See cache_wait.h. */
#include "server/exchange/cache_wait.h"

#include <stdlib.h>
#include <uv.h>

#include "server/exchange/auth.h"
#include "server/exchange/response.h"
#include "server/net/peers.h"

struct cache_wait {
    struct wait wait;           /* first: a wait is cast to this */
    struct cache_waiter waiter; /* found by its offset, as the post is */
    struct loop_post post;
    struct exchange_loop *state;
};

/* Runs on the loop's thread. */
static void on_post(struct loop_post *post)
{
    struct cache_wait *own =
        (struct cache_wait *)(void *)((char *)post - offsetof(struct cache_wait, post));

    own->state->waits--;
    wait_over(&own->wait);
}

/* Runs on the maker's thread. */
static void on_wake(struct cache_waiter *waiter)
{
    struct cache_wait *own =
        (struct cache_wait *)(void *)((char *)waiter - offsetof(struct cache_wait, waiter));

    loop_post(own->state->loop, &own->post);
}

static void settle(struct wait *wait, struct exchange *ex)
{
    free(wait); /* the exchange has the entry already */
}

static bool cancel(struct wait *wait, struct exchange *ex)
{
    struct cache_waiter *waiter = &((struct cache_wait *)(void *)wait)->waiter;

    if (cache_cancel(ex->work.entry, waiter)) {
        ex->state->waits--;
        free(wait);
    } /* else on_post has it settled */
    return false;
}

static const struct wait_kind kind = {.settle = settle, .cancel = cancel};

enum cache_result cache_wait_get(struct exchange *ex, enum content_coding coding)
{
    struct cache_wait *own = ex->work.no_coalescing ? NULL : malloc(sizeof *own);
    enum cache_result result = CACHE_NO_MEMORY;

    if (own)
        *own = (struct cache_wait){.waiter = {.wake = on_wake},
                                   .post = {.fn = on_post},
                                   .state = ex->state};
    if (own || ex->work.no_coalescing)
        result = cache_get(exchange_service(ex)->cache, &ex->work.entry,
                           response_key(ex, coding), own ? &own->waiter : NULL);
    if (result != CACHE_WAIT) {
        free(own);
        return result;
    }
    ex->state->waits++;
    wait_begin(ex, &own->wait, &kind);
    thread_pool_hasten(ex->state->pool, ex->work.entry, auth_peer(ex)->number);
    return result;
}

bool cache_wait_spin(struct exchange *ex, uint64_t ns)
{
    uint64_t end = uv_hrtime() + ns;

    while (!cache_entry_done(ex->work.entry))
        if (uv_hrtime() > end)
            return false;
    wait_cancel(ex);
    return true;
}
