/* SPDX-License-Identifier: Apache-2.0
 * resources.c - see resources.h. Processor time is limited by cgroup v2, else v1, else not at
 * all. */
#include "server/sys/resources.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads one or two numbers of a file, "max" as UINT64_MAX; returns how many fields it had. */
static int read_numbers(const char *path, uint64_t numbers[2])
{
    FILE *file = fopen(path, "re");
    char word[2][32];
    int count;

    if (!file)
        return 0;
    count = fscanf(file, "%31s %31s", word[0], word[1]);
    fclose(file);
    for (int i = 0; i < count; i++) {
        char *end;

        numbers[i] = strtoull(word[i], &end, 10);
        if (*end || word[i][0] == '-')
            numbers[i] = UINT64_MAX;
    }
    return count > 0 ? count : 0;
}

uint64_t resources_cores(void)
{
    uint64_t cpu[2] = {UINT64_MAX, 1}, period[2] = {0}, cores = 1;
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) == 0)
        cores = (uint64_t)CPU_COUNT(&set);
    if (read_numbers("/sys/fs/cgroup/cpu.max", cpu) != 2 &&
        read_numbers("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", cpu) == 1 &&
        read_numbers("/sys/fs/cgroup/cpu/cpu.cfs_period_us", period) == 1)
        cpu[1] = period[0];
    if (cpu[0] != UINT64_MAX && cpu[1] != 0) {
        uint64_t quota = cpu[0] / cpu[1] + (cpu[0] % cpu[1] != 0);

        if (quota < cores)
            cores = quota;
    }
    return cores ? cores : 1;
}

uint64_t resources_resident(void)
{
    FILE *file = fopen("/proc/self/status", "re");
    uint64_t kibibytes = 0, part;
    char line[128];

    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "RssAnon: %" SCNu64, &part) == 1 ||
            sscanf(line, "RssFile: %" SCNu64, &part) == 1)
            kibibytes += part;
    if (file)
        fclose(file);
    return kibibytes << 10;
}

const char resources_no_thread[] = "no more threads may be started: raise RLIMIT_NPROC or the "
                                   "cgroup's pids.max, or give fewer --threads and --workers";

/* A thread that waits until all threads are started. */
static void *pass(void *start)
{
    pthread_mutex_lock(start);
    pthread_mutex_unlock(start);
    return NULL;
}

/* The number of threads of this process; 0: unknown. */
static uint64_t threads_now(void)
{
    struct stat tasks;

    return stat("/proc/self/task", &tasks) == 0 ? (uint64_t)tasks.st_nlink : 0;
}

/* The kernel counts a thread against the limits for some time after it was joined. */
static void await_threads(uint64_t most)
{
    for (int patience = 1000000; threads_now() > most && patience > 0; patience--)
        sched_yield();
}

uint64_t resources_threads(uint64_t wanted)
{
    pthread_mutex_t start = PTHREAD_MUTEX_INITIALIZER;
    pthread_t threads[RESOURCES_THREADS_MAX];
    uint64_t most = wanted < RESOURCES_THREADS_MAX ? wanted : RESOURCES_THREADS_MAX, count = 0;
    uint64_t before = threads_now();

    pthread_mutex_lock(&start);
    while (count < most && pthread_create(&threads[count], NULL, pass, &start) == 0)
        count++;
    pthread_mutex_unlock(&start);
    for (uint64_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    await_threads(before);
    pthread_mutex_destroy(&start);
    return count;
}

uint64_t resources_open_files(uint64_t wanted)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 256;
    if (limit.rlim_cur < wanted) {
        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0 && getrlimit(RLIMIT_NOFILE, &limit) != 0)
            return 256;
    }
    return limit.rlim_cur;
}
