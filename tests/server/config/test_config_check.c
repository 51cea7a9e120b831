/* SPDX-License-Identifier: Apache-2.0
 * test_config_check.c - values that must fit together: defaults are reduced, given values are
 * refused. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "core/posenc.h"
#include "server/config/config.h"
#include "server/sys/resources.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"
#include "tests/support/thread_limit.h"

static struct config config;
static struct config_error error;
static struct rlimit before;

/* Holds whatever the machine of the test allows. */
static void all_defaults(void)
{
    config_defaults(&config);
    config.cgroup_root = NULL;
}

static void begin(void)
{
    all_defaults();
    error.text[0] = '\0';
    getrlimit(RLIMIT_NOFILE, &before);
}

static void end(void)
{
    setrlimit(RLIMIT_NOFILE, &before);
    thread_limit_lift();
}

static void give(enum config_id id)
{
    config.source[id] = CONFIG_FLAG;
}

static void refused(const char *said)
{
    ck_assert_int_eq(config_check(&config, &error), CONFIG_INVALID);
    ck_assert_msg(strstr(error.text, said) != NULL, "no \"%s\" in \"%s\"", said, error.text);
}

static void allow_files(rlim_t count)
{
    struct rlimit limit = {.rlim_cur = count, .rlim_max = before.rlim_max};

    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

START_TEST(threads_and_workers_are_filled_in)
{
    ck_assert_int_eq(config_check(&config, &error), 0);
    ck_assert_uint_eq(config.threads, resources_cores());
    ck_assert_uint_eq(config.workers, config.threads);
    begin();
    config.threads = 3;
    ck_assert_int_eq(config_check(&config, &error), 0);
    ck_assert_uint_eq(config.threads, 3);
    ck_assert_uint_eq(config.workers, 3);
}
END_TEST

/* Two threads of the pool for one loop and one worker, and the thread that waits for
 * signals. */
START_TEST(default_loops_and_workers_are_as_many_as_can_be_started)
{
    static const struct {
        uint64_t allowed, loops, workers;
    } cases[] = {{18, 8, 8}, {17, 7, 8}, {16, 7, 7}, {6, 2, 2}, {5, 1, 2}, {4, 1, 1}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        all_defaults();
        config.threads = config.workers = 8;
        thread_limit_set(cases[i].allowed);
        ck_assert_int_eq(config_check(&config, &error), 0);
        ck_assert_uint_eq(config.threads, cases[i].loops);
        ck_assert_uint_eq(config.workers, cases[i].workers);
        ck_assert_uint_eq(config.threads_short, 18 - cases[i].allowed);
    }
    thread_limit_set(3);
    refused(
        "threads; RLIMIT_NPROC, the cgroup's pids.max and address space for stacks allow 3");
}
END_TEST

START_TEST(loops_and_workers_that_were_given_are_started_or_refused)
{
    config.threads = 8;
    give(CONFIG_THREADS);
    config.workers = 20; /* by default: as many as fit */
    thread_limit_set(20);
    ck_assert_int_eq(config_check(&config, &error), 0);
    ck_assert_uint_eq(config.threads, 8);
    ck_assert_uint_eq(config.workers, 10);
    thread_limit_set(17);
    refused("--threads 8 and --workers 10 make 20 threads; RLIMIT_NPROC, the cgroup's pids.max "
            "and address space for stacks allow 17");
    all_defaults();
    config.threads = 8; /* by default */
    config.workers = 8;
    give(CONFIG_WORKERS);
    thread_limit_set(12);
    ck_assert_int_eq(config_check(&config, &error), 0);
    ck_assert_uint_eq(config.threads, 2);
    ck_assert_uint_eq(config.workers, 8);
    thread_limit_set(10);
    refused("--threads 2 and --workers 8 make 12 threads");
    give(CONFIG_THREADS);
    thread_limit_set(11);
    refused("--threads 2 and --workers 8 make 12 threads");
    thread_limit_set(12);
    config.warm = "list"; /* the file of --warm needs one more thread */
    refused("--threads 2 and --workers 8 make 13 threads");
    config.warm = NULL;
    ck_assert_int_eq(config_check(&config, &error), 0);
    ck_assert_uint_eq(config.threads_short, 0);
}
END_TEST

START_TEST(text_answers_are_not_longer_than_binary_ones)
{
    config.max_elements = 1000;
    ck_assert_int_eq(config_check(&config, &error), 0);
    ck_assert_uint_eq(config.max_text_elements, 1000);
    config.max_text_elements = 1001;
    give(CONFIG_MAX_TEXT_ELEMENTS);
    refused("--max-text-elements must not be above --max-elements");
}
END_TEST

START_TEST(a_body_must_fit_into_what_may_be_in_memory)
{
    config.max_inflight = 1 << 20;
    give(CONFIG_MAX_INFLIGHT);
    ck_assert_int_eq(config_check(&config, &error), 0);
    ck_assert_uint_eq(config.max_body, 1 << 20);
    config.max_body = (1 << 20) + 1;
    give(CONFIG_MAX_BODY);
    refused("--max-body must not be above --max-inflight");
}
END_TEST

START_TEST(the_soft_limit_of_descriptors_is_raised)
{
    allow_files(100);
    config.max_connections = 200;
    give(CONFIG_MAX_CONNECTIONS);
    config.threads = 2;
    ck_assert_int_eq(config_check(&config, &error), 0);
    ck_assert_uint_eq(config.max_connections, 200);
    ck_assert_uint_ge(resources_open_files(0), 200);
}
END_TEST

START_TEST(connections_must_fit_into_the_descriptors)
{
    config.max_connections = before.rlim_max;
    give(CONFIG_MAX_CONNECTIONS);
    refused("descriptors; RLIMIT_NOFILE allows");
    begin();
    config.max_connections = before.rlim_max; /* by default: as many as fit */
    ck_assert_int_eq(config_check(&config, &error), 0);
    ck_assert_uint_lt(config.max_connections, before.rlim_max);
    ck_assert_uint_gt(config.max_connections, before.rlim_max / 2);
}
END_TEST

START_TEST(an_address_may_not_have_more_connections_than_all_together)
{
    config.max_connections = 100;
    give(CONFIG_MAX_CONNECTIONS);
    config.max_per_address = 100;
    ck_assert_int_eq(config_check(&config, &error), 0);
    config.max_per_address = 101;
    refused("--max-connections-per-address must not be above --max-connections, here 100: it "
            "would never be reached");
}
END_TEST

START_TEST(budgets_must_fit_into_the_memory_that_the_operator_gives)
{
    config.max_memory = UINT64_C(1) << 30;
    ck_assert_int_eq(config_check(&config, &error), 0);
    ck_assert_uint_eq(config.cache_size, 256 << 20);
    ck_assert_uint_eq(config.max_inflight, 256 << 20);
    all_defaults();
    config.max_memory = 64 << 20; /* defaults are reduced */
    ck_assert_int_eq(config_check(&config, &error), 0);
    ck_assert_uint_eq(config.cache_size, 16 << 20);
    ck_assert_uint_eq(config.max_inflight, 16 << 20);
    ck_assert_uint_eq(config.shared_table_cache, 4 << 20);
    ck_assert_uint_eq(config.max_connections, (64 << 20) / 8 / (18 << 10));
    config.cache_size = 60 << 20; /* given values are not */
    give(CONFIG_CACHE_SIZE);
    refused(
        "add up to 87 MiB; at most 80 % of the 64 MiB that --max-memory or the cgroup allows "
        "may be given out");
}
END_TEST

START_TEST(less_memory_than_the_process_itself_needs_is_refused)
{
    config.max_memory = 1;
    refused("--max-memory or the cgroup allows 0 KiB; posencd needs at least 16 MiB");
    all_defaults();
    config.max_memory = (16 << 20) - 1;
    refused("allows 16383 KiB; posencd needs at least 16 MiB");
    all_defaults();
    config.max_memory = 16 << 20;
    ck_assert_int_eq(config_check(&config, &error), 0);
    ck_assert_uint_gt(config.max_connections, 100);
}
END_TEST

START_TEST(budgets_must_fit_into_the_memory_of_the_cgroup_too)
{
    static const struct {
        uint64_t max_memory, cache_size;
    } cases[] = {{0, 16 << 20}, {1 << 30, 16 << 20}, {32 << 20, 8 << 20}};
    struct scratch *scratch = scratch_new();

    scratch_write(scratch, "memory.max", "67108864\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        all_defaults();
        config.cgroup_root = scratch_folder(scratch);
        config.max_memory = cases[i].max_memory;
        ck_assert_int_eq(config_check(&config, &error), 0);
        ck_assert_uint_eq(config.cache_size, cases[i].cache_size);
    }
    config.max_memory = 1 << 30;
    config.cache_size = 60 << 20;
    give(CONFIG_CACHE_SIZE);
    refused("at most 80 % of the 64 MiB that --max-memory or the cgroup allows");
    config.cgroup_root = NULL;
    ck_assert_int_eq(config_check(&config, &error), 0);
    scratch_free(scratch);
}
END_TEST

START_TEST(without_a_limit_of_memory_budgets_are_as_given)
{
    config.cache_size = UINT64_C(1) << 40;
    config.max_inflight = UINT64_C(1) << 40;
    give(CONFIG_CACHE_SIZE);
    give(CONFIG_MAX_INFLIGHT);
    ck_assert_int_eq(config_check(&config, &error), 0);
    ck_assert_uint_eq(config.cache_size, UINT64_C(1) << 40);
}
END_TEST

static void add_origin(const char *origin)
{
    snprintf(config.cors_origins.item[config.cors_origins.count++], CONFIG_ITEM_SIZE, "%s",
             origin);
}

START_TEST(any_origin_stands_alone_and_without_keys)
{
    add_origin("*");
    ck_assert_int_eq(config_check(&config, &error), 0);
    config.api_keys_file = "keys";
    refused(
        "--cors-origin * does not go with --api-keys-file: name the origins whose pages may "
        "send keys");
    config.api_keys_file = NULL;
    add_origin("https://app.example");
    refused("--cors-origin * stands for all others and must be given alone");
    all_defaults();
    add_origin("https://app.example");
    add_origin("https://two.example");
    config.api_keys_file = "keys";
    ck_assert_int_eq(config_check(&config, &error), 0);
}
END_TEST

START_TEST(a_code_path_must_be_one_that_this_processor_has)
{
    for (size_t i = 0; i <= pe_cpu_path_count(); i++) {
        all_defaults();
        config.cpu_path = (int)i + 1;
        if (i < pe_cpu_path_count() && pe_cpu_path_available(i))
            ck_assert_int_eq(config_check(&config, &error), 0);
        else
            refused("--cpu-path: this processor, or this build, does not have");
    }
}
END_TEST

START_TEST(the_choices_of_code_path_are_those_that_core_knows)
{
    char flag[64], *flags[] = {flag, NULL};

    for (size_t i = 0; i < pe_cpu_path_count(); i++) {
        snprintf(flag, sizeof flag, "--cpu-path=%s", pe_cpu_path_name(i));
        ck_assert_int_eq(config_load(&config, 1, flags, NULL, &error), 0);
        ck_assert_int_eq(config.cpu_path, (int)i + 1);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST(threads_and_workers_are_filled_in),
    TEST(default_loops_and_workers_are_as_many_as_can_be_started),
    TEST(loops_and_workers_that_were_given_are_started_or_refused),
    TEST(text_answers_are_not_longer_than_binary_ones),
    TEST(a_body_must_fit_into_what_may_be_in_memory),
    TEST(the_soft_limit_of_descriptors_is_raised),
    TEST(connections_must_fit_into_the_descriptors),
    TEST(an_address_may_not_have_more_connections_than_all_together),
    TEST(budgets_must_fit_into_the_memory_that_the_operator_gives),
    TEST(less_memory_than_the_process_itself_needs_is_refused),
    TEST(budgets_must_fit_into_the_memory_of_the_cgroup_too),
    TEST(without_a_limit_of_memory_budgets_are_as_given),
    TEST(any_origin_stands_alone_and_without_keys),
    TEST(a_code_path_must_be_one_that_this_processor_has),
    TEST(the_choices_of_code_path_are_those_that_core_knows),
};

const struct suite config_check_suite = {SUITE_TESTS(tests), .setup = begin, .teardown = end};
