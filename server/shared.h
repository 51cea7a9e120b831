/* SPDX-License-Identifier: Apache-2.0
 * shared.h - the state that the threads of one service share: configuration, caches, metrics,
 * the memory budget and the overload level. There are no globals, so a process may run several
 * services, as tests do. service.c makes and frees it on the main thread; loops only use it. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/config/config.h"
#include "server/sys/cgroup.h"
#include "server/sys/overload_level.h"
#include "server/sys/thread_pool.h"

struct body_budget;
struct cache;
struct client_table;
struct peers;
struct table_cache;
struct metrics;
struct log;
struct loop;
struct exchange_routes;
struct model_files;
struct table_files;
struct secrets;
struct listener;
struct service_life; /* main loop, listener, drain and warm-up; in service.c */

enum service_state { SERVICE_LOADING, SERVICE_READY, SERVICE_DRAINING, SERVICE_STOPPING };

struct service_memory {
    struct cgroup cgroup;   /* its limit binds the process and others */
    _Atomic uint64_t limit; /* bytes of the process; UINT64_MAX: none */
    /* Bytes used by the process, and by all processes of the cgroup, when last measured. */
    _Atomic uint64_t own_used, group_used;
    pthread_mutex_t measuring;
    uint64_t measured_ns; /* when the first loop last measured the cgroup */
};

struct service {
    struct config config;            /* immutable after start */
    unsigned shortcuts;              /* transport.h; immutable after start */
    struct cache *cache;             /* canonical key -> bytes (thread-safe) */
    struct table_cache *table_cache; /* table key -> reference-counted table (thread-safe) */
    struct peers *peers;             /* whom requests belong to (thread-safe) */
    struct client_table *clients;    /* what clients may use and have used (thread-safe) */
    struct metrics *metrics;
    struct log *log;
    struct model_files *models; /* names for model= (thread-safe) */
    struct table_files *tables; /* learned tables by name (thread-safe) */
    struct secrets *secrets;    /* keys and certificate (thread-safe) */
    struct loop **loops;
    size_t loop_count;
    struct service_life *life;
    const struct exchange_routes *routes; /* the endpoints that are served */
    _Atomic int state;                    /* enum service_state */
    _Atomic uint64_t connections;         /* open, process-wide */
    _Atomic uint64_t guests;         /* of them, connections that may only ask for health */
    _Atomic uint64_t lingering;      /* sockets that lingering.h keeps open, process-wide */
    _Atomic uint64_t inflight_bytes; /* of bodies and responses, without what the cache lends */
    _Atomic uint64_t sending_bytes;  /* of them, held by responses that are being sent */
    atomic_bool
        answer_holds; /* an answer that waits for bytes keeps its own (answer_queue.h) */
    /* That a request did not find since load_shedding.c last looked. */
    _Atomic uint64_t missing_bytes;
    atomic_bool shedding;           /* a loop is at it, and others wait for their next tick */
    _Atomic uint64_t leaving_bytes; /* of responses whose connections were cut off just now */
    struct thread_pool_lanes lanes; /* threads that run tasks (thread-safe) */
    struct body_budget *bodies;     /* of inflight_bytes, the bodies by peer (thread-safe) */
    struct service_memory memory;
    _Atomic int overload_level;  /* enum overload_level */
    _Atomic unsigned generation; /* raised by a reload: older ready-made responses are stale */
};

static inline enum service_state service_state(const struct service *service)
{
    return (enum service_state)atomic_load_explicit(&service->state, memory_order_relaxed);
}

/* The level of overload has this effect now. */
static inline bool service_overload_has(const struct service *service,
                                        enum overload_effect effect)
{
    int level = atomic_load_explicit(&service->overload_level, memory_order_relaxed);

    return overload_level_has((enum overload_level)level, effect);
}

/* Why it could not start: a sentence and the exit code (69 cannot bind, 70 internal, 78). */
struct service_error {
    int exit_code;
    char text[512];
};
