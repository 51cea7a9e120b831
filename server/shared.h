/* SPDX-License-Identifier: Apache-2.0
 * shared.h - what all loops of one posencd share: the configuration, caches, tables, metrics,
 * the memory budget and the overload level. There are no globals: a process may run several
 * services, as tests do. service.c makes and frees it on the main thread; loops only use it. */
#ifndef SERVER_SHARED_H
#define SERVER_SHARED_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/config/config.h"
#include "server/sys/cgroup.h"
#include "server/sys/siphash.h"

struct body_budget;
struct cache;
struct address_limit;
struct table_cache;
struct metrics;
struct log;
struct loop;
struct model_files;
struct table_files;
struct secrets;
struct listener;
struct service_life; /* service.c's own: main loop, listener, drain, warm-up */

enum service_state { SERVICE_LOADING, SERVICE_READY, SERVICE_DRAINING, SERVICE_STOPPING };

struct service_memory {                    /* what may be used, and is */
    struct cgroup cgroup;                  /* that limits the process and others */
    _Atomic uint64_t limit;                /* of the process; UINT64_MAX: none */
    _Atomic uint64_t own_used, group_used; /* by the process; by all, at the last look */
    pthread_mutex_t looking;
    uint64_t looked_ns; /* the first loop's */
};

struct service {
    struct config config;          /* immutable after start */
    struct cache *cache;           /* canonical key -> bytes (thread-safe) */
    struct table_cache *store;     /* table key -> counted table (thread-safe) */
    struct address_limit *clients; /* connections by address; NULL: as many as they like */
    struct metrics *metrics;
    struct log *log;
    struct model_files *models; /* names for model= (thread-safe) */
    struct table_files *tables; /* learned tables by name (thread-safe) */
    struct secrets *secrets;    /* keys and certificate (thread-safe) */
    struct loop **loops;
    size_t loop_count;
    struct service_life *life;
    _Atomic int state;               /* enum service_state */
    _Atomic uint64_t connections;    /* open, process-wide */
    _Atomic uint64_t guests;         /* of them, those who were let in to ask for health */
    _Atomic uint64_t lingering;      /* sockets that lingering.h keeps open, process-wide */
    _Atomic uint64_t inflight_bytes; /* bodies and answers in memory, but for lent ones */
    _Atomic uint64_t sending_bytes;  /* of them, what answers need that are being sent */
    atomic_bool
        short_of_bytes; /* computing found none left since the last look (load_shedding.c) */
    _Atomic uint64_t leaving_bytes; /* of answers whose readers were cut off just now */
    struct body_budget *bodies;     /* of them, the bodies, by peer (thread-safe) */
    struct siphash_key peer_key;    /* makes a peer's number of what it is known by */
    struct service_memory memory;
    _Atomic int overload_level;  /* level 0..4 of the overload ladder */
    _Atomic unsigned generation; /* raised by a reload: older hot entries are stale */
};

enum service_state service_state(const struct service *service);

/* Take bytes of the in-flight budget; false when it is exhausted (503). Give them back. */
bool service_reserve(struct service *service, uint64_t bytes);
void service_release(struct service *service, uint64_t bytes);
/* Computing is refused for want of so many bytes: who holds most besides gives way. */
void service_want(struct service *service, uint64_t bytes);
/* Of what was taken, so much is held from now on by an answer that is being sent; no more. */
void service_begin_send(struct service *service, uint64_t bytes);
void service_end_send(struct service *service, uint64_t bytes);
/* Bytes that answers being sent hold (that, and what the cache has lent) beyond what they may
 * have while others want it: their readers give way, the slowest first (load_shedding.h). */
uint64_t service_excess(const struct service *service);
/* So many of them are free soon: their readers were cut off. Then they are. */
void service_begin_leave(struct service *service, uint64_t bytes);
void service_end_leave(struct service *service, uint64_t bytes);
/* Bytes of --max-inflight in use. */
uint64_t service_inflight(const struct service *service);
/* By bodies, by answers that are being sent, and by all else. */
void service_tell_inflight(const struct service *service, uint64_t *bodies, uint64_t *sending,
                           uint64_t *computing);
/* What one body holds of that budget, and of the share that bodies have of it: half. */
struct service_body {
    uint64_t peer, bytes; /* as body_budget.h has them */
};
/* False: neither is there room, nor does it change. */
bool service_reserve_body(struct service *service, struct service_body *body, uint64_t bytes);
/* Gives back all but so many bytes. */
void service_release_body(struct service *service, struct service_body *body, uint64_t kept);
/* Connections should be looked at now: for their deadlines, which pressure has brought nearer,
 * or because others want the memory that they hold. */
bool service_is_pressed(const struct service *service);
/* The overload ladder's level from connections, in-flight bytes and memory: 1 from 70 % of a
 * limit, 2 from 85 %, 3 from 95 %, 4 at 100 %. Loops call it every 100 ms. */
void overload_update(struct service *service);
/* Looks how much of its memory is used, if that is limited: what the process has and, once a
 * second, what all of its cgroup has. From level 2 on the caches give back some of theirs then.
 * The first loop calls it every 100 ms. */
void overload_sample_memory(struct service *service);
/* The look of once a second. Any thread. */
void overload_sample_cgroup(struct service *service);

/* Why it could not start: a sentence and the exit code (69 cannot bind, 70 internal, 78). */
struct service_error {
    int exit_code;
    char text[512];
};

#endif
