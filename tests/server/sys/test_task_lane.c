/* SPDX-License-Identifier: Apache-2.0
 * test_task_lane.c - peers take turns, and none takes all threads or places. */
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include "server/sys/task_lane.h"
#include "tests/support/suite.h"

enum { MOST = 64, PEER_MOST = 16, TASKS = 2 * MOST };

struct errand {
    struct task_lane_task task; /* first */
    sem_t *gate;                /* the task waits for it; NULL: for nothing */
    int priority;               /* of the thread that ran it */
};

static struct task_lane *lane;
static struct task_lane_home home;
static struct errand errands[TASKS];
static sem_t gate, woken;
static size_t added, taken;
static size_t order[TASKS]; /* the errands in the order in which they ended */

static void note_wake(struct task_lane_home *of)
{
    ck_assert_ptr_eq(of, &home);
    sem_post(&woken);
}

static void open_lane(size_t threads, int lower_priority)
{
    lane = task_lane_new(&(struct task_lane_size){.threads = threads,
                                                  .most = MOST,
                                                  .peer_most = PEER_MOST,
                                                  .lower_priority = lower_priority});
    ck_assert_ptr_nonnull(lane);
}

static void start(void)
{
    open_lane(1, 0);
    home = (struct task_lane_home){.wake = note_wake};
    sem_init(&gate, 0, 0);
    sem_init(&woken, 0, 0);
    added = taken = 0;
}

static void stop(void)
{
    task_lane_free(lane);
    sem_destroy(&gate);
    sem_destroy(&woken);
}

static void run(struct task_lane_task *task)
{
    struct errand *errand = (struct errand *)(void *)task;

    errand->priority = getpriority(PRIO_PROCESS, 0);
    if (errand->gate)
        sem_wait(errand->gate);
}

static bool add(uint64_t peer, double operations, bool held)
{
    struct errand *errand = &errands[added];

    *errand = (struct errand){
        .task = {.home = &home, .peer = peer, .operations = operations, .run = run},
        .gate = held ? &gate : NULL};
    if (task_lane_add(lane, &errand->task) != TASK_LANE_ADDED)
        return false;
    added++;
    return true;
}

static void await_begun(size_t errand)
{
    while (!atomic_load(&errands[errand].task.begun))
        sched_yield();
}

/* Holds the only thread of the lane by a task of the peer. */
static void hold(uint64_t peer)
{
    ck_assert(add(peer, 1, true));
    await_begun(added - 1);
}

static void take(size_t count)
{
    while (taken < count) {
        sem_wait(&woken);
        for (struct task_lane_task *task = task_lane_take(lane, &home); task; task = task->next)
            order[taken++] = (size_t)((struct errand *)(void *)task - errands);
    }
}

/* Lets the held tasks end, and checks the peers of all tasks in the order of their ends. */
static void check_peers(const char *peers)
{
    sem_post(&gate);
    take(added);
    for (size_t i = 0; i < added; i++)
        ck_assert_int_eq(peers[i], (char)errands[order[i]].task.peer);
    ck_assert_int_eq(peers[added], '\0');
}

START_TEST(a_peer_with_many_tasks_delays_another_by_the_one_that_runs)
{
    hold('a');
    for (int i = 0; i < 8; i++)
        ck_assert(add('a', 1, false));
    ck_assert(add('b', 1e9, false));
    check_peers("abaaaaaaaa");
}
END_TEST

START_TEST(peers_take_turns)
{
    hold('a');
    for (int i = 0; i < 3; i++) {
        ck_assert(add('a', 1, false));
        ck_assert(add('b', 1, false));
        ck_assert(add('c', 1, false));
    }
    check_peers("abcabcabca");
}
END_TEST

START_TEST(peers_that_come_again_and_again_let_a_waiting_one_have_its_turn)
{
    hold('a');
    ck_assert(add('a', 1, true) && add('b', 1, true));
    for (char next = 'c'; next < 'f'; next++) { /* one comes whenever one is done */
        sem_post(&gate);
        take(taken + 1);
        ck_assert(add((uint64_t)next, 1, true));
    }
    for (size_t i = taken; i < added; i++)
        sem_post(&gate);
    take(added);
    ck_assert_int_eq((char)errands[order[1]].task.peer, 'b');
    ck_assert_int_eq((char)errands[order[2]].task.peer, 'a');
    ck_assert_int_eq((char)errands[order[3]].task.peer, 'c');
}
END_TEST

START_TEST(of_one_peer_the_cheapest_task_begins_first)
{
    const double costs[] = {3, 1, 2, 1};
    const size_t expected[] = {0, 2, 4, 3, 1};

    hold('a');
    for (size_t i = 0; i < 4; i++)
        ck_assert(add('a', costs[i], false));
    sem_post(&gate);
    take(added);
    for (size_t i = 0; i < 5; i++)
        ck_assert_uint_eq(order[i], expected[i]);
}
END_TEST

START_TEST(tasks_of_one_cost_begin_in_the_order_in_which_they_came)
{
    hold('a');
    for (size_t i = 0; i < 4; i++)
        ck_assert(add('a', 1, false));
    ck_assert(task_lane_remove(lane, &errands[4].task)); /* the last */
    ck_assert(task_lane_remove(lane, &errands[2].task));
    ck_assert(add('a', 1, false));
    sem_post(&gate);
    take(4);
    ck_assert(order[1] == 1 && order[2] == 3 && order[3] == 5);
}
END_TEST

START_TEST(cheaper_tasks_of_a_peer_overtake_its_oldest_a_few_times_only)
{
    hold('a');
    ck_assert(add('a', 9, false));
    for (int i = 0; i < 6; i++)
        ck_assert(add('a', 1, false));
    sem_post(&gate);
    take(added);
    for (size_t i = 0; i < TASK_LANE_OVERTAKES; i++)
        ck_assert_uint_eq(order[1 + i], 2 + i);
    ck_assert_uint_eq(order[1 + TASK_LANE_OVERTAKES], 1);
}
END_TEST

START_TEST(a_peer_has_so_many_tasks_waiting_and_others_find_a_place)
{
    hold('a');
    for (int i = 0; i < PEER_MOST; i++)
        ck_assert(add('a', 1, false));
    ck_assert(!add('a', 1, false));
    ck_assert(task_lane_peer_has_most(lane, 'a') && !task_lane_peer_has_most(lane, 'b'));
    ck_assert_int_eq(task_lane_try(lane, 'a'), TASK_LANE_PEER_FULL);
    ck_assert_int_eq(task_lane_try(lane, 'b'), TASK_LANE_ADDED);
    ck_assert(add('b', 1, false));
    ck_assert(task_lane_remove(lane, &errands[1].task));
    ck_assert(add('a', 1, false));
    sem_post(&gate);
    take(added - 1);
}
END_TEST

START_TEST(a_few_peers_that_add_all_that_they_can_leave_places_to_others)
{
    hold('a');
    for (uint64_t peer = 'a'; peer < 'a' + 6; peer++)
        while (add(peer, 1, false))
            continue;
    ck_assert_uint_lt(added - 1, MOST);
    ck_assert(add('z', 1, false));
    for (uint64_t peer = 1000; add(peer, 1, false); peer++)
        continue;
    ck_assert_uint_eq(added - 1, MOST);
    sem_post(&gate);
    take(added);
}
END_TEST

START_TEST(a_lane_that_is_full_of_peers_refuses_one_more)
{
    hold(1000);
    for (uint64_t peer = 0; peer < MOST; peer++)
        ck_assert(add(peer, 1, false));
    ck_assert(!add(2000, 1, false) && !add(0, 1, false) && !add(1000, 1, false));
    ck_assert_int_eq(task_lane_try(lane, 2000), TASK_LANE_FULL);
    sem_post(&gate);
    take(added);
    ck_assert(add(2000, 1, false));
    take(added);
}
END_TEST

/* Adds a task of the peer that makes what the pointer says. */
static void add_maker(uint64_t peer, double operations, const void *makes)
{
    ck_assert(add(peer, operations, false));
    errands[added - 1].task.makes = makes;
}

START_TEST(what_another_peer_waits_for_takes_the_turn_of_that_peer)
{
    hold('a');
    for (int i = 0; i < 3; i++)
        ck_assert(add('a', 1, false));
    add_maker('a', 1, &gate);
    ck_assert(!task_lane_hasten(lane, &woken, 'b')); /* nothing makes that */
    ck_assert(task_lane_hasten(lane, &gate, 'b'));
    ck_assert(!task_lane_hasten(lane, &gate, 'b')); /* it is the peer's already */
    check_peers("abaaa");
    ck_assert_uint_eq(order[1], 4);
    ck_assert(!task_lane_hasten(lane, &gate, 'b')); /* it has run */
}
END_TEST

START_TEST(a_task_stays_with_its_peer_where_another_would_have_it_later)
{
    hold('a');
    add_maker('a', 1, &gate);
    ck_assert(add('b', 1, false));
    ck_assert(!task_lane_hasten(lane, &gate, 'b'));
    ck_assert(add('a', 1, false));
    add_maker('a', 1, &woken);
    ck_assert(add('b', 2, false)); /* dearer: it begins after what is hastened */
    ck_assert(task_lane_hasten(lane, &woken, 'b'));
    check_peers("ababab");
}
END_TEST

START_TEST(a_hastened_task_may_be_the_only_one_of_its_peer)
{
    hold('c');
    ck_assert(add('a', 1, false));
    add_maker('b', 2, &gate);
    ck_assert(add('b', 1, false));
    ck_assert(task_lane_hasten(lane, &gate, 'd')); /* which has no place yet */
    ck_assert(task_lane_remove(lane, &errands[2].task));
    ck_assert(!task_lane_hasten(lane, &gate, 'b')); /* it was removed */
    sem_post(&gate);
    take(3); /* of the others */
}
END_TEST

START_TEST(a_task_is_removed_until_it_begins)
{
    hold('a');
    ck_assert(add('a', 1, false) && add('b', 1, false));
    ck_assert(!task_lane_remove(lane, &errands[0].task));
    ck_assert(task_lane_remove(lane, &errands[1].task));
    ck_assert(!task_lane_remove(lane, &errands[1].task));
    sem_post(&gate);
    take(2);
    ck_assert_uint_eq(order[1], 2);
    ck_assert(!atomic_load(&errands[1].task.begun));
}
END_TEST

START_TEST(no_more_tasks_run_at_once_than_there_are_threads)
{
    task_lane_free(lane);
    open_lane(2, 0);
    for (uint64_t peer = 0; peer < 6; peer++)
        ck_assert(add(peer, 1, true));
    await_begun(0);
    await_begun(1);
    for (size_t i = 2; i < 6; i++)
        ck_assert(!atomic_load(&errands[i].task.begun));
    for (size_t i = 0; i < 6; i++)
        sem_post(&gate);
    take(6);
}
END_TEST

START_TEST(its_threads_have_the_priority_that_is_asked_for)
{
    const int own = getpriority(PRIO_PROCESS, 0);

    ck_assert(add('a', 1, false));
    take(1);
    ck_assert_int_eq(errands[0].priority, own);
    task_lane_free(lane);
    open_lane(1, 1);
    ck_assert(add('a', 1, false));
    take(2);
    ck_assert_int_eq(errands[1].priority, own < 19 ? own + 1 : own);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_peer_with_many_tasks_delays_another_by_the_one_that_runs),
    TEST(peers_take_turns),
    TEST(peers_that_come_again_and_again_let_a_waiting_one_have_its_turn),
    TEST(of_one_peer_the_cheapest_task_begins_first),
    TEST(tasks_of_one_cost_begin_in_the_order_in_which_they_came),
    TEST(cheaper_tasks_of_a_peer_overtake_its_oldest_a_few_times_only),
    TEST(a_peer_has_so_many_tasks_waiting_and_others_find_a_place),
    TEST(a_few_peers_that_add_all_that_they_can_leave_places_to_others),
    TEST(a_lane_that_is_full_of_peers_refuses_one_more),
    TEST(what_another_peer_waits_for_takes_the_turn_of_that_peer),
    TEST(a_task_stays_with_its_peer_where_another_would_have_it_later),
    TEST(a_hastened_task_may_be_the_only_one_of_its_peer),
    TEST(a_task_is_removed_until_it_begins),
    TEST(no_more_tasks_run_at_once_than_there_are_threads),
    TEST(its_threads_have_the_priority_that_is_asked_for),
};

const struct suite task_lane_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
