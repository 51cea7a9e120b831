/* SPDX-License-Identifier: Apache-2.0
 * test_thread_pool.c - tasks run on other threads, are done on the loop's, and are bounded, in
 * all and of one peer; quick ones do not wait for expensive ones, nor peers for one another. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <uv.h>

#include "server/sys/thread_pool.h"
#include "tests/support/pool_block.h"
#include "tests/support/suite.h"

enum { EXPENSIVE_TASKS = THREAD_POOL_EXPENSIVE_PEER_MOST, SHARE = THREAD_POOL_PEER_MOST };

static struct thread_pool_lanes lanes;
static struct thread_pool *pool, *second; /* NULL: there is no second loop */
static uv_loop_t uv;
static uv_async_t ran; /* a lane has run tasks */
static int order[2 * THREAD_POOL_MOST], ordered;

static void settle(uv_async_t *async)
{
    thread_pool_settle(pool);
    if (second)
        thread_pool_settle(second);
}

static void wake(void *context)
{
    uv_async_send(context);
}

static void start(void)
{
    ordered = 0;
    ck_assert_int_eq(uv_loop_init(&uv), 0);
    ck_assert_int_eq(uv_async_init(&uv, &ran, settle), 0);
    ck_assert(thread_pool_open_lanes(&lanes, 1, 1));
    pool = thread_pool_new(&lanes, (struct thread_pool_wake){wake, &ran});
}

static void stop(void)
{
    thread_pool_free(pool);
    thread_pool_close_lanes(&lanes);
    uv_close((uv_handle_t *)&ran, NULL);
    uv_run(&uv, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&uv), 0);
}

static void finish(void)
{
    while (thread_pool_pending(pool) > 0)
        uv_run(&uv, UV_RUN_ONCE);
}

struct sum {
    struct thread_pool_task task; /* first */
    pthread_t home;
    int input, output, calls;
    bool elsewhere;
    sem_t *held; /* the task waits for it */
};

static void on_run(struct thread_pool_task *task)
{
    struct sum *sum = (struct sum *)(void *)task;

    sum->output = sum->input * 2;
    sum->elsewhere = !pthread_equal(pthread_self(), sum->home);
}

static void on_done(struct thread_pool_task *task)
{
    struct sum *sum = (struct sum *)(void *)task;

    ck_assert(pthread_equal(pthread_self(), sum->home));
    sum->calls++;
}

static struct sum sum_of(int input)
{
    return (struct sum){.task = {.run = on_run, .done = on_done},
                        .home = pthread_self(),
                        .input = input};
}

START_TEST(a_task_runs_on_another_thread_and_ends_on_the_loop)
{
    struct sum sums[SHARE];

    for (int i = 0; i < SHARE; i++) {
        sums[i] = sum_of(i);
        ck_assert(thread_pool_add(pool, &sums[i].task));
    }
    ck_assert_uint_eq(thread_pool_pending(pool), SHARE);
    finish();
    for (int i = 0; i < SHARE; i++) {
        ck_assert_int_eq(sums[i].output, 2 * i);
        ck_assert_int_eq(sums[i].calls, 1);
        ck_assert(sums[i].elsewhere);
    }
}
END_TEST

START_TEST(a_task_that_has_not_begun_can_be_cancelled)
{
    struct pool_block *block = pool_block_new(lanes.quick);
    struct sum sum = sum_of(1);

    ck_assert(thread_pool_add(pool, &sum.task));
    ck_assert(thread_pool_cancel(&sum.task));
    pool_block_free(block);
    finish();
    ck_assert_int_eq(sum.calls, 1);
    ck_assert(sum.task.cancelled && sum.output == 0);
    ck_assert_uint_eq(thread_pool_pending(pool), 0);
}
END_TEST

START_TEST(a_task_knows_how_long_it_waited)
{
    enum { LONG_MS = 20 };
    struct pool_block *block = pool_block_new(lanes.quick);
    struct sum sum = sum_of(1);
    const uint64_t before = uv_hrtime();
    uint64_t added;

    ck_assert(thread_pool_add(pool, &sum.task));
    added = uv_hrtime();
    while (uv_hrtime() - added < LONG_MS * 1000000)
        sched_yield();
    pool_block_free(block);
    finish();
    ck_assert_uint_ge(sum.task.waited_ns, LONG_MS * 1000000);
    ck_assert_uint_le(sum.task.waited_ns, uv_hrtime() - before);
}
END_TEST

static void note_done(struct thread_pool_task *task)
{
    order[ordered++] = ((struct sum *)(void *)task)->input;
}

static void wait_for_post(struct thread_pool_task *task)
{
    struct sum *sum = (struct sum *)(void *)task;

    sem_wait(sum->held);
}

/* A task that costs so many operations and waits for the semaphore, if there is one. */
static struct sum task_of(int input, double operations, sem_t *held)
{
    struct sum sum = sum_of(input);

    sum.task.run = held ? wait_for_post : on_run;
    sum.task.done = note_done;
    sum.task.operations = operations;
    sum.held = held;
    return sum;
}

/* ---- quick tasks of several peers -------------------------------------------------------- */

/* Adds a quick task of the peer; its number is what it notes when it is done. */
static bool add_of_peer(struct sum *sum, int number, uint64_t peer)
{
    *sum = task_of(number, 1e6, NULL);
    sum->task.peer = peer;
    return thread_pool_add(pool, &sum->task);
}

START_TEST(a_peer_has_a_share_of_the_places_and_is_refused_beyond_it)
{
    struct pool_block *block = pool_block_new(lanes.quick);
    struct sum sums[SHARE + 1];

    for (int i = 0; i < SHARE; i++) {
        ck_assert(thread_pool_has_place(pool, 'a'));
        ck_assert(add_of_peer(&sums[i], i, 'a'));
    }
    ck_assert(!thread_pool_has_place(pool, 'a') && thread_pool_has_place(pool, 'b'));
    ck_assert(!add_of_peer(&sums[SHARE], SHARE, 'a'));
    ck_assert_int_eq(sums[SHARE].task.result, THREAD_POOL_PEER_FULL);
    pool_block_free(block);
    finish();
    ck_assert_int_eq(ordered, SHARE);
    for (int i = 0; i < SHARE; i++)
        ck_assert_int_eq(order[i], i);
    ck_assert(add_of_peer(&sums[SHARE], SHARE, 'a'));
    finish();
    ck_assert_int_eq(ordered, SHARE + 1);
}
END_TEST

START_TEST(a_task_of_another_peer_begins_in_turn_beside_one_that_filled_its_share)
{
    struct pool_block *block = pool_block_new(lanes.quick);
    struct sum sums[SHARE], other;

    for (int i = 0; i < SHARE; i++)
        ck_assert(add_of_peer(&sums[i], i, 'a'));
    ck_assert(add_of_peer(&other, SHARE, 'b'));
    pool_block_free(block);
    finish();
    ck_assert(order[0] == SHARE || order[1] == SHARE);
}
END_TEST

START_TEST(so_many_peers_that_all_places_are_taken_are_refused)
{
    struct pool_block *block = pool_block_new(lanes.quick);
    struct sum sums[THREAD_POOL_MOST + 1];

    for (int i = 0; i < THREAD_POOL_MOST; i++)
        ck_assert(add_of_peer(&sums[i], i, 1 + (uint64_t)i));
    ck_assert(!add_of_peer(&sums[THREAD_POOL_MOST], 0, 1 + THREAD_POOL_MOST));
    ck_assert_int_eq(sums[THREAD_POOL_MOST].task.result, THREAD_POOL_FULL);
    ck_assert(!add_of_peer(&sums[THREAD_POOL_MOST], 0, 1));
    pool_block_free(block);
    finish();
    ck_assert_int_eq(ordered, THREAD_POOL_MOST);
}
END_TEST

/* Another loop of the process, which has the same threads. */
START_TEST(peers_take_turns_whatever_loop_their_tasks_are_of)
{
    struct pool_block *block = pool_block_new(lanes.quick);
    struct sum sums[SHARE], other;

    for (int i = 0; i < SHARE; i++)
        ck_assert(add_of_peer(&sums[i], i, 'a'));
    second = thread_pool_new(&lanes, (struct thread_pool_wake){wake, &ran});
    other = task_of(SHARE, 1e6, NULL);
    other.task.peer = 'b';
    ck_assert(thread_pool_add(second, &other.task));
    ck_assert_uint_eq(thread_pool_pending(second), 1);
    pool_block_free(block);
    while (!thread_pool_begun(&sums[2].task))
        sched_yield();
    ck_assert(thread_pool_begun(&other.task));
    while (thread_pool_pending(second) > 0)
        uv_run(&uv, UV_RUN_ONCE);
    finish();
    thread_pool_free(second);
    second = NULL;
    ck_assert_int_eq(ordered, SHARE + 1);
}
END_TEST

/* ---- expensive tasks --------------------------------------------------------------------- */

START_TEST(a_quick_task_overtakes_expensive_ones)
{
    sem_t held;
    struct sum slow[4], quick = task_of(4, 1e6, NULL);

    sem_init(&held, 0, 0);
    for (int i = 0; i < 4; i++) {
        slow[i] = task_of(i, 1e9, &held);
        ck_assert(thread_pool_add(pool, &slow[i].task));
    }
    ck_assert(thread_pool_add(pool, &quick.task));
    while (ordered == 0)
        uv_run(&uv, UV_RUN_ONCE);
    ck_assert_int_eq(order[0], 4);
    for (int i = 0; i < 4; i++)
        sem_post(&held);
    finish();
    ck_assert_int_eq(ordered, 5);
    sem_destroy(&held);
}
END_TEST

START_TEST(an_expensive_task_overtakes_quick_ones)
{
    struct pool_block *block = pool_block_new(lanes.quick);
    struct sum quick = task_of(0, 1e6, NULL), slow = task_of(1, 1e9, NULL);

    ck_assert(thread_pool_add(pool, &quick.task) && thread_pool_add(pool, &slow.task));
    while (ordered == 0)
        uv_run(&uv, UV_RUN_ONCE);
    ck_assert_int_eq(order[0], 1);
    ck_assert(thread_pool_begun(&slow.task) && !slow.task.cancelled);
    pool_block_free(block);
    finish();
}
END_TEST

START_TEST(expensive_tasks_take_no_place_of_a_quick_one)
{
    sem_t held;
    struct sum slow[EXPENSIVE_TASKS + 2], quick[SHARE + 1];
    struct pool_block *block = pool_block_new(lanes.quick);

    sem_init(&held, 0, 0);
    slow[0] = task_of(0, 1e9, &held);
    ck_assert(thread_pool_add(pool, &slow[0].task));
    while (!thread_pool_begun(&slow[0].task))
        sched_yield();
    for (int i = 1; i <= EXPENSIVE_TASKS + 1; i++) {
        slow[i] = task_of(i, 1e9, NULL);
        ck_assert_int_eq(thread_pool_add(pool, &slow[i].task), i <= EXPENSIVE_TASKS);
        ck_assert(slow[i].task.expensive);
        ck_assert_int_eq(slow[i].task.result, i <= EXPENSIVE_TASKS
                                                  ? THREAD_POOL_ADDED
                                                  : THREAD_POOL_EXPENSIVE_PEER_FULL);
    }
    for (int i = 0; i <= SHARE; i++) {
        quick[i] = sum_of(i);
        ck_assert_int_eq(thread_pool_add(pool, &quick[i].task), i < SHARE);
        ck_assert(!quick[i].task.expensive);
    }
    ck_assert_uint_eq(thread_pool_pending(pool), SHARE + EXPENSIVE_TASKS + 1);
    pool_block_free(block);
    sem_post(&held);
    finish();
    ck_assert_int_eq(ordered, EXPENSIVE_TASKS + 1);
    sem_destroy(&held);
}
END_TEST

START_TEST(an_expensive_task_that_waits_can_be_cancelled)
{
    sem_t held;
    struct sum slow[2];

    sem_init(&held, 0, 0);
    for (int i = 0; i < 2; i++) {
        slow[i] = task_of(i, 1e9, &held);
        ck_assert(thread_pool_add(pool, &slow[i].task));
    }
    while (!thread_pool_begun(&slow[0].task))
        sched_yield();
    ck_assert(!thread_pool_cancel(&slow[0].task));
    ck_assert(thread_pool_cancel(&slow[1].task));
    ck_assert_int_eq(ordered, 1); /* `done` is called at once */
    ck_assert(order[0] == 1 && slow[1].task.cancelled && !thread_pool_begun(&slow[1].task));
    sem_post(&held);
    finish();
    ck_assert_int_eq(ordered, 2);
    sem_destroy(&held);
}
END_TEST

START_TEST(expensive_tasks_have_half_of_the_threads_at_most)
{
    for (size_t workers = 1; workers < 40; workers++)
        for (size_t loops = 1; loops < 40; loops++) {
            const size_t all = thread_pool_threads(workers, loops);

            ck_assert_uint_ge(thread_pool_expensive_threads(workers, loops), 1);
            ck_assert_uint_le(2 * thread_pool_expensive_threads(workers, loops), all);
            ck_assert_uint_gt(all, workers);
            ck_assert_uint_gt(all, loops);
        }
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_task_runs_on_another_thread_and_ends_on_the_loop),
    TEST(a_task_that_has_not_begun_can_be_cancelled),
    TEST(a_task_knows_how_long_it_waited),
    TEST(a_peer_has_a_share_of_the_places_and_is_refused_beyond_it),
    TEST(a_task_of_another_peer_begins_in_turn_beside_one_that_filled_its_share),
    TEST(so_many_peers_that_all_places_are_taken_are_refused),
    TEST(peers_take_turns_whatever_loop_their_tasks_are_of),
    TEST(a_quick_task_overtakes_expensive_ones),
    TEST(an_expensive_task_overtakes_quick_ones),
    TEST(expensive_tasks_take_no_place_of_a_quick_one),
    TEST(an_expensive_task_that_waits_can_be_cancelled),
    TEST(expensive_tasks_have_half_of_the_threads_at_most),
};

const struct suite thread_pool_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
