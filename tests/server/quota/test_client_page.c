/* SPDX-License-Identifier: Apache-2.0
 * test_client_page.c - /metrics has the clients with most requests, all others are one, and no
 * request is lost or counted twice. */
#include "server/quota/client_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"

enum { CLIENTS = 120 };

static const struct quota none = {.requests = 0};
static struct client_table *table;
static struct client *clients[CLIENTS];
static struct buffer text;

static void start(void)
{
    table = client_table_new(1);
}

static void take(size_t count)
{
    char id[40], label[40];

    for (size_t i = 0; i < count; i++) {
        snprintf(id, sizeof id, "name c%zu", i);
        snprintf(label, sizeof label, "c%zu", i);
        client_table_drop(clients[i]);
        clients[i] = client_table_take(table, id, label, &none);
    }
    client_table_renew(table);
}

static void stop(void)
{
    for (size_t i = 0; i < CLIENTS; i++) {
        client_table_drop(clients[i]);
        clients[i] = NULL;
    }
    client_table_free(table);
    buffer_fini(&text);
    table = NULL;
}

static void ask(size_t client, size_t times)
{
    struct client_refusal refusal;

    for (size_t i = 0; i < times; i++) {
        ck_assert(client_admit(clients[client], 0, 1, &refusal));
        client_charge_bytes(clients[client], 10);
        client_charge_work(clients[client], 1000000);
        client_leave(clients[client]);
    }
}

/* Writes the page anew, and returns it. */
static const char *page(void)
{
    struct metrics_page out = {.out = &text};

    text.len = 0;
    client_table_write(table, &out);
    buffer_add(&text, "", 1);
    return text.bytes;
}

static double sample(const char *label)
{
    char start[80];
    const char *at;

    snprintf(start, sizeof start, "posencd_client_requests_total{client=\"%s\"} ", label);
    at = strstr(page(), start);
    return at ? strtod(at + strlen(start), NULL) : -1;
}

static unsigned count_of(const char *start)
{
    unsigned count = 0;

    for (const char *at = page(); (at = strstr(at, start)) != NULL; at++)
        count++;
    return count;
}

START_TEST(a_client_is_shown_with_all_that_it_used)
{
    take(2);
    ask(1, 3);
    ck_assert_double_eq(sample("c1"), 3);
    ck_assert_double_eq(sample("c0"), 0);
    ck_assert_double_eq(sample("other"), 0);
    ck_assert_ptr_nonnull(strstr(page(), "posencd_client_bytes_total{client=\"c1\"} 30\n"));
    ck_assert_ptr_nonnull(
        strstr(page(), "posencd_client_work_seconds_total{client=\"c1\"} 0.003000000\n"));
}
END_TEST

START_TEST(without_clients_there_is_no_family)
{
    ck_assert_str_eq(page(), "");
}
END_TEST

START_TEST(the_busiest_are_named_and_the_others_are_one)
{
    double sum = 0;
    char label[40];

    take(CLIENTS);
    for (size_t i = 0; i < CLIENTS; i++)
        ask(i, i);
    ck_assert_uint_eq(count_of("posencd_client_requests_total{"), CLIENT_TABLE_SHOWN + 1);
    ck_assert_double_eq(sample("c119"), 119);
    ck_assert_double_eq(sample("c69"), -1);
    ck_assert_double_eq(sample("other"), 69 * 70 / 2);
    ask(3, 1000); /* it takes the place of the least, c70 */
    ck_assert_double_eq(sample("c3"), 1000);
    ck_assert_double_eq(sample("c70"), -1);
    ck_assert_double_eq(sample("other"), 69 * 70 / 2);
    ask(70, 2000); /* and is shown again */
    ck_assert_double_eq(sample("c70"), 2000);
    ck_assert_uint_eq(count_of("posencd_client_requests_total{"), CLIENT_TABLE_SHOWN + 1);
    for (size_t i = 0; i < CLIENTS; i++) {
        snprintf(label, sizeof label, "c%zu", i);
        sum += sample(label) > 0 ? sample(label) : 0;
    }
    ck_assert_double_le(sum + sample("other"), 119 * 120 / 2 + 3000);
}
END_TEST

START_TEST(a_client_that_is_gone_leaves_what_was_not_shown_to_others)
{
    take(2);
    ask(0, 5);
    ck_assert_double_eq(sample("c0"), 5);
    ask(0, 2);
    client_table_drop(clients[0]);
    clients[0] = NULL;
    ck_assert_double_eq(sample("c0"), -1);
    ck_assert_double_eq(sample("other"), 2);
}
END_TEST

START_TEST(a_client_that_a_newer_file_does_not_name_is_not_shown)
{
    struct client *newer;

    take(1);
    ask(0, 5);
    ck_assert_double_eq(sample("c0"), 5);
    newer = client_table_take(table, "key 12", "c0", &none);
    client_table_renew(table);
    ask(0, 1); /* of a request that is still in progress */
    ck_assert_double_eq(sample("c0"), 0);
    ck_assert_double_eq(sample("other"), 1);
    client_table_drop(newer);
}
END_TEST

START_TEST(a_client_that_is_called_other_is_one_of_them)
{
    take(1);
    client_table_drop(client_table_take(table, "name c0", "other", &none));
    ask(0, 4);
    ck_assert_uint_eq(count_of("posencd_client_requests_total{"), 1);
    ck_assert_double_eq(sample("other"), 4);
}
END_TEST

START_TEST(refusals_are_shown_by_limit)
{
    const struct quota two = {.requests = 2};
    struct client_refusal refusal;

    take(1);
    client_table_drop(client_table_take(table, "name c0", "c0", &two));
    for (int i = 0; i < 5; i++)
        (void)client_admit(clients[0], 0, 1, &refusal);
    ck_assert_ptr_nonnull(
        strstr(page(), "posencd_client_refused_total{client=\"c0\",limit=\"requests\"} 3\n"));
    ck_assert_uint_eq(count_of("posencd_client_refused_total{"), 1);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_client_is_shown_with_all_that_it_used),
    TEST(without_clients_there_is_no_family),
    TEST(the_busiest_are_named_and_the_others_are_one),
    TEST(a_client_that_is_gone_leaves_what_was_not_shown_to_others),
    TEST(a_client_that_a_newer_file_does_not_name_is_not_shown),
    TEST(a_client_that_is_called_other_is_one_of_them),
    TEST(refusals_are_shown_by_limit),
};
const struct suite client_page_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
