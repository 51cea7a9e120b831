/* SPDX-License-Identifier: Apache-2.0
 * overload.h - how near the service is to its limits, as a level, and what it does at each
 * level (overload.def). */
#ifndef SERVER_OVERLOAD_H
#define SERVER_OVERLOAD_H

#include <stdbool.h>

struct service;

#define LEVEL(ID, PERCENT) OVERLOAD_##ID,
#define EFFECT(ID, LEVEL, TEXT)
enum overload_level {
#include "server/overload.def"
    OVERLOAD_LEVEL_COUNT
};
#undef LEVEL
#undef EFFECT

/* The value of an effect is the level from which it holds. */
#define LEVEL(ID, PERCENT)
#define EFFECT(ID, LEVEL, TEXT) OVERLOAD_##ID = OVERLOAD_##LEVEL,
enum overload_effect {
#include "server/overload.def"
};
#undef LEVEL
#undef EFFECT

static inline bool overload_has(enum overload_level level, enum overload_effect effect)
{
    return (int)level >= (int)effect;
}

/* Sets service->overload_level: the highest level of connections, in-flight bytes and memory.
 * Every loop calls it every 100 ms. */
void overload_update(struct service *service);
/* Measures the memory in use, if it is limited: that of the process and, once a second, that of
 * its whole cgroup (overload_sample_cgroup). The first loop calls it every 100 ms. */
void overload_sample_memory(struct service *service);
/* Measures the memory of the process and of its cgroup, and shrinks the caches if the level of
 * memory asks for it. Any thread. */
void overload_sample_cgroup(struct service *service);

#endif
