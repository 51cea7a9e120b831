/* SPDX-License-Identifier: Apache-2.0
 * service.h - what all loops of one posencd share. No globals: a process may run several
 * (tests do). Made and freed by the main thread; loops only use it. */
#ifndef SERVER_SERVICE_H
#define SERVER_SERVICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/config.h"

struct cache;
struct store;
struct metrics;
struct log;
struct loop;
struct listener;

enum service_state { SERVICE_LOADING, SERVICE_READY, SERVICE_DRAINING, SERVICE_STOPPING };

struct service {
    struct config config; /* immutable after start */
    struct cache *cache;  /* canonical key -> bytes (thread-safe) */
    struct store *store;  /* table key -> counted table (thread-safe) */
    struct metrics *metrics;
    struct log *log;
    struct loop **loops;
    size_t loop_count;
    _Atomic int state;                /* enum service_state */
    _Atomic uint64_t connections;     /* open, process-wide */
    _Atomic uint64_t inflight_bytes;  /* bodies and answers in memory */
    _Atomic int pressure;             /* level 0..4 of the overload ladder */
    _Atomic unsigned generation;      /* raised by a reload: older hot entries are stale */
};

enum service_state service_state(const struct service *service);

/* Take bytes of the in-flight budget; false when it is exhausted (503). Give them back. */
bool service_reserve(struct service *service, uint64_t bytes);
void service_release(struct service *service, uint64_t bytes);

#endif
