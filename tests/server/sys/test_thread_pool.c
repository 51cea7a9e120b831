/* SPDX-License-Identifier: Apache-2.0
 * test_thread_pool.c - tasks run on other threads, are done on the loop's, and are bounded. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "server/sys/thread_pool.h"
#include "tests/support/pool_block.h"
#include "tests/support/suite.h"

static struct thread_pool *pool;
static uv_loop_t uv;
static int order[THREAD_POOL_MAX_QUEUED], ordered; /* the inputs of expensive tasks */

static void start(void)
{
    ordered = 0;
    ck_assert_int_eq(uv_loop_init(&uv), 0);
    pool = thread_pool_new(&uv, 1);
}

static void stop(void)
{
    thread_pool_free(pool);
    ck_assert_int_eq(uv_loop_close(&uv), 0);
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
    struct sum sums[THREAD_POOL_MAX_QUEUED];

    for (int i = 0; i < THREAD_POOL_MAX_QUEUED; i++) {
        sums[i] = sum_of(i);
        ck_assert(thread_pool_add(pool, &sums[i].task));
    }
    ck_assert_uint_eq(thread_pool_pending(pool), THREAD_POOL_MAX_QUEUED);
    uv_run(&uv, UV_RUN_DEFAULT);
    ck_assert_uint_eq(thread_pool_pending(pool), 0);
    for (int i = 0; i < THREAD_POOL_MAX_QUEUED; i++) {
        ck_assert_int_eq(sums[i].output, 2 * i);
        ck_assert_int_eq(sums[i].calls, 1);
        ck_assert(sums[i].elsewhere);
    }
}
END_TEST

START_TEST(a_task_beyond_the_bound_is_refused)
{
    struct sum sums[THREAD_POOL_MAX_QUEUED + 1];

    for (int i = 0; i <= THREAD_POOL_MAX_QUEUED; i++) {
        sums[i] = sum_of(i);
        ck_assert_int_eq(thread_pool_add(pool, &sums[i].task), i < THREAD_POOL_MAX_QUEUED);
    }
    uv_run(&uv, UV_RUN_DEFAULT);
    ck_assert_int_eq(sums[THREAD_POOL_MAX_QUEUED].calls, 0);
    ck_assert(thread_pool_add(pool, &sums[THREAD_POOL_MAX_QUEUED].task));
    uv_run(&uv, UV_RUN_DEFAULT);
    ck_assert_int_eq(sums[THREAD_POOL_MAX_QUEUED].calls, 1);
}
END_TEST

START_TEST(a_task_that_has_not_begun_can_be_cancelled)
{
    struct pool_block *block = pool_block_new();
    struct sum sum = sum_of(1);

    ck_assert(thread_pool_add(pool, &sum.task));
    ck_assert(thread_pool_cancel(&sum.task));
    pool_block_free(block);
    uv_run(&uv, UV_RUN_DEFAULT);
    ck_assert_int_eq(sum.calls, 1);
    ck_assert(sum.task.cancelled && sum.output == 0);
    ck_assert_uint_eq(thread_pool_pending(pool), 0);
}
END_TEST

/* ---- expensive tasks --------------------------------------------------------------------- */

static void note_done(struct thread_pool_task *task)
{
    order[ordered++] = ((struct sum *)(void *)task)->input;
}

static struct sum expensive(int input, double operations)
{
    struct sum sum = sum_of(input);

    sum.task.done = note_done;
    sum.task.operations = operations;
    return sum;
}

START_TEST(expensive_tasks_run_one_by_one_the_least_expensive_first)
{
    struct pool_block *block = pool_block_new();
    struct sum sums[] = {expensive(0, 3e9), expensive(1, 2e9), expensive(2, 1e9),
                         expensive(3, 1e9), expensive(4, 0)};
    const int expected[] = {2, 3,
                            1}; /* behind the two tasks that had a thread from the start */

    for (int i = 0; i < 5; i++)
        ck_assert(thread_pool_add(pool, &sums[i].task));
    pool_block_free(block);
    uv_run(&uv, UV_RUN_DEFAULT);
    ck_assert_int_eq(ordered, 5);
    ck_assert_int_eq(order[0] + order[1], 0 + 4);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(order[2 + i], expected[i]);
}
END_TEST

static void wait_for_post(struct thread_pool_task *task)
{
    struct sum *sum = (struct sum *)(void *)task;

    sem_wait(sum->held);
}

START_TEST(a_quick_task_overtakes_expensive_ones)
{
    struct sum slow[4] = {expensive(0, 1e9), expensive(1, 1e9), expensive(2, 1e9),
                          expensive(3, 1e9)};
    struct sum quick = expensive(4, 1e6);
    sem_t held;

    sem_init(&held, 0, 0);
    for (int i = 0; i < 4; i++) {
        slow[i].task.run = wait_for_post;
        slow[i].held = &held;
        ck_assert(thread_pool_add(pool, &slow[i].task));
    }
    ck_assert(thread_pool_add(pool, &quick.task));
    while (ordered == 0) /* libuv has four threads here: but one has an expensive task */
        uv_run(&uv, UV_RUN_ONCE);
    ck_assert_int_eq(order[0], 4);
    for (int i = 0; i < 4; i++)
        sem_post(&held);
    uv_run(&uv, UV_RUN_DEFAULT);
    ck_assert_int_eq(ordered, 5);
    sem_destroy(&held);
}
END_TEST

START_TEST(expensive_tasks_use_half_of_the_threads_at_most)
{
    struct pool_block *block = pool_block_new();
    struct sum sums[THREAD_POOL_MAX_EXPENSIVE + 1], quick = expensive(-1, 0);

    for (int i = 0; i <= THREAD_POOL_MAX_EXPENSIVE; i++) {
        sums[i] = expensive(i, 1e9);
        ck_assert_int_eq(thread_pool_add(pool, &sums[i].task), i < THREAD_POOL_MAX_EXPENSIVE);
    }
    ck_assert(thread_pool_add(pool, &quick.task));
    ck_assert(
        thread_pool_cancel(&sums[5].task)); /* the task waits, so `done` is called at once */
    ck_assert_int_eq(ordered, 1);
    ck_assert(order[0] == 5 && sums[5].task.cancelled && !thread_pool_begun(&sums[5].task));
    ck_assert(thread_pool_add(pool, &sums[THREAD_POOL_MAX_EXPENSIVE].task));
    pool_block_free(block);
    uv_run(&uv, UV_RUN_DEFAULT);
    ck_assert_int_eq(ordered, THREAD_POOL_MAX_EXPENSIVE + 2);
    ck_assert_uint_eq(thread_pool_pending(pool), 0);
    ck_assert(thread_pool_begun(&sums[0].task));
}
END_TEST

START_TEST(there_is_one_thread_more_than_expensive_tasks_may_have)
{
    ck_assert_uint_eq(thread_pool_expensive_max(4, 4) * 4 + 1, thread_pool_threads(4, 4));
    ck_assert_uint_eq(thread_pool_expensive_max(8, 4) * 4 + 1, thread_pool_threads(8, 4));
    ck_assert_uint_eq(thread_pool_expensive_max(1, 4) * 4 + 1, thread_pool_threads(1, 4));
    ck_assert_uint_lt(thread_pool_expensive_max(7, 4) * 4, thread_pool_threads(7, 4));
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_task_runs_on_another_thread_and_ends_on_the_loop),
    TEST(a_task_beyond_the_bound_is_refused),
    TEST(a_task_that_has_not_begun_can_be_cancelled),
    TEST(expensive_tasks_run_one_by_one_the_least_expensive_first),
    TEST(a_quick_task_overtakes_expensive_ones),
    TEST(expensive_tasks_use_half_of_the_threads_at_most),
    TEST(there_is_one_thread_more_than_expensive_tasks_may_have),
};

const struct suite thread_pool_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
