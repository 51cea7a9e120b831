/* SPDX-License-Identifier: Apache-2.0
 * test_service.c - state that the loops share: budget, overload level, generation; several
 * services in one process; failed starts. */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/cache/cache.h"
#include "server/cache/table_cache.h"
#include "server/net/inflight.h"
#include "server/net/overload.h"
#include "server/sys/resources.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/http_client.h"
#include "tests/support/scratch.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

static struct service *service;

static struct scratch *group; /* the files of a cgroup */

static void start(void)
{
    service = served_start(NULL);
}

static void stop(void)
{
    served_stop(service);
}

static void in_group(struct config *config)
{
    config->cgroup_root = scratch_folder(group);
}

static void start_in_group(void)
{
    group = scratch_new();
    scratch_write(group, "memory.max", "107374182400\n");
    service = served_start(in_group);
}

static void stop_in_group(void)
{
    served_stop(service);
    scratch_free(group);
}

START_TEST(the_budget_can_be_reserved_to_its_last_byte)
{
    uint64_t max = service->config.max_inflight;

    ck_assert(inflight_reserve(service, max - 1));
    ck_assert(!inflight_reserve(service, 2));
    ck_assert(inflight_reserve(service, 1));
    ck_assert(!inflight_reserve(service, 1));
    ck_assert(inflight_reserve(service, 0));
    inflight_release(service, max);
    ck_assert(!inflight_reserve(service, max + 1));
    ck_assert(!inflight_reserve(service, UINT64_MAX));
    ck_assert_uint_eq(service->inflight_bytes, 0);
}
END_TEST

static void *take_and_give(void *cls)
{
    uint64_t share = service->config.max_inflight / 3;
    size_t *refused = cls;

    for (int i = 0; i < 100000; i++) {
        if (!inflight_reserve(service, share)) {
            ++*refused;
            continue;
        }
        if (service->inflight_bytes > service->config.max_inflight)
            abort();
        inflight_release(service, share);
    }
    return NULL;
}

START_TEST(threads_that_share_the_budget_never_exceed_it)
{
    pthread_t threads[4];
    size_t refused[4] = {0};

    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, take_and_give, &refused[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(service->inflight_bytes, 0);
}
END_TEST

/* A loop may be about to store a level that it computed a moment ago: then tries again. */
static void expect_level(int level)
{
    enum { TIMES = 1000 };

    for (int i = 0; i < TIMES; i++) {
        overload_sample_cgroup(service);
        overload_update(service);
        if (service->overload_level == level)
            return;
        sched_yield();
    }
    ck_assert_int_eq(service->overload_level, level);
}

START_TEST(the_level_rises_with_connections_or_bytes)
{
    static const struct {
        int percent, level;
    } steps[] = {{0, 0},  {69, 0}, {70, 1}, {84, 1}, {85, 2},
                 {94, 2}, {95, 3}, {99, 3}, {100, 4}};
    uint64_t connections = service->config.max_connections,
             bytes = service->config.max_inflight;

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        uint64_t percent = (uint64_t)steps[i].percent;

        atomic_store(&service->inflight_bytes, (bytes * percent + 99) / 100);
        expect_level(steps[i].level);
        atomic_store(&service->inflight_bytes, 0);
        atomic_store(&service->connections, (connections * percent + 99) / 100);
        expect_level(steps[i].level);
        atomic_store(&service->connections, 0);
    }
}
END_TEST

START_TEST(the_level_rises_with_memory_where_that_is_limited)
{
    static const struct {
        double times;
        int level;
    } limits[] = {{10, 0}, {1.3, 1}, {1.1, 2}, {0.5, 4}, {10, 0}};
    uint64_t resident;

    atomic_store(&service->memory.limit, 1);
    overload_sample_cgroup(
        service); /* returns free memory, so that no later measurement does */
    resident = resources_resident();
    ck_assert_uint_gt(resident, 1 << 20);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        atomic_store(&service->memory.limit, (uint64_t)((double)resident * limits[i].times));
        expect_level(limits[i].level);
    }
}
END_TEST

/* Sets how many of its 100 GiB the group uses. */
static void use_memory(uint64_t gibibytes)
{
    char text[32];

    snprintf(text, sizeof text, "%" PRIu64 "\n", gibibytes << 30);
    scratch_write(group, "memory.current", text);
    overload_sample_cgroup(service);
}

START_TEST(the_level_rises_with_the_memory_of_the_whole_cgroup)
{
    static const struct {
        int gibibytes, level;
    } steps[] = {{60, 0}, {70, 1}, {84, 1}, {85, 2}, {95, 3}, {100, 4}, {10, 0}};

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        use_memory((uint64_t)steps[i].gibibytes);
        expect_level(steps[i].level);
    }
}
END_TEST

START_TEST(the_caches_shrink_when_the_cgroup_is_short_of_memory)
{
    struct http_client *client = http_client_new(service_port(service, 0));
    struct http_answer answer = {0};
    uint64_t before;
    char target[100];

    for (int i = 0; i < 64; i++) {
        snprintf(target, sizeof target, "/v1/rope?dim=64&pos=%d:%d&out=cos&format=raw", i,
                 i + 100);
        http_client_get(client, &answer, target);
        ck_assert_int_eq(answer.status, 200);
    }
    before = cache_stats(service->cache).bytes;
    use_memory(84);
    ck_assert_uint_eq(cache_stats(service->cache).bytes, before);
    use_memory(86); /* gives a quarter back at most */
    ck_assert_uint_lt(cache_stats(service->cache).entries, 64);
    use_memory(96);
    use_memory(96);
    ck_assert_uint_lt(cache_stats(service->cache).entries, 32);
    for (int i = 0; i < 20; i++)
        use_memory(96);
    ck_assert_uint_eq(cache_stats(service->cache).entries, 0);
    ck_assert_uint_eq(table_cache_stats(service->table_cache).bytes, 0);
    use_memory(10);
    expect_level(0);
    http_client_get(client, &answer, target); /* the service works as before */
    ck_assert_int_eq(answer.status, 200);
    http_answer_fini(&answer);
    http_client_free(client);
}
END_TEST

/* Adds a kilobyte under this key and keeps a reference. */
static struct cache_entry *keep(int number)
{
    struct cache_answer answer = {.bytes = calloc(1, 1000), .len = 1000};
    struct cache_entry *entry;
    char key[32];

    snprintf(key, sizeof key, "key %d", number);
    ck_assert_int_eq(
        cache_get(service->cache, &entry, cache_key(service->cache, key, strlen(key)), NULL),
        CACHE_MAKE);
    cache_finish(service->cache, entry, &answer);
    return entry;
}

/* Clients that read slowly hold entries: their bytes are in flight until they are sent. */
START_TEST(entries_that_left_but_are_lent_do_not_count_as_shrunk)
{
    enum { HELD = 60, KEPT = 20 };
    struct cache_entry *held[HELD];
    uint64_t bytes;

    for (int i = 0; i < HELD; i++)
        held[i] = keep(i);
    bytes = cache_stats(service->cache).bytes;
    ck_assert_uint_eq(cache_shrink(service->cache, 1), bytes);
    ck_assert_uint_eq(cache_shrink(service->cache, 1), 0);
    ck_assert_uint_eq(cache_stats(service->cache).bytes, 0);
    ck_assert_uint_eq(inflight_used(service), bytes);
    for (int i = 0; i < KEPT; i++)
        cache_entry_unref(keep(HELD + i));
    ck_assert_uint_eq(cache_stats(service->cache).entries, KEPT);
    use_memory(86);
    ck_assert_uint_lt(cache_stats(service->cache).entries, KEPT);
    for (int i = 0; i < HELD; i++)
        cache_entry_unref(held[i]);
}
END_TEST

/* 70 GiB are more than the process may have, but other processes use some of them. */
START_TEST(the_process_has_a_limit_within_that_of_its_cgroup)
{
    static const uint64_t limits[][2] = {
        {0, 100},
        {64, 64},
        {1000, 100}}; /* the flag and the resulting limit, in GiB */
    struct config config = service->config;
    struct service *other;

    snprintf(config.listen.item[0], CONFIG_ITEM_SIZE, "127.0.0.1:0");
    use_memory(70);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct service_error error;

        config.max_memory = limits[i][0] << 30;
        other = service_new(&config, NULL, &error);
        ck_assert_msg(other != NULL, "%s", error.text);
        ck_assert_uint_eq(other->memory.limit, limits[i][1] << 30);
        overload_sample_cgroup(other);
        overload_update(other);
        ck_assert_int_eq(other->overload_level, 1);
        service_free(other);
    }
}
END_TEST

START_TEST(a_reload_is_a_new_generation)
{
    unsigned before = service->generation;

    service_reload(service);
    ck_assert_uint_eq(service->generation, before + 1);
}
END_TEST

START_TEST(a_service_is_ready_once_and_not_again_when_it_stops)
{
    ck_assert_int_eq(service_state(service), SERVICE_READY);
    service_drain(service, 60000, 60000);
    while (service_state(service) != SERVICE_DRAINING)
        sched_yield();
    service_ready(service);
    ck_assert_int_eq(service_state(service), SERVICE_DRAINING);
}
END_TEST

START_TEST(two_services_in_one_process_are_independent)
{
    struct service *other = served_start(NULL);
    struct http_client *client = http_client_new(service_port(other, 0));
    struct http_answer answer = {0};

    ck_assert_uint_ne(service_port(service, 0), service_port(other, 0));
    http_client_get(client, &answer, "/livez");
    ck_assert_int_eq(answer.status, 200);
    ck_assert_uint_eq(service->connections, 0);
    ck_assert_uint_eq(other->connections, 1);
    http_answer_fini(&answer);
    http_client_free(client);
    served_stop(other);
}
END_TEST

START_TEST(a_service_may_be_freed_without_having_run)
{
    struct service_error error;
    struct service *idle = service_new(&service->config, NULL, &error);

    ck_assert_msg(idle != NULL, "%s", error.text);
    service_free(idle);
    service_free(NULL);
}
END_TEST

START_TEST(a_failed_start_has_a_sentence_and_its_exit_code)
{
    struct config config = service->config;
    struct service_error error = {0};

    snprintf(config.listen.item[0], CONFIG_ITEM_SIZE, "127.0.0.1:%u", service_port(service, 0));
    ck_assert_ptr_null(service_new(&config, NULL, &error));
    ck_assert_int_eq(error.exit_code, 69);
    snprintf(config.listen.item[0], CONFIG_ITEM_SIZE, "somewhere");
    ck_assert_ptr_null(service_new(&config, NULL, &error));
    ck_assert_int_eq(error.exit_code, 78);
    ck_assert_ptr_nonnull(strstr(error.text, "--listen must be ADDRESS:PORT"));
}
END_TEST

/* Tries each of the first allocations, then ever fewer of the thousands that write the pages,
 * which are alike. */
START_TEST(an_allocation_that_fails_at_start_is_reported_or_tolerated)
{
    struct config config = service->config;
    size_t refused = 0;
    bool failed = true;

    snprintf(config.listen.item[0], CONFIG_ITEM_SIZE, "127.0.0.1:0");
    config.threads = 1;
    for (size_t n = 0; failed; n += 1 + n / 200) {
        struct service_error error = {0};

        alloc_fail_start(n);
        struct service *tried = service_new(&config, NULL, &error);
        failed = alloc_fail_stop();
        if (!tried) {
            ck_assert(failed);
            ck_assert_int_eq(error.exit_code, 70);
            ck_assert_str_ne(error.text, "");
            refused++;
        }
        service_free(tried);
    }
    ck_assert_uint_gt(refused, 10);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(the_budget_can_be_reserved_to_its_last_byte),
    TEST(threads_that_share_the_budget_never_exceed_it),
    TEST(the_level_rises_with_connections_or_bytes),
    TEST(the_level_rises_with_memory_where_that_is_limited),
    TEST(a_reload_is_a_new_generation),
    TEST(a_service_is_ready_once_and_not_again_when_it_stops),
    TEST(two_services_in_one_process_are_independent),
    TEST(a_service_may_be_freed_without_having_run),
    TEST(a_failed_start_has_a_sentence_and_its_exit_code),
    TEST(an_allocation_that_fails_at_start_is_reported_or_tolerated),
};

static const struct suite_test in_a_group_tests[] = {
    TEST(the_level_rises_with_the_memory_of_the_whole_cgroup),
    TEST(the_caches_shrink_when_the_cgroup_is_short_of_memory),
    TEST(entries_that_left_but_are_lent_do_not_count_as_shrunk),
    TEST(the_process_has_a_limit_within_that_of_its_cgroup),
};

static const struct suite in_a_group_case = {SUITE_TESTS(in_a_group_tests),
                                             .setup = start_in_group, .teardown = stop_in_group,
                                             .timeout = 30};
const struct suite service_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                    .timeout = 30, .next = &in_a_group_case};
