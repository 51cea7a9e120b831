/* SPDX-License-Identifier: Apache-2.0
 * test_client_table.c - who is one client, and which addresses are remembered. */
#include "server/quota/client_table.h"

#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

static const struct quota none = {.requests = 0};
static struct client_table *table;

static void start(void)
{
    table = client_table_new(1);
}

static void stop(void)
{
    client_table_free(table);
    table = NULL;
}

static void expect_label(struct client *client, const char *label)
{
    char got[QUOTA_NAME_MAX + 1];

    client_copy_label(client, got);
    ck_assert_str_eq(got, label);
}

START_TEST(one_identity_is_one_client_as_long_as_it_is_referred_to)
{
    struct client *first = client_table_take(table, "name a", "a", &none);
    struct client *other = client_table_take(table, "name b", "b", &none);
    struct client *again = client_table_take(table, "name a", "line 3", &none);

    ck_assert_ptr_eq(first, again);
    ck_assert_ptr_ne(first, other);
    expect_label(first, "line 3");
    ck_assert(!client_is_address(first));
    client_table_drop(first);
    client_table_drop(client_table_share(again));
    client_table_drop(again);
    client_table_drop(other);
    client_table_drop(NULL);
    ck_assert_ptr_null(client_table_share(NULL));
}
END_TEST

static struct client *take(struct client *row, uint64_t bits)
{
    return client_table_take_address(table, row,
                                     &(struct client_address){.bits = bits, .kind = 1});
}

START_TEST(an_address_is_remembered_until_newer_ones_need_its_place)
{
    const struct quota one = {.requests = 1};
    struct client *row = client_table_take(table, "address", "no key", &one), *held;
    struct client_refusal refusal;

    held = take(row, 0);
    ck_assert(client_is_address(held));
    expect_label(held, "no key");
    ck_assert(client_admit(held, 0, 1000000000, &refusal));
    ck_assert(!client_admit(held, 0, 1000000000, &refusal));
    for (uint64_t i = 1; i < 3 * CLIENT_TABLE_ADDRESSES; i++) {
        struct client *other = take(row, i);

        ck_assert(client_admit(other, 0, 1000000000, &refusal));
        client_leave(other);
        client_table_drop(other);
    }
    client_table_drop(take(row, 0));
    ck_assert(!client_admit(held, 0, 1000000000, &refusal)); /* a request refers to it */
    client_leave(held);
    client_table_drop(held);
    held = take(row, 5);
    ck_assert(client_admit(held, 0, 1000000000, &refusal)); /* it was forgotten */
    client_leave(held);
    client_table_drop(held);
    client_table_drop(row);
}
END_TEST

START_TEST(a_new_row_limits_addresses_that_are_known)
{
    const struct quota one = {.requests = 1};
    struct client *row = client_table_take(table, "address", "no key", &none), *at;
    struct client_refusal refusal;

    client_table_drop(take(row, 7));
    client_table_drop(client_table_take(table, "address", "no key", &one));
    at = take(row, 7);
    ck_assert(client_admit(at, 0, 1000000000, &refusal));
    ck_assert(!client_admit(at, 0, 1000000000, &refusal));
    client_leave(at);
    client_table_drop(at);
    client_table_drop(row);
}
END_TEST

START_TEST(without_memory_no_client_is_made)
{
    struct client *row = client_table_take(table, "address", "no key", &none), *client;

    for (size_t i = 0; i < 3; i++) {
        alloc_fail_start(i);
        client = client_table_take(table, "name a", "a", &none);
        ck_assert(alloc_fail_stop());
        ck_assert_ptr_null(client);
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
    alloc_fail_start(0);
    client = take(row, 1);
    ck_assert(alloc_fail_stop());
    ck_assert_ptr_null(client);
    client_table_drop(row);
    for (size_t i = 0; i < 2; i++) {
        struct client_table *other;

        alloc_fail_start(i);
        other = client_table_new(1);
        ck_assert(alloc_fail_stop());
        ck_assert_ptr_null(other);
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST(one_identity_is_one_client_as_long_as_it_is_referred_to),
    TEST(an_address_is_remembered_until_newer_ones_need_its_place),
    TEST(a_new_row_limits_addresses_that_are_known),
    TEST(without_memory_no_client_is_made),
};
const struct suite client_table_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
