/* SPDX-License-Identifier: Apache-2.0
 * machine.h - what the machine, or the container around us, lets us use. */
#ifndef SERVER_MACHINE_H
#define SERVER_MACHINE_H

#include <stdint.h>

/* Cores we may run on: affinity and cgroup quota (rounded up) respected; at least 1. */
uint64_t machine_cores(void);
/* Bytes of this process that are in memory; 0: unknown. */
uint64_t machine_resident(void);
/* How many more threads can run now, up to `wanted` and MACHINE_THREADS_MAX. That many are
 * started, and have ended when it returns: no file says what RLIMIT_NPROC, the pids.max of
 * every cgroup above and the room for stacks leave together. */
enum { MACHINE_THREADS_MAX = 1024 };
uint64_t machine_threads(uint64_t wanted);
/* What to do where a thread cannot be started. */
extern const char machine_no_thread[];
/* RLIMIT_NOFILE after raising the soft limit towards `wanted`. */
uint64_t machine_open_files(uint64_t wanted);

#endif
