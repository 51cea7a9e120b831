/* SPDX-License-Identifier: Apache-2.0
 * test_turn_order.c - a turn_queue by itself, without a loop: what an iteration admits, in
 * which order connections have their turns, and that one that leaves has none. */
#include <string.h>

#include "server/net/connection.h"
#include "server/net/turn_queue.h"
#include "tests/support/suite.h"

START_TEST(an_iteration_admits_work_until_its_allowance_is_spent)
{
    struct connection connection = {.turn.begun = false};
    struct turn_queue queue = {.left = 0};

    ck_assert(!turn_queue_admits(&queue, &connection, TURN_FREE)); /* none has begun */
    turn_queue_begin(&queue);
    ck_assert(turn_queue_admits(&queue, &connection, 0.6 * TURN_OPERATIONS));
    ck_assert(turn_queue_admits(&queue, &connection, 0.6 * TURN_OPERATIONS));
    ck_assert(!turn_queue_admits(&queue, &connection, TURN_FREE));
    ck_assert(turn_queue_admits(&queue, &connection, TURN_FREE / 2)); /* cheap work always */
    turn_queue_begin(&queue);
    ck_assert(turn_queue_admits(&queue, &connection, 1e9)); /* work of any size can begin */
}
END_TEST

START_TEST(a_turn_is_for_one_work_and_nobody_passes_those_who_wait)
{
    struct connection waiting = {.turn.begun = false}, other = {.turn.begun = false},
                      resumed = {.turn.begun = true};
    struct turn_queue queue = {.left = TURN_OPERATIONS};

    turn_queue_add(&queue, &waiting, 1, TURN_OPERATIONS, NULL);
    ck_assert(!turn_queue_admits(&queue, &other, TURN_FREE));
    ck_assert(turn_queue_admits(&queue, &resumed, TURN_FREE));
    ck_assert(!turn_queue_admits(&queue, &resumed, TURN_FREE));
}
END_TEST

/* ---- the order of turns ------------------------------------------------------------------ */

enum { WAITING = 5 };

static struct turn_queue queue;
static struct connection waiting[WAITING];
static char order[3 * WAITING + 1]; /* the letters of those that had a turn */
static int again;                   /* turns for which connections wait once more */

static void add(struct connection *connection);

static void note(struct connection *connection)
{
    order[strlen(order)] = (char)('a' + (connection - waiting));
    if (again-- > 0)
        add(connection);
}

static void add(struct connection *connection)
{
    turn_queue_add(&queue, connection, connection->turn.peer, TURN_OPERATIONS, note);
}

/* Connections a, b, ... wait, each of the peer with its digit. */
static void add_all(const char *peers)
{
    memset(order, 0, sizeof order);
    for (int i = 0; peers[i]; i++) {
        waiting[i] = (struct connection){.turn.peer = (uint64_t)(peers[i] - '0')};
        add(&waiting[i]);
    }
}

static void give_all_turns(void)
{
    for (int i = 0; i < 3 * WAITING; i++)
        turn_queue_begin(&queue);
    ck_assert_ptr_null(queue.first);
    for (int i = 0; i < WAITING; i++)
        ck_assert(!turn_queue_leave(&queue, &waiting[i]));
}

/* A point is a turn, a capital letter a connection that leaves, a digit says that the next one
 * waits no more. */
static const struct {
    const char *peers, *does, *order;
} orders[] = {
    {"11123", "", "adebc"},    {"11123", "A", "bdec"}, /* at the head */
    {"11123", "B", "adec"},                            /* in the middle of its peer's */
    {"11123", "C", "adeb"},                            /* at the end of its peer's */
    {"11123", "D", "aebc"},                            /* alone of its peer, between others */
    {"11123", "E", "adbc"},                            /* at the tail */
    {"12223", "B", "aced"},    /* the first of its peer, between others */
    {"12223", "BC", "ade"},    /* and the next of that peer */
    {"12222", "A", "bcde"},    /* one peer remains */
    {"11111", "AE", "bcd"},    /* of one peer */
    {"11123", "B0B", "adec"},  /* twice */
    {"11123", ".0A", "adebc"}, /* after its turn */
    {"11123", ".B", "adec"},   /* its peer has had a turn */
    {"11122", ".D", "aebc"},   {"11123", "...0D", "adebc"},
    {"12345", "EDCBA", ""},    {"11111", "ABCDE", ""},
};

START_TEST(a_connection_that_leaves_has_no_turn_and_delays_nobody)
{
    bool waits = true;

    add_all(orders[_i].peers);
    for (const char *at = orders[_i].does; *at; at++) {
        if (*at == '.')
            turn_queue_begin(&queue);
        else if (*at != '0')
            ck_assert_int_eq(turn_queue_leave(&queue, &waiting[*at - 'A']), waits);
        waits = *at != '0';
    }
    give_all_turns();
    ck_assert_str_eq(order, orders[_i].order);
}
END_TEST

START_TEST(a_connection_that_waits_once_more_is_behind_the_others_of_its_peer)
{
    again = 4;
    add_all("1112");
    give_all_turns();
    ck_assert_str_eq(order, "adbdcdab");
    add_all("1112");
    ck_assert(turn_queue_leave(&queue, &waiting[0]));
    add(&waiting[0]); /* it left, and came last */
    give_all_turns();
    ck_assert_str_eq(order, "bdca");
}
END_TEST

SUITE(turn_order, TEST(an_iteration_admits_work_until_its_allowance_is_spent),
      TEST(a_turn_is_for_one_work_and_nobody_passes_those_who_wait),
      TEST_EACH(a_connection_that_leaves_has_no_turn_and_delays_nobody, orders),
      TEST(a_connection_that_waits_once_more_is_behind_the_others_of_its_peer));
