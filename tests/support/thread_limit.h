/* SPDX-License-Identifier: Apache-2.0
 * thread_limit.h - lets pthread_create of our own objects fail, as where a cgroup or a limit of
 * the user allows no more threads; libraries start theirs all the same. */
#pragma once

#include <stddef.h>

/* From now on at most this many threads may be running, whichever thread starts them. */
void thread_limit_set(size_t threads);
void thread_limit_lift(void);
