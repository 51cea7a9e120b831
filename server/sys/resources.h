/* SPDX-License-Identifier: Apache-2.0
 * resources.h - the cores, memory, threads and descriptors that the process may use. */
#pragma once

#include <stdint.h>

/* Cores that the process may use, by its affinity and the cgroup's quota (rounded up); at least
 * 1. */
uint64_t resources_cores(void);
/* Resident bytes of this process without shared memory; 0: unknown. */
uint64_t resources_resident(void);
/* How many more threads can run now, up to `wanted` and RESOURCES_THREADS_MAX. The function
 * starts that many, which have ended when it returns: no file shows what RLIMIT_NPROC, the
 * pids.max of every cgroup above and the memory for stacks leave together. */
enum { RESOURCES_THREADS_MAX = 1024 };
uint64_t resources_threads(uint64_t wanted);
/* A sentence that tells the operator what to do when a thread cannot be started. */
extern const char resources_no_thread[];
/* Raises the soft limit RLIMIT_NOFILE towards `wanted` and returns it. */
uint64_t resources_open_files(uint64_t wanted);
