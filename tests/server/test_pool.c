/* SPDX-License-Identifier: Apache-2.0
 * test_pool.c - work leaves the loop's thread, comes back to it, and is bounded. */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>

#include "server/pool.h"
#include "tests/support/pool_block.h"

Suite *pool_suite(void);

struct sum {
    struct pool_task task; /* first */
    pthread_t home;
    int input, output, calls;
    bool elsewhere;
};

static void on_run(struct pool_task *task)
{
    struct sum *sum = (struct sum *)(void *)task;

    sum->output = sum->input * 2;
    sum->elsewhere = !pthread_equal(pthread_self(), sum->home);
}

static void on_done(struct pool_task *task)
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

START_TEST(work_is_done_elsewhere_and_comes_back)
{
    struct sum sums[POOL_MAX_QUEUED];
    struct pool *pool;
    uv_loop_t uv;

    ck_assert_int_eq(uv_loop_init(&uv), 0);
    pool = pool_new(&uv);
    for (int i = 0; i < POOL_MAX_QUEUED; i++) {
        sums[i] = sum_of(i);
        ck_assert(pool_add(pool, &sums[i].task));
    }
    ck_assert_uint_eq(pool_pending(pool), POOL_MAX_QUEUED);
    uv_run(&uv, UV_RUN_DEFAULT);
    ck_assert_uint_eq(pool_pending(pool), 0);
    for (int i = 0; i < POOL_MAX_QUEUED; i++) {
        ck_assert_int_eq(sums[i].output, 2 * i);
        ck_assert_int_eq(sums[i].calls, 1);
        ck_assert(sums[i].elsewhere);
    }
    pool_free(pool);
    ck_assert_int_eq(uv_loop_close(&uv), 0);
}
END_TEST

START_TEST(too_much_is_refused_not_queued)
{
    struct sum sums[POOL_MAX_QUEUED + 1];
    struct pool *pool;
    uv_loop_t uv;

    ck_assert_int_eq(uv_loop_init(&uv), 0);
    pool = pool_new(&uv);
    for (int i = 0; i <= POOL_MAX_QUEUED; i++) {
        sums[i] = sum_of(i);
        ck_assert_int_eq(pool_add(pool, &sums[i].task), i < POOL_MAX_QUEUED);
    }
    uv_run(&uv, UV_RUN_DEFAULT);
    ck_assert_int_eq(sums[POOL_MAX_QUEUED].calls, 0);
    ck_assert(pool_add(pool, &sums[POOL_MAX_QUEUED].task));
    uv_run(&uv, UV_RUN_DEFAULT);
    ck_assert_int_eq(sums[POOL_MAX_QUEUED].calls, 1);
    pool_free(pool);
    ck_assert_int_eq(uv_loop_close(&uv), 0);
}
END_TEST

START_TEST(what_has_not_begun_can_be_cancelled)
{
    struct pool_block *block = pool_block_new();
    struct sum sum = sum_of(1);
    struct pool *pool;
    uv_loop_t uv;

    ck_assert_int_eq(uv_loop_init(&uv), 0);
    pool = pool_new(&uv);
    ck_assert(pool_add(pool, &sum.task));
    ck_assert(pool_cancel(&sum.task));
    pool_block_free(block);
    uv_run(&uv, UV_RUN_DEFAULT);
    ck_assert_int_eq(sum.calls, 1);
    ck_assert(sum.task.cancelled && sum.output == 0);
    ck_assert_uint_eq(pool_pending(pool), 0);
    pool_free(pool);
    ck_assert_int_eq(uv_loop_close(&uv), 0);
}
END_TEST

Suite *pool_suite(void)
{
    Suite *suite = suite_create("pool");
    TCase *tcase = tcase_create("pool");

    tcase_add_test(tcase, work_is_done_elsewhere_and_comes_back);
    tcase_add_test(tcase, too_much_is_refused_not_queued);
    tcase_add_test(tcase, what_has_not_begun_can_be_cancelled);
    suite_add_tcase(suite, tcase);
    return suite;
}
