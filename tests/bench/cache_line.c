/* SPDX-License-Identifier: Apache-2.0
 * cache_line.c THREADS - what threads lose where they share memory, in one process: all of them
 * find one entry of the cache, or each an entry of its own. Prints operations a second. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "server/cache/cache.h"
#include "server/shared.h"

enum { THREADS_MOST = 256, KEY_SIZE = 256, BYTES = 2048 };
#define SECONDS 0.2

struct crowd {
    struct service *service;
    size_t count;
    pthread_barrier_t start;
    void (*once)(struct service *service, size_t of);
    bool apart; /* each thread has its own key, else all have the first */
    char texts[THREADS_MOST][KEY_SIZE];
    struct cache_key keys[THREADS_MOST]; /* of the texts */
};

struct member {
    struct crowd *crowd;
    size_t number;
    pthread_t thread;
    double each_second;
};

static struct crowd crowd;

static double now(void)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static void find(struct service *service, size_t of)
{
    cache_entry_drop(cache_find(service->cache, crowd.keys[of]));
}

static void *work(void *cls)
{
    enum { STRETCH = 1000 };
    struct member *member = cls;
    const size_t of = crowd.apart ? member->number : 0;
    double begin, end;
    size_t done = 0;

    pthread_barrier_wait(&crowd.start);
    begin = now();
    do {
        for (int i = 0; i < STRETCH; i++)
            crowd.once(crowd.service, of);
        done += STRETCH;
        end = now();
    } while (end - begin < SECONDS);
    member->each_second = (double)done / (end - begin);
    return NULL;
}

static bool run(const char *name, void (*once)(struct service *service, size_t of), bool apart)
{
    static struct member members[THREADS_MOST];
    double sum = 0;

    crowd.once = once;
    crowd.apart = apart;
    if (pthread_barrier_init(&crowd.start, NULL, (unsigned)crowd.count) != 0)
        return false;
    for (size_t i = 0; i < crowd.count; i++) {
        members[i] = (struct member){.number = i};
        if (pthread_create(&members[i].thread, NULL, work, &members[i]) != 0)
            exit(EXIT_FAILURE); /* the others wait at the barrier */
    }
    for (size_t i = 0; i < crowd.count; i++) {
        pthread_join(members[i].thread, NULL);
        sum += members[i].each_second;
    }
    pthread_barrier_destroy(&crowd.start);
    printf("%s %.0f\n", name, sum);
    return true;
}

/* Lists an entry for each thread. */
static bool fill(struct service *service)
{
    for (size_t i = 0; i < crowd.count; i++) {
        struct cache_answer answer = {.bytes = calloc(1, BYTES), .len = BYTES};
        struct cache_entry *entry;

        int len =
            snprintf(crowd.texts[i], KEY_SIZE, "/v1/sinusoidal?dim=512&format=npy&pos=%zu", i);
        crowd.keys[i] = cache_key(service->cache, crowd.texts[i], (size_t)len);
        if (!answer.bytes ||
            cache_get(service->cache, &entry, crowd.keys[i], NULL) != CACHE_MAKE)
            return false;
        cache_finish(service->cache, entry, &answer);
        cache_entry_drop(entry);
    }
    return true;
}

int main(int argc, char **argv)
{
    struct service service = {.config.max_inflight = 256 << 20, .cache = cache_new(256 << 20)};

    crowd.service = &service;
    crowd.count = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
    if (crowd.count < 1 || crowd.count > THREADS_MOST || !service.cache || !fill(&service))
        return EXIT_FAILURE;
    if (!run("one-key", find, false) || !run("a-key-each", find, true))
        return EXIT_FAILURE;
    cache_free(service.cache);
    return EXIT_SUCCESS;
}
