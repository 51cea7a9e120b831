/* SPDX-License-Identifier: Apache-2.0
 * resources.h - what the machine, or the container around us, lets us use. */
#ifndef SERVER_RESOURCES_H
#define SERVER_RESOURCES_H

#include <stdint.h>

/* Cores we may run on: affinity and cgroup quota (rounded up) respected; at least 1. */
uint64_t resources_cores(void);
/* Bytes of this process that are in memory; 0: unknown. */
uint64_t resources_resident(void);
/* How many more threads can run now, up to `wanted` and RESOURCES_THREADS_MAX. That many are
 * started, and have ended when it returns: no file says what RLIMIT_NPROC, the pids.max of
 * every cgroup above and the room for stacks leave together. */
enum { RESOURCES_THREADS_MAX = 1024 };
uint64_t resources_threads(uint64_t wanted);
/* What to do where a thread cannot be started. */
extern const char resources_no_thread[];
/* RLIMIT_NOFILE after raising the soft limit towards `wanted`. */
uint64_t resources_open_files(uint64_t wanted);

#endif
