/* SPDX-License-Identifier: Apache-2.0
 * test_client.c - which limit refuses a request, and when it no longer does. */
#include "server/quota/client.h"

#include <pthread.h>
#include <string.h>

#include "server/quota/client_table.h"
#include "tests/support/suite.h"

#define SECOND UINT64_C(1000000000)
enum { THREADS = 4, ROUNDS = 20000 };

static struct client_table *table;
static struct client *client;
static uint64_t now = SECOND;
static struct client_refusal refusal;

static void limit(struct quota quota)
{
    client_table_drop(client);
    client_table_free(table);
    table = client_table_new(1);
    client = client_table_take(table, "name a", "a", &quota);
}

static void stop(void)
{
    client_table_drop(client);
    client_table_free(table);
    client = NULL;
    table = NULL;
}

static bool admits(void)
{
    return client_admit(client, 3, now, &refusal);
}

static void ask(void)
{
    ck_assert(admits());
    client_leave(client);
}

static void refuses(enum quota_limit by, unsigned retry_s)
{
    ck_assert(!admits());
    ck_assert_int_eq(refusal.limit, by);
    ck_assert_uint_eq(refusal.retry_s, retry_s);
}

START_TEST(each_limit_refuses_by_its_name_and_until_it_may_not)
{
    limit((struct quota){.requests = 2});
    ask();
    ask();
    refuses(QUOTA_REQUESTS, 1);
    now += SECOND / 2;
    ask();
    refuses(QUOTA_REQUESTS, 1);

    limit((struct quota){.bytes = 1000});
    ask();
    client_charge_bytes(client, 5000);
    refuses(QUOTA_BYTES, 5);
    now += 4 * SECOND + SECOND / 100;
    ask();
    client_charge_bytes(client, UINT64_C(1) << 50);
    refuses(QUOTA_BYTES, 86400); /* whatever it owes, it may ask again the next day */

    limit((struct quota){.work_ms = 6000});
    ask();
    client_charge_work(client, 7 * SECOND);
    refuses(QUOTA_WORK, 11);
    now += 11 * SECOND;
    ask();

    limit((struct quota){.inflight = 2});
    ck_assert(admits() && admits());
    refuses(QUOTA_INFLIGHT, 1);
    client_leave(client);
    ask();
    client_leave(client);

    limit((struct quota){.endpoints = 1 << 2});
    refuses(QUOTA_ENDPOINTS, 0);
    ck_assert(client_admit(client, 2, now, &refusal));
    ck_assert(!client_admit(client, 64, now, &refusal));
    client_leave(client);
}
END_TEST

START_TEST(without_limits_everything_is_admitted)
{
    limit((struct quota){.requests = 0});
    for (int i = 0; i < 1000; i++)
        ask();
    client_charge_bytes(client, UINT64_C(1) << 50);
    client_charge_work(client, UINT64_C(1) << 60);
    ask();
}
END_TEST

START_TEST(a_limit_that_a_new_file_sets_begins_full)
{
    const struct quota two = {.requests = 2}, none = {.requests = 0};

    limit(none);
    for (int i = 0; i < 1000; i++)
        ask();
    client_table_drop(client_table_take(table, "name a", "a", &two));
    ask();
    ask();
    refuses(QUOTA_REQUESTS, 1);
}
END_TEST

START_TEST(the_eleventh_refusal_of_a_second_is_one_of_a_flood)
{
    limit((struct quota){.endpoints = 1});
    for (int i = 0; i < 10; i++) {
        ck_assert(!admits());
        ck_assert(!refusal.is_flood);
    }
    ck_assert(!admits());
    ck_assert(refusal.is_flood);
    now += SECOND;
    ck_assert(!admits());
    ck_assert(!refusal.is_flood);
}
END_TEST

/* Names of one client, as a key without a name has where it moves to another line. */
static const char *const labels[] = {"a", "line 1000"};

static void *use(void *unused)
{
    struct client_refusal own;
    char label[QUOTA_NAME_MAX + 1];

    for (int i = 0; i < ROUNDS; i++)
        if (client_admit(client, 0, now, &own)) {
            client_charge_bytes(client, 1);
            client_charge_work(client, 1);
            client_leave(client);
            client_copy_label(client, label);
            ck_assert(strcmp(label, labels[0]) == 0 || strcmp(label, labels[1]) == 0);
        }
    return unused;
}

START_TEST(threads_take_no_more_than_there_is)
{
    pthread_t threads[THREADS];
    struct client *same;

    limit((struct quota){.requests = 1000, .inflight = THREADS});
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, use, NULL), 0);
    for (int i = 0; i < ROUNDS; i++) {
        same = client_table_take(table, "name a", labels[i % 2],
                                 &(struct quota){.requests = 1000, .inflight = THREADS});
        ck_assert_ptr_eq(same, client);
        client_table_drop(same);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    refuses(QUOTA_REQUESTS, 1);
    now += SECOND;
    for (int i = 0; i < THREADS; i++)
        ck_assert(admits()); /* every place is free again */
    for (int i = 0; i < THREADS; i++)
        client_leave(client);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(each_limit_refuses_by_its_name_and_until_it_may_not),
    TEST(without_limits_everything_is_admitted),
    TEST(a_limit_that_a_new_file_sets_begins_full),
    TEST(the_eleventh_refusal_of_a_second_is_one_of_a_flood),
    TEST(threads_take_no_more_than_there_is),
};
const struct suite client_suite = {SUITE_TESTS(tests), .teardown = stop};
