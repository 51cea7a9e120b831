/* SPDX-License-Identifier: Apache-2.0
 * test_secrets.c - keys and tokens of a running service: which requests they admit on which
 * listener, and what a change of the files does. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/files/api_keys.h"
#include "server/files/secrets.h"
#include "server/service.h"
#include "tests/support/http_client.h"
#include "tests/support/scratch.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

#define OLD "the-old-key-0123"
#define NEW "the-new-key-4567"
#define ADMIN "the-admin-token-89"

static struct scratch *scratch;
static char keys[SCRATCH_PATH], admin[SCRATCH_PATH];
static struct service *service;

static void write_file(const char *name, const char *text)
{
    scratch_replace(scratch, name, text, strlen(text));
}

static void use_files(struct config *config)
{
    config->api_keys_file = keys;
    config->admin_token_file = admin;
}

static void start(void)
{
    scratch = scratch_new();
    snprintf(keys, sizeof keys, "%s", scratch_path(scratch, "keys"));
    snprintf(admin, sizeof admin, "%s", scratch_path(scratch, "admin"));
    write_file("keys", OLD "\n");
    write_file("admin", ADMIN "\n");
    service = served_start(use_files);
}

static void stop(void)
{
    served_stop(service);
    scratch_free(scratch);
}

static bool has(const char *key)
{
    struct secret_set set = {0};
    bool found;

    secrets_take(service->secrets, &set);
    found = api_keys_have(set.clients, key, strlen(key));
    secrets_give_back(&set);
    return found;
}

static void await(const char *key)
{
    while (!has(key))
        sched_yield();
}

START_TEST(the_secrets_are_those_of_the_files)
{
    struct secret_set set = {0};

    ck_assert(has(OLD) && !has(NEW) && !has(ADMIN));
    secrets_take(service->secrets, &set);
    ck_assert(api_keys_have(set.admin, ADMIN, strlen(ADMIN)));
    ck_assert_ptr_null(set.certificate);
    secrets_give_back(&set);
    ck_assert_int_eq(secrets_stats(service->secrets).certificate_expires, -1);
}
END_TEST

START_TEST(a_changed_file_is_read_by_itself)
{
    write_file("keys", NEW "\n");
    await(NEW);
    ck_assert(!has(OLD));
}
END_TEST

START_TEST(a_bad_file_leaves_the_old_keys_and_is_reported)
{
    struct buffer text = {0};

    write_file("keys", "short\n");
    service_reload(service);
    while (secrets_stats(service->secrets).errors == 0)
        sched_yield();
    ck_assert(has(OLD));
    secrets_write(service->secrets, &text);
    ck_assert_ptr_nonnull(strstr(text.bytes, "[-] secrets "));
    ck_assert_ptr_nonnull(strstr(text.bytes, "line 1: must be a key"));
    ck_assert_ptr_null(strstr(text.bytes, "short"));
    buffer_fini(&text);
    write_file("keys", OLD "\n" NEW "\n");
    await(NEW);
    secrets_write(service->secrets, &text);
    ck_assert_uint_eq(text.len, 0);
    buffer_fini(&text);
}
END_TEST

START_TEST(a_set_of_secrets_that_was_taken_outlives_a_change)
{
    struct secret_set set = {0};

    secrets_take(service->secrets, &set);
    write_file("keys", NEW "\n");
    await(NEW);
    ck_assert(api_keys_have(set.clients, OLD, strlen(OLD)));
    secrets_give_back(&set);
}
END_TEST

START_TEST(a_bad_file_at_start_is_refused_by_its_name)
{
    struct service_error error;

    write_file("admin", ADMIN "\n" OLD "\n");
    ck_assert_ptr_null(served_try(use_files, NULL, &error));
    ck_assert_int_eq(error.exit_code, 78);
    ck_assert_ptr_nonnull(strstr(error.text, admin));
    ck_assert_ptr_nonnull(strstr(error.text, "must have one token"));
}
END_TEST

static const struct suite_test tests[] = {
    TEST(the_secrets_are_those_of_the_files),
    TEST(a_changed_file_is_read_by_itself),
    TEST(a_bad_file_leaves_the_old_keys_and_is_reported),
    TEST(a_set_of_secrets_that_was_taken_outlives_a_change),
    TEST(a_bad_file_at_start_is_refused_by_its_name),
};

const struct suite secrets_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
