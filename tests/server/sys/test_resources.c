/* SPDX-License-Identifier: Apache-2.0
 * test_resources.c - cores, descriptors and threads that the machine allows. */
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "server/sys/resources.h"
#include "tests/support/suite.h"
#include "tests/support/thread_limit.h"

START_TEST(cores_are_at_least_one_and_follow_the_affinity)
{
    cpu_set_t before, one;
    uint64_t all = resources_cores();

    ck_assert_uint_ge(all, 1);
    sched_getaffinity(0, sizeof before, &before);
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &before))
            CPU_SET(i, &one);
    sched_setaffinity(0, sizeof one, &one);
    ck_assert_uint_eq(resources_cores(), 1);
    sched_setaffinity(0, sizeof before, &before);
    ck_assert_uint_eq(resources_cores(), all);
}
END_TEST

/* Memory that is there without an access, of which a sanitizer would keep a record. */
static void *populated(int kind, size_t bytes)
{
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

    ck_assert(memory != MAP_FAILED);
    return memory;
}

START_TEST(resident_memory_is_that_of_the_process_alone)
{
    enum { BYTES = 64 << 20 };
    const uint64_t before = resources_resident();
    void *shared = populated(MAP_SHARED, BYTES), *own;

    ck_assert_uint_lt(resources_resident(), before + BYTES / 2);
    own = populated(MAP_PRIVATE, BYTES);
    ck_assert_uint_gt(resources_resident(), before + BYTES / 2);
    munmap(shared, BYTES);
    munmap(own, BYTES);
}
END_TEST

START_TEST(the_limit_of_descriptors_is_raised_only_as_far_as_wanted)
{
    struct rlimit before, limit;

    getrlimit(RLIMIT_NOFILE, &before);
    limit = before;
    limit.rlim_cur = 100;
    setrlimit(RLIMIT_NOFILE, &limit);
    ck_assert_uint_eq(resources_open_files(50), 100);
    ck_assert_uint_eq(resources_open_files(150), 150);
    ck_assert_uint_eq(resources_open_files(UINT64_MAX), before.rlim_max);
    setrlimit(RLIMIT_NOFILE, &before);
}
END_TEST

START_TEST(threads_are_counted_up_to_what_is_wanted_and_what_is_allowed)
{
    ck_assert_uint_eq(resources_threads(0), 0);
    ck_assert_uint_eq(resources_threads(7), 7);
    for (size_t allowed = 0; allowed < 4; allowed++) {
        thread_limit_set(allowed);
        ck_assert_uint_eq(resources_threads(7), allowed);
        ck_assert_uint_eq(resources_threads(7),
                          allowed); /* the threads of the first call have ended */
        ck_assert_uint_eq(resources_threads(allowed), allowed);
    }
    thread_limit_lift();
}
END_TEST

SUITE(resources, TEST(cores_are_at_least_one_and_follow_the_affinity),
      TEST(resident_memory_is_that_of_the_process_alone),
      TEST(the_limit_of_descriptors_is_raised_only_as_far_as_wanted),
      TEST(threads_are_counted_up_to_what_is_wanted_and_what_is_allowed));
