/* SPDX-License-Identifier: Apache-2.0
 * wait.c - cache waiter and loop post in one piece of memory, which outlives the exchange if
 * that ends while the wake-up is on its way. See wait.h. */
#include "server/exchange/wait.h"

#include <stdlib.h>
#include <uv.h>

struct wait {
    struct cache_waiter waiter; /* first: a waiter is its wait */
    struct loop_post post;      /* second: found by offset */
    struct exchange_loop *state;
    struct exchange *ex; /* NULL: it waits no longer */
};

/* On the loop's thread. */
static void on_post(struct loop_post *post)
{
    struct wait *wait = (struct wait *)(void *)((char *)post - offsetof(struct wait, post));
    struct exchange *ex = wait->ex;

    wait->state->waits--;
    free(wait);
    if (ex) {
        ex->wait = NULL;
        connection_resume(ex->connection);
    }
}

/* On the maker's thread. */
static void on_wake(struct cache_waiter *waiter)
{
    struct wait *wait = (struct wait *)(void *)waiter;

    loop_post(wait->state->loop, &wait->post);
}

struct wait *wait_new(struct exchange *ex)
{
    struct wait *wait = calloc(1, sizeof *wait);

    if (!wait)
        return NULL;
    wait->waiter.wake = on_wake;
    wait->post.fn = on_post;
    wait->state = ex->state;
    wait->ex = ex;
    return wait;
}

void wait_free(struct wait *wait)
{
    free(wait);
}

struct cache_waiter *wait_waiter(struct wait *wait)
{
    return &wait->waiter;
}

void wait_begin(struct wait *wait, struct cache_entry *entry)
{
    wait->ex->wait = wait;
    wait->ex->entry = entry;
    wait->state->waits++;
}

void wait_cancel(struct exchange *ex)
{
    struct wait *wait = ex->wait;

    if (!wait)
        return;
    ex->wait = NULL;
    wait->ex = NULL;
    if (cache_cancel(exchange_service(ex)->cache, ex->entry, &wait->waiter)) {
        wait->state->waits--;
        free(wait);
    } /* else the post is on its way and frees it */
}

bool wait_spin(struct exchange *ex, uint64_t ns)
{
    uint64_t end = uv_hrtime() + ns;

    while (!cache_entry_done(ex->entry))
        if (uv_hrtime() > end)
            return false;
    wait_cancel(ex);
    return true;
}
