/* SPDX-License-Identifier: Apache-2.0
 * test_eviction.c - who leaves, and who does not. */
#include <check.h>
#include <string.h>

#include "server/eviction.h"

Suite *eviction_suite(void);

enum { NODES = 64, BYTES = 10, BUDGET = 200 }; /* room for twenty */

static struct eviction_node *node_of(struct eviction_node *nodes, size_t i)
{
    nodes[i].hash = i + 1;
    nodes[i].bytes = BYTES;
    return &nodes[i];
}

START_TEST(what_was_asked_for_once_leaves_oldest_first)
{
    struct eviction_node nodes[NODES] = {0};
    struct eviction eviction;

    ck_assert(eviction_init(&eviction, BUDGET, NODES));
    for (size_t i = 0; i < 8; i++)
        eviction_add(&eviction, node_of(nodes, i));
    for (size_t i = 0; i < 8; i++)
        ck_assert_ptr_eq(eviction_victim(&eviction), &nodes[i]);
    ck_assert_ptr_null(eviction_victim(&eviction));
    eviction_fini(&eviction);
}
END_TEST

START_TEST(what_was_asked_for_again_outlives_a_flood)
{
    struct eviction_node nodes[NODES] = {0};
    struct eviction eviction;

    ck_assert(eviction_init(&eviction, BUDGET, NODES));
    for (size_t i = 0; i < 4; i++)
        eviction_touch(node_of(nodes, i));
    for (size_t i = 0; i < NODES; i++) {
        eviction_add(&eviction, node_of(nodes, i));
        if (i >= 20)
            ck_assert(eviction_victim(&eviction) >= &nodes[4]);
    }
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq(nodes[i].place, EVICTION_MAIN);
    eviction_fini(&eviction);
}
END_TEST

START_TEST(what_comes_back_soon_goes_to_the_main_queue)
{
    struct eviction_node nodes[NODES] = {0};
    struct eviction eviction;

    ck_assert(eviction_init(&eviction, BUDGET, NODES));
    eviction_add(&eviction, node_of(nodes, 0));
    ck_assert_ptr_eq(eviction_victim(&eviction), &nodes[0]);
    ck_assert_int_eq(nodes[0].place, EVICTION_NOWHERE);
    eviction_add(&eviction, &nodes[0]);
    ck_assert_int_eq(nodes[0].place, EVICTION_MAIN);
    eviction_fini(&eviction);
}
END_TEST

START_TEST(everybody_busy_still_yields_a_victim)
{
    struct eviction_node nodes[NODES] = {0};
    struct eviction eviction;

    ck_assert(eviction_init(&eviction, BUDGET, NODES));
    for (size_t i = 0; i < NODES; i++) {
        eviction_add(&eviction, node_of(nodes, i));
        for (int times = 0; times < 9; times++)
            eviction_touch(&nodes[i]);
    }
    for (size_t i = 0; i < NODES; i++)
        ck_assert_ptr_nonnull(eviction_victim(&eviction));
    ck_assert_uint_eq(eviction.main.bytes + eviction.small.bytes, 0);
    ck_assert_uint_eq(eviction.main.count + eviction.small.count, 0);
    eviction_fini(&eviction);
}
END_TEST

START_TEST(removing_keeps_the_queues_whole)
{
    struct eviction_node nodes[NODES] = {0};
    struct eviction eviction;

    ck_assert(eviction_init(&eviction, BUDGET, NODES));
    for (size_t i = 0; i < 5; i++)
        eviction_add(&eviction, node_of(nodes, i));
    eviction_remove(&eviction, &nodes[0]);
    eviction_remove(&eviction, &nodes[2]);
    eviction_remove(&eviction, &nodes[4]);
    eviction_remove(&eviction, &nodes[4]);
    ck_assert_uint_eq(eviction.small.bytes, 2 * BYTES);
    ck_assert_ptr_eq(eviction_victim(&eviction), &nodes[1]);
    ck_assert_ptr_eq(eviction_victim(&eviction), &nodes[3]);
    ck_assert_ptr_null(eviction_victim(&eviction));
    eviction_fini(&eviction);
}
END_TEST

Suite *eviction_suite(void)
{
    Suite *suite = suite_create("eviction");
    TCase *tcase = tcase_create("queues");

    tcase_add_test(tcase, what_was_asked_for_once_leaves_oldest_first);
    tcase_add_test(tcase, what_was_asked_for_again_outlives_a_flood);
    tcase_add_test(tcase, what_comes_back_soon_goes_to_the_main_queue);
    tcase_add_test(tcase, everybody_busy_still_yields_a_victim);
    tcase_add_test(tcase, removing_keeps_the_queues_whole);
    suite_add_tcase(suite, tcase);
    return suite;
}
