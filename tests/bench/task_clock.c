/* SPDX-License-Identifier: Apache-2.0
 * task_clock.c - measures the tasks of a posencd that is linked with --wrap=thread_pool_add:
 * each task of the pool, whatever made it, says on stderr what it stated, the CPU time that it
 * took, and the time of an operation on the same thread. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/sys/thread_pool.h"
#include "tests/bench/operation_time.h"

enum { TASKS = 4096, STEPS = 1 << 17 };

/* Tasks that wait or run, and their own functions. */
static struct {
    const struct thread_pool_task *task;
    void (*run)(struct thread_pool_task *task);
} waiting[TASKS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool __real_thread_pool_add(struct thread_pool *pool, struct thread_pool_task *task);
bool __wrap_thread_pool_add(struct thread_pool *pool, struct thread_pool_task *task);

typedef void run_task(struct thread_pool_task *task);

/* Puts one task and its function in the place of another (NULL: of none yet), whose function it
 * returns. */
static run_task *exchange(const struct thread_pool_task *of, const struct thread_pool_task *by,
                          run_task *run)
{
    run_task *before = NULL;
    size_t i = 0;

    pthread_mutex_lock(&lock);
    while (i < TASKS && waiting[i].task != of)
        i++;
    if (i == TASKS)
        abort(); /* more tasks wait than the pool and the lane take */
    before = waiting[i].run;
    waiting[i].task = by;
    waiting[i].run = run;
    pthread_mutex_unlock(&lock);
    return before;
}

static void run_measured(struct thread_pool_task *task)
{
    run_task *run = exchange(task, NULL, NULL);
    const double said = task->operations, unit = operation_time_ns(STEPS),
                 start = thread_time_ns();

    run(task);
    fprintf(stderr, "task %.0f %.0f\n", said, (thread_time_ns() - start) / unit);
}

bool __wrap_thread_pool_add(struct thread_pool *pool, struct thread_pool_task *task)
{
    run_task *run = task->run;

    exchange(NULL, task, run);
    task->run = run_measured;
    if (__real_thread_pool_add(pool, task))
        return true;
    exchange(task, NULL, NULL);
    task->run = run;
    return false;
}
