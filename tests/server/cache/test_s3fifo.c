/* SPDX-License-Identifier: Apache-2.0
 * test_s3fifo.c - who leaves, and who does not. */
#include <string.h>

#include "server/cache/s3fifo.h"
#include "tests/support/suite.h"

enum { NODES = 64, BYTES = 10, BUDGET = 200 };              /* room for twenty */
enum { WIDE = 64 * 8 * BYTES, BRIEF = 8, BRIEF_PART = 64 }; /* room for eight brief ones */

static struct s3fifo_node *node_of(struct s3fifo_node *nodes, size_t i)
{
    nodes[i].hash = i + 1;
    nodes[i].bytes = BYTES;
    return &nodes[i];
}

START_TEST(what_was_asked_for_once_leaves_oldest_first)
{
    struct s3fifo_node nodes[NODES] = {0};
    struct s3fifo eviction;

    ck_assert(s3fifo_init(&eviction, BUDGET, NODES));
    for (size_t i = 0; i < 8; i++)
        s3fifo_add(&eviction, node_of(nodes, i));
    for (size_t i = 0; i < 8; i++)
        ck_assert_ptr_eq(s3fifo_victim(&eviction), &nodes[i]);
    ck_assert_ptr_null(s3fifo_victim(&eviction));
    s3fifo_fini(&eviction);
}
END_TEST

START_TEST(what_was_asked_for_again_outlives_a_flood)
{
    struct s3fifo_node nodes[NODES] = {0};
    struct s3fifo eviction;

    ck_assert(s3fifo_init(&eviction, BUDGET, NODES));
    for (size_t i = 0; i < 4; i++)
        s3fifo_touch(node_of(nodes, i));
    for (size_t i = 0; i < NODES; i++) {
        s3fifo_add(&eviction, node_of(nodes, i));
        if (i >= 20)
            ck_assert(s3fifo_victim(&eviction) >= &nodes[4]);
    }
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq(nodes[i].place, S3FIFO_MAIN);
    s3fifo_fini(&eviction);
}
END_TEST

START_TEST(what_comes_back_soon_goes_to_the_main_queue)
{
    struct s3fifo_node nodes[NODES] = {0};
    struct s3fifo eviction;

    ck_assert(s3fifo_init(&eviction, BUDGET, NODES));
    s3fifo_add(&eviction, node_of(nodes, 0));
    ck_assert_ptr_eq(s3fifo_victim(&eviction), &nodes[0]);
    ck_assert_int_eq(nodes[0].place, S3FIFO_NOWHERE);
    s3fifo_add(&eviction, &nodes[0]);
    ck_assert_int_eq(nodes[0].place, S3FIFO_MAIN);
    s3fifo_fini(&eviction);
}
END_TEST

START_TEST(everybody_busy_still_yields_a_victim)
{
    struct s3fifo_node nodes[NODES] = {0};
    struct s3fifo eviction;

    ck_assert(s3fifo_init(&eviction, BUDGET, NODES));
    for (size_t i = 0; i < NODES; i++) {
        s3fifo_add(&eviction, node_of(nodes, i));
        for (int times = 0; times < 9; times++)
            s3fifo_touch(&nodes[i]);
    }
    for (size_t i = 0; i < NODES; i++)
        ck_assert_ptr_nonnull(s3fifo_victim(&eviction));
    ck_assert_uint_eq(eviction.main.bytes + eviction.small.bytes, 0);
    ck_assert_uint_eq(eviction.main.count + eviction.small.count, 0);
    s3fifo_fini(&eviction);
}
END_TEST

/* ---- what is cheap --------------------------------------------------------------------- */

static struct s3fifo_node *cheap_node_of(struct s3fifo_node *nodes, size_t i)
{
    nodes[i].cheap = true;
    return node_of(nodes, i);
}

START_TEST(cheap_ones_asked_for_once_leave_although_there_is_room)
{
    struct s3fifo_node nodes[NODES] = {0};
    struct s3fifo eviction;

    ck_assert(s3fifo_init(&eviction, WIDE, NODES));
    for (size_t i = 0; i < NODES; i++) {
        s3fifo_add(&eviction, cheap_node_of(nodes, i));
        ck_assert_ptr_eq(s3fifo_overdue(&eviction), i < BRIEF ? NULL : &nodes[i - BRIEF]);
        ck_assert_ptr_null(s3fifo_overdue(&eviction));
    }
    ck_assert_uint_eq(s3fifo_bytes(&eviction), WIDE / BRIEF_PART);
    s3fifo_fini(&eviction);
}
END_TEST

START_TEST(a_cheap_one_asked_for_again_stays)
{
    struct s3fifo_node nodes[NODES] = {0};
    struct s3fifo eviction;

    ck_assert(s3fifo_init(&eviction, WIDE, NODES));
    s3fifo_add(&eviction, cheap_node_of(nodes, 0));
    s3fifo_touch(&nodes[0]);
    for (size_t i = 1; i < NODES; i++) {
        s3fifo_add(&eviction, cheap_node_of(nodes, i));
        ck_assert_ptr_ne(s3fifo_overdue(&eviction), &nodes[0]);
    }
    ck_assert_int_eq(nodes[0].place, S3FIFO_MAIN);
    s3fifo_fini(&eviction);
}
END_TEST

START_TEST(a_cheap_one_that_comes_back_soon_stays)
{
    struct s3fifo_node nodes[NODES] = {0};
    struct s3fifo eviction;

    ck_assert(s3fifo_init(&eviction, WIDE, NODES));
    for (size_t i = 0; i <= BRIEF; i++)
        s3fifo_add(&eviction, cheap_node_of(nodes, i));
    ck_assert_ptr_eq(s3fifo_overdue(&eviction), &nodes[0]);
    s3fifo_add(&eviction, &nodes[0]);
    ck_assert_int_eq(nodes[0].place, S3FIFO_MAIN);
    s3fifo_fini(&eviction);
}
END_TEST

START_TEST(a_long_one_is_never_brief)
{
    struct s3fifo_node nodes[NODES] = {0};
    struct s3fifo eviction;

    ck_assert(s3fifo_init(&eviction, BUDGET, NODES)); /* of which BYTES are much */
    for (size_t i = 0; i < 20; i++) {
        s3fifo_add(&eviction, cheap_node_of(nodes, i));
        ck_assert_int_eq(nodes[i].place, S3FIFO_SMALL);
        ck_assert_ptr_null(s3fifo_overdue(&eviction));
    }
    s3fifo_fini(&eviction);
}
END_TEST

START_TEST(brief_ones_make_room_when_nobody_else_can)
{
    struct s3fifo_node nodes[NODES] = {0};
    struct s3fifo eviction;

    ck_assert(s3fifo_init(&eviction, WIDE, NODES));
    s3fifo_add(&eviction, cheap_node_of(nodes, 0));
    s3fifo_add(&eviction, node_of(nodes, 1));
    s3fifo_touch(&nodes[0]);
    ck_assert_ptr_eq(s3fifo_victim(&eviction), &nodes[1]);
    ck_assert_ptr_eq(s3fifo_victim(&eviction), &nodes[0]);
    ck_assert_ptr_null(s3fifo_victim(&eviction));
    ck_assert_uint_eq(s3fifo_bytes(&eviction), 0);
    s3fifo_fini(&eviction);
}
END_TEST

START_TEST(removing_keeps_the_queues_whole)
{
    struct s3fifo_node nodes[NODES] = {0};
    struct s3fifo eviction;

    ck_assert(s3fifo_init(&eviction, WIDE, NODES));
    s3fifo_add(&eviction, cheap_node_of(nodes, 5));
    for (size_t i = 0; i < 5; i++)
        s3fifo_add(&eviction, node_of(nodes, i));
    s3fifo_remove(&eviction, &nodes[5]);
    s3fifo_remove(&eviction, &nodes[0]);
    s3fifo_remove(&eviction, &nodes[2]);
    s3fifo_remove(&eviction, &nodes[4]);
    s3fifo_remove(&eviction, &nodes[4]);
    ck_assert_uint_eq(eviction.small.bytes, 2 * BYTES);
    ck_assert_ptr_eq(s3fifo_victim(&eviction), &nodes[1]);
    ck_assert_ptr_eq(s3fifo_victim(&eviction), &nodes[3]);
    ck_assert_ptr_null(s3fifo_victim(&eviction));
    s3fifo_fini(&eviction);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(what_was_asked_for_once_leaves_oldest_first),
    TEST(what_was_asked_for_again_outlives_a_flood),
    TEST(what_comes_back_soon_goes_to_the_main_queue),
    TEST(everybody_busy_still_yields_a_victim),
    TEST(cheap_ones_asked_for_once_leave_although_there_is_room),
    TEST(a_cheap_one_asked_for_again_stays),
    TEST(a_cheap_one_that_comes_back_soon_stays),
    TEST(a_long_one_is_never_brief),
    TEST(brief_ones_make_room_when_nobody_else_can),
    TEST(removing_keeps_the_queues_whole),
};

const struct suite s3fifo_suite = {SUITE_TESTS(tests)};
