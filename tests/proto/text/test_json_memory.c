/* SPDX-License-Identifier: Apache-2.0
 * test_json_memory.c - tests that jansson's memory is counted between begin and end only. */
#include <jansson.h>
#include <pthread.h>
#include <string.h>

#include "proto/text/json_memory.h"
#include "tests/support/suite.h"

static void set_up(void)
{
    json_memory_init();
}

START_TEST(what_a_document_takes_is_counted_and_given_back)
{
    enum json_memory worst = JSON_MEMORY_OUT;

    json_memory_begin(1 << 20);
    json_t *document = json_loads("{\"a\":[1,2,3]}", 0, NULL);
    ck_assert_uint_gt(json_memory_end(&worst), 100);
    ck_assert_ptr_nonnull(document);
    ck_assert_int_eq(worst, JSON_MEMORY_GIVEN);
    json_memory_begin(1 << 20);
    json_t *second = json_loads("{\"a\":[1,2,3]}", 0, NULL);
    json_decref(second);
    ck_assert_uint_eq(json_memory_end(&worst), 0);
    json_decref(document);
}
END_TEST

START_TEST(beyond_the_budget_memory_is_out)
{
    char text[4096] = "[";
    enum json_memory worst = JSON_MEMORY_GIVEN;

    for (size_t i = 1; i + 4 < sizeof(text); i += 3)
        memcpy(text + i, "[],", 3);
    memcpy(text + strlen(text) - 1, "]", 1);
    json_memory_begin(16 << 10);
    ck_assert_ptr_null(json_loads(text, 0, NULL));
    ck_assert_uint_eq(json_memory_end(&worst), 0);
    ck_assert_int_eq(worst, JSON_MEMORY_OVER_BUDGET);
    json_memory_begin(1 << 20);
    json_t *document = json_loads(text, 0, NULL);
    json_memory_end(&worst);
    ck_assert_ptr_nonnull(document);
    ck_assert_int_eq(worst, JSON_MEMORY_GIVEN);
    json_decref(document);
}
END_TEST

START_TEST(freeing_what_was_never_counted_is_harmless)
{
    enum json_memory worst = JSON_MEMORY_OUT;
    json_t *document = json_loads("[[],[],[]]", 0, NULL);

    json_memory_begin(1 << 20);
    json_decref(document);
    json_t *other = json_array();
    ck_assert_uint_gt(json_memory_end(&worst), 0);
    ck_assert_int_eq(worst, JSON_MEMORY_GIVEN);
    json_decref(other);
}
END_TEST

static void *load_elsewhere(void *text)
{
    return json_loads(text, 0, NULL);
}

START_TEST(threads_are_counted_apart)
{
    pthread_t thread;
    void *document = NULL;
    enum json_memory worst = JSON_MEMORY_OUT;
    char text[] = "[1,2,3,[4,5,6]]";

    json_memory_begin(1);
    ck_assert_int_eq(pthread_create(&thread, NULL, load_elsewhere, text), 0);
    ck_assert_int_eq(pthread_join(thread, &document), 0);
    ck_assert_uint_eq(json_memory_end(&worst), 0);
    ck_assert_ptr_nonnull(document);
    ck_assert_int_eq(worst, JSON_MEMORY_GIVEN);
    json_decref(document);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(what_a_document_takes_is_counted_and_given_back),
    TEST(beyond_the_budget_memory_is_out),
    TEST(freeing_what_was_never_counted_is_harmless),
    TEST(threads_are_counted_apart),
};

const struct suite json_memory_suite = {SUITE_TESTS(tests), .setup = set_up};
