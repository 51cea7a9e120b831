/* SPDX-License-Identifier: Apache-2.0
 * test_answer_queue.c - the end of one answer wakes few of those that wait for bytes, however
 * many peers wait, and one end after the other reaches them all. */
#include "server/net/answer_queue.h"

#include <sys/socket.h>
#include <unistd.h>

#include "server/http/transport.h"
#include "server/net/connection.h"
#include "server/net/loop_state.h"
#include "server/net/peers.h"
#include "server/shared.h"
#include "tests/support/suite.h"

enum { PEERS = 3 * ANSWER_QUEUE_LINES + 1 };

static struct service service;
static struct loop loop = {.service = &service};
static struct peer peers[PEERS];
static struct connection waiting[PEERS]; /* each of another peer */
static struct answer_queue queue;
static struct transport *transport;
static struct transport_connection *wire; /* which all connections resume */
static int other_end;

static void *on_begins(void *context, struct transport_connection *connection, int fd)
{
    wire = connection;
    return NULL;
}

static const struct transport_calls calls = {.begins = on_begins};

static void start_transport(void)
{
    const struct sockaddr nobody = {.sa_family = AF_UNIX};
    int pair[2];

    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
    other_end = pair[1];
    transport = transport_new(&(struct transport_options){.calls = &calls, .connections = 1});
    ck_assert_ptr_nonnull(transport);
    ck_assert(transport_add(transport, pair[0], &nobody, sizeof nobody));
    ck_assert_ptr_nonnull(wire);
}

static void wait_bytes(int i)
{
    waiting[i].place.wait = ANSWER_WAIT_BYTES;
    waiting[i].suspended = true;
}

/* One connection of each of so many peers waits for bytes. */
static void begin(int count)
{
    start_transport();
    queue = (struct answer_queue){.first = NULL};
    atomic_store(&service.answer_holds, false);
    for (int i = 0; i < count; i++) {
        waiting[i] = (struct connection){.loop = &loop, .wire = wire};
        ck_assert(answer_queue_enter(&queue, &waiting[i], &peers[i]));
        wait_bytes(i);
    }
}

static void end(int count)
{
    for (int i = 0; i < count; i++)
        answer_queue_leave(&queue, &waiting[i]);
    ck_assert_ptr_null(queue.first);
    ck_assert_ptr_null(queue.next);
    transport_free(transport);
    close(other_end);
}

static int woken(int count)
{
    int sum = 0;

    for (int i = 0; i < count; i++) {
        sum += waiting[i].place.wait == ANSWER_WAIT_NONE;
        ck_assert_int_eq(waiting[i].suspended, waiting[i].place.wait != ANSWER_WAIT_NONE);
    }
    return sum;
}

START_TEST(the_end_of_an_answer_wakes_few_lines_and_the_one_that_holds)
{
    begin(PEERS);
    answer_queue_wake(&queue);
    ck_assert_int_eq(woken(PEERS), ANSWER_QUEUE_LINES);
    ck_assert_int_eq(waiting[0].place.wait, ANSWER_WAIT_BYTES);
    ck_assert(answer_queue_hold(&queue, &waiting[0]));
    answer_queue_wake(&queue);
    ck_assert_int_eq(waiting[0].place.wait, ANSWER_WAIT_NONE);
    ck_assert_int_eq(woken(PEERS), 2 * ANSWER_QUEUE_LINES + 1);
    end(PEERS);
}
END_TEST

START_TEST(the_ends_of_answers_reach_all_lines_in_turn)
{
    int last = -1;

    begin(PEERS);
    for (int ends = 1; ends <= 3; ends++) {
        answer_queue_wake(&queue);
        ck_assert_int_eq(woken(PEERS), ends * ANSWER_QUEUE_LINES);
    }
    for (int i = 0; i < PEERS; i++)
        if (waiting[i].place.wait == ANSWER_WAIT_BYTES)
            last = i;
        else
            wait_bytes(i); /* it lacks bytes again */
    answer_queue_wake(&queue);
    ck_assert_int_eq(waiting[last].place.wait, ANSWER_WAIT_NONE);
    ck_assert_int_eq(woken(PEERS), ANSWER_QUEUE_LINES);
    end(PEERS);
}
END_TEST

START_TEST(a_few_lines_are_woken_once_each)
{
    begin(2);
    answer_queue_wake(&queue);
    ck_assert_int_eq(woken(2), 2);
    answer_queue_wake(&queue);
    end(2);
}
END_TEST

/* Whichever line ends meanwhile, as that at which the next end would go on. */
START_TEST(a_line_may_end_between_two_ends_of_answers)
{
    for (int leaving = 0; leaving < PEERS; leaving++) {
        begin(PEERS);
        answer_queue_wake(&queue);
        answer_queue_leave(&queue, &waiting[leaving]);
        for (int ends = 0; ends < 3; ends++)
            answer_queue_wake(&queue);
        for (int i = 0; i < PEERS; i++)
            ck_assert_int_eq(waiting[i].place.wait, ANSWER_WAIT_NONE);
        end(PEERS);
    }
}
END_TEST

START_TEST(a_tick_wakes_one_of_every_line)
{
    begin(PEERS);
    answer_queue_wake_all(&queue);
    ck_assert_int_eq(woken(PEERS), PEERS);
    end(PEERS);
}
END_TEST

SUITE(answer_queue, TEST(the_end_of_an_answer_wakes_few_lines_and_the_one_that_holds),
      TEST(the_ends_of_answers_reach_all_lines_in_turn), TEST(a_few_lines_are_woken_once_each),
      TEST(a_line_may_end_between_two_ends_of_answers), TEST(a_tick_wakes_one_of_every_line));
