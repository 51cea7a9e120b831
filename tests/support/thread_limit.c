/* SPDX-License-Identifier: Apache-2.0
 * thread_limit.c - the wrappers that --wrap=pthread_create and =pthread_join ask for. */
#include "tests/support/thread_limit.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_long left; /* threads that may still be started */
static atomic_bool limited;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *), void *argument);
int __real_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *), void *argument);
int __wrap_pthread_join(pthread_t thread, void **result);

void thread_limit_set(size_t threads)
{
    atomic_store(&left, (long)threads);
    atomic_store(&limited, true);
}

void thread_limit_lift(void)
{
    atomic_store(&limited, false);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *), void *argument)
{
    if (atomic_load(&limited) && atomic_fetch_sub(&left, 1) <= 0) {
        atomic_fetch_add(&left, 1);
        return EAGAIN;
    }
    return __real_pthread_create(thread, attributes, run, argument);
}

int __wrap_pthread_join(pthread_t thread, void **result)
{
    int error = __real_pthread_join(thread, result);

    atomic_fetch_add(&left, 1);
    return error;
}
