/* SPDX-License-Identifier: Apache-2.0
 * operation_time.c - see operation_time.h. */
#include "tests/bench/operation_time.h"

#include <math.h>
#include <time.h>

enum { TRIES = 5 };
static const double steps_an_operation = 0.5;

double thread_time_ns(void)
{
    struct timespec at;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

double operation_time_ns(int steps)
{
    double best = INFINITY;

    for (int try = 0; try < TRIES; try++) {
        volatile double factor = 0.999999, result;
        double x = 1, f = factor, start = thread_time_ns();

        for (int i = 0; i < steps; i++)
            x = x * f + 1e-9;
        result = x;
        (void)result; /* keeps the compiler from removing the loop */
        best = fmin(best, (thread_time_ns() - start) / steps);
    }
    return best * steps_an_operation;
}
