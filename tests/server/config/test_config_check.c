/* SPDX-License-Identifier: Apache-2.0
 * test_config_check.c - the processor, threads and descriptors of this machine; config.txt has
 * the other rules between values. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "core/posenc.h"
#include "server/config/config.h"
#include "server/sys/resources.h"
#include "tests/support/suite.h"

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

START_TEST(descriptors_that_no_connection_needs_are_spare)
{
    uint64_t most;

    config.max_connections = 200;
    give(CONFIG_MAX_CONNECTIONS);
    ck_assert_int_eq(config_check(&config, &error), 0);
    most = config.spare_files;
    ck_assert_uint_gt(most, 0);
    ck_assert_uint_le(200 + most, before.rlim_max);
    begin();
    config.max_connections = before.rlim_max; /* by default: as many as fit */
    ck_assert_int_eq(config_check(&config, &error), 0);
    ck_assert_uint_eq(config.spare_files, 0);
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
    TEST(the_soft_limit_of_descriptors_is_raised),
    TEST(descriptors_that_no_connection_needs_are_spare),
    TEST(connections_must_fit_into_the_descriptors),
    TEST(a_code_path_must_be_one_that_this_processor_has),
    TEST(the_choices_of_code_path_are_those_that_core_knows),
};

const struct suite config_check_suite = {SUITE_TESTS(tests), .setup = begin, .teardown = end};
