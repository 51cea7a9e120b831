/* SPDX-License-Identifier: Apache-2.0
 * exchange_loop.c - the state that the exchanges of one loop share: response cache, pool, spare
 * exchanges, request ids. */
#include <assert.h>
#include <stdlib.h>
#include <sys/random.h>
#include <uv.h>
#include <xxhash.h>

#include "proto/http/gzip.h"
#include "server/cache/request_templates.h"
#include "server/exchange/response.h"
#include "server/exchange/response_cache.h"
#include "server/sys/thread_pool.h"

enum { SPARE_MAX = 256 }; /* exchanges kept for reuse */
/* A client that sends request after request pauses for a few time slices of the scheduler. */
enum { BUSY_MS = 10 };

/* ---- tasks that the lanes of the process have run ---------------------------------- */

static void settle_tasks(struct loop_post *post)
{
    struct exchange_loop *state = (struct exchange_loop *)(void *)post;

    thread_pool_settle(state->pool);
}

static void wake(void *context)
{
    struct exchange_loop *state = context;

    loop_post(state->loop, &state->settle);
}

/* ---- life -------------------------------------------------------------------------------- */

struct exchange_loop *exchange_loop_new(struct loop *loop)
{
    struct exchange_loop *state = calloc(1, sizeof *state);
    bool answers;

    if (!state)
        return NULL;
    state->loop = loop;
    state->service = loop_service(loop);
    state->response_cache = response_cache_new(state->service->shortcuts);
    state->templates = request_templates_new();
    state->settle.fn = settle_tasks;
    state->pool =
        thread_pool_new(&state->service->lanes, (struct thread_pool_wake){wake, state});
    answers = emergency_begin(&state->emergency, state->service->shortcuts);
    if (getrandom(&state->id_seed, sizeof state->id_seed, GRND_NONBLOCK) < 0)
        state->id_seed = uv_hrtime();
    if (state->response_cache && state->templates && state->pool && answers)
        return state;
    exchange_loop_free(state);
    return NULL;
}

void exchange_loop_free(struct exchange_loop *state)
{
    if (!state)
        return;
    assert(exchange_loop_pending(state) == 0);
    while (state->free) {
        struct exchange *ex = state->free;

        state->free = ex->next_free;
        free(ex);
    }
    emergency_end(&state->emergency);
    gzip_free(state->compressor);
    thread_pool_free(state->pool);
    loop_files_drop(&state->files);
    request_templates_free(state->templates);
    response_cache_free(state->response_cache);
    free(state);
}

size_t exchange_loop_pending(const struct exchange_loop *state)
{
    return state->waits + (state->pool ? thread_pool_pending(state->pool) : 0);
}

void exchange_loop_tick(struct exchange_loop *state)
{
    struct service *service = state->service;
    struct cache_stats stats = cache_stats(service->cache);
    uint64_t outdated = stats.evictions;
    unsigned generation = atomic_load_explicit(&service->generation, memory_order_acquire);

    if (loop_is_first(state->loop))
        heap_trim_tick(&state->heap_trim, service, state->pool, loop_now_ms(state->loop));
    loop_files_renew(&state->files, service);
    answer_queue_wake_all(&state->answers); /* other loops may have given bytes back */
    cache_admit(service->cache, !service_overload_has(service, OVERLOAD_CACHE_NOTHING_NEW));
    if (outdated == state->outdated && generation == state->generation)
        return;
    state->outdated = outdated;
    state->generation = generation;
    response_cache_sweep(state->response_cache, generation);
}

struct exchange *exchange_loop_take(struct exchange_loop *state)
{
    struct exchange *ex = state->free;

    if (ex) {
        state->free = ex->next_free;
        state->free_count--;
    } else if (!(ex = malloc(sizeof *ex))) {
        return NULL;
    }
    state->requests++;
    *ex = (struct exchange){.state = state,
                            .problem = {.kind = PROBLEM_COUNT, .errors = &state->errors}};
    return ex;
}

void exchange_loop_give(struct exchange_loop *state, struct exchange *ex)
{
    if (state->free_count >= SPARE_MAX) {
        free(ex);
        return;
    }
    ex->next_free = state->free;
    state->free = ex;
    state->free_count++;
}

void exchange_loop_make_id(struct exchange_loop *state, char id[REQUEST_ID_SIZE])
{
    uint64_t number = ++state->id_count;

    request_id_print(XXH3_64bits_withSeed(&number, sizeof number, state->id_seed), id);
}

bool exchange_loop_is_busy(struct exchange_loop *state)
{
    uint64_t now = loop_now_ms(state->loop);

    if (state->requests != state->requests_seen)
        state->busy_until_ms = now + BUSY_MS;
    state->requests_seen = state->requests;
    return now < state->busy_until_ms;
}
