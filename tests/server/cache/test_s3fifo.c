/* SPDX-License-Identifier: Apache-2.0
 * test_s3fifo.c - the order in which entries are evicted. */
#include <string.h>

#include "server/cache/s3fifo.h"
#include "tests/support/suite.h"

enum { NODES = 64, BYTES = 10, BUDGET = 200 };              /* for twenty nodes */
enum { WIDE = 64 * 8 * BYTES, BRIEF = 8, BRIEF_PART = 64 }; /* for eight brief nodes */

static struct s3fifo_node nodes[NODES];
static struct s3fifo fifo;

static void begin(uint64_t max_bytes)
{
    memset(nodes, 0, sizeof nodes);
    ck_assert(s3fifo_init(&fifo, max_bytes, NODES));
}

static void end(void)
{
    s3fifo_fini(&fifo);
}

static struct s3fifo_node *node_of(size_t i)
{
    nodes[i].hash = i + 1;
    nodes[i].bytes = BYTES;
    return &nodes[i];
}

START_TEST(entries_requested_once_are_evicted_oldest_first)
{
    begin(BUDGET);
    for (size_t i = 0; i < 8; i++)
        s3fifo_add(&fifo, node_of(i));
    for (size_t i = 0; i < 8; i++)
        ck_assert_ptr_eq(s3fifo_victim(&fifo), &nodes[i]);
    ck_assert_ptr_null(s3fifo_victim(&fifo));
}
END_TEST

START_TEST(an_entry_requested_again_outlives_a_scan)
{
    begin(BUDGET);
    for (size_t i = 0; i < 4; i++)
        s3fifo_touch(node_of(i));
    for (size_t i = 0; i < NODES; i++) {
        s3fifo_add(&fifo, node_of(i));
        if (i >= 20)
            ck_assert(s3fifo_victim(&fifo) >= &nodes[4]);
    }
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq(nodes[i].place, S3FIFO_MAIN);
}
END_TEST

START_TEST(an_entry_that_returns_soon_goes_to_the_main_queue)
{
    begin(BUDGET);
    s3fifo_add(&fifo, node_of(0));
    ck_assert_ptr_eq(s3fifo_victim(&fifo), &nodes[0]);
    ck_assert_int_eq(nodes[0].place, S3FIFO_NOWHERE);
    s3fifo_add(&fifo, &nodes[0]);
    ck_assert_int_eq(nodes[0].place, S3FIFO_MAIN);
}
END_TEST

START_TEST(a_victim_is_found_though_all_entries_are_in_use)
{
    begin(BUDGET);
    for (size_t i = 0; i < NODES; i++) {
        s3fifo_add(&fifo, node_of(i));
        for (int times = 0; times < 9; times++)
            s3fifo_touch(&nodes[i]);
    }
    for (size_t i = 0; i < NODES; i++)
        ck_assert_ptr_nonnull(s3fifo_victim(&fifo));
    ck_assert_uint_eq(fifo.main.bytes + fifo.small.bytes, 0);
    ck_assert_uint_eq(fifo.main.count + fifo.small.count, 0);
}
END_TEST

/* ---- cheap entries ----------------------------------------------------------------------- */

static struct s3fifo_node *cheap_node_of(size_t i)
{
    nodes[i].cheap = true;
    return node_of(i);
}

START_TEST(cheap_entries_requested_once_are_evicted_below_the_budget)
{
    begin(WIDE);
    for (size_t i = 0; i < NODES; i++) {
        s3fifo_add(&fifo, cheap_node_of(i));
        ck_assert_ptr_eq(s3fifo_overdue(&fifo), i < BRIEF ? NULL : &nodes[i - BRIEF]);
        ck_assert_ptr_null(s3fifo_overdue(&fifo));
    }
    ck_assert_uint_eq(s3fifo_bytes(&fifo), WIDE / BRIEF_PART);
}
END_TEST

START_TEST(a_cheap_entry_requested_again_stays)
{
    begin(WIDE);
    s3fifo_add(&fifo, cheap_node_of(0));
    s3fifo_touch(&nodes[0]);
    for (size_t i = 1; i < NODES; i++) {
        s3fifo_add(&fifo, cheap_node_of(i));
        ck_assert_ptr_ne(s3fifo_overdue(&fifo), &nodes[0]);
    }
    ck_assert_int_eq(nodes[0].place, S3FIFO_MAIN);
}
END_TEST

START_TEST(a_cheap_entry_that_returns_soon_stays)
{
    begin(WIDE);
    for (size_t i = 0; i <= BRIEF; i++)
        s3fifo_add(&fifo, cheap_node_of(i));
    ck_assert_ptr_eq(s3fifo_overdue(&fifo), &nodes[0]);
    s3fifo_add(&fifo, &nodes[0]);
    ck_assert_int_eq(nodes[0].place, S3FIFO_MAIN);
}
END_TEST

START_TEST(a_long_entry_never_enters_the_brief_queue)
{
    begin(BUDGET); /* of which BYTES are much */
    for (size_t i = 0; i < 20; i++) {
        s3fifo_add(&fifo, cheap_node_of(i));
        ck_assert_int_eq(nodes[i].place, S3FIFO_SMALL);
        ck_assert_ptr_null(s3fifo_overdue(&fifo));
    }
}
END_TEST

START_TEST(brief_entries_are_evicted_when_no_other_is_left)
{
    begin(WIDE);
    s3fifo_add(&fifo, cheap_node_of(0));
    s3fifo_add(&fifo, node_of(1));
    s3fifo_touch(&nodes[0]);
    ck_assert_ptr_eq(s3fifo_victim(&fifo), &nodes[1]);
    ck_assert_ptr_eq(s3fifo_victim(&fifo), &nodes[0]);
    ck_assert_ptr_null(s3fifo_victim(&fifo));
    ck_assert_uint_eq(s3fifo_bytes(&fifo), 0);
}
END_TEST

START_TEST(removal_keeps_the_queues_linked)
{
    begin(WIDE);
    s3fifo_add(&fifo, cheap_node_of(5));
    for (size_t i = 0; i < 5; i++)
        s3fifo_add(&fifo, node_of(i));
    s3fifo_remove(&fifo, &nodes[5]);
    s3fifo_remove(&fifo, &nodes[0]);
    s3fifo_remove(&fifo, &nodes[2]);
    s3fifo_remove(&fifo, &nodes[4]);
    s3fifo_remove(&fifo, &nodes[4]);
    ck_assert_uint_eq(fifo.small.bytes, 2 * BYTES);
    ck_assert_ptr_eq(s3fifo_victim(&fifo), &nodes[1]);
    ck_assert_ptr_eq(s3fifo_victim(&fifo), &nodes[3]);
    ck_assert_ptr_null(s3fifo_victim(&fifo));
}
END_TEST

static const struct suite_test tests[] = {
    TEST(entries_requested_once_are_evicted_oldest_first),
    TEST(an_entry_requested_again_outlives_a_scan),
    TEST(an_entry_that_returns_soon_goes_to_the_main_queue),
    TEST(a_victim_is_found_though_all_entries_are_in_use),
    TEST(cheap_entries_requested_once_are_evicted_below_the_budget),
    TEST(a_cheap_entry_requested_again_stays),
    TEST(a_cheap_entry_that_returns_soon_stays),
    TEST(a_long_entry_never_enters_the_brief_queue),
    TEST(brief_entries_are_evicted_when_no_other_is_left),
    TEST(removal_keeps_the_queues_linked),
};

const struct suite s3fifo_suite = {SUITE_TESTS(tests), .teardown = end};
