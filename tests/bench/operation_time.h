/* SPDX-License-Identifier: Apache-2.0
 * operation_time.h - the unit in which core states costs, measured on the thread that asks. */
#pragma once

double thread_time_ns(void); /* CPU time of the calling thread */
/* Measures the time of an operation by `steps` multiplications and additions that depend on
 * each other, each of which is two: the least of some tries. */
double operation_time_ns(int steps);
