/* SPDX-License-Identifier: Apache-2.0
 * test_cgroup.c - which group binds, and how much of its memory is used, in folders of the
 * test. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "server/sys/cgroup.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct scratch *scratch;
static struct cgroup cgroup;

static void start(void)
{
    scratch = scratch_new();
}

static void stop(void)
{
    scratch_free(scratch);
}

/* Writes the groups that the process is in. */
static void find(const char *self)
{
    char path[SCRATCH_PATH];

    scratch_write(scratch, "self", self);
    snprintf(path, sizeof path, "%s", scratch_path(scratch, "self"));
    cgroup_find(&cgroup, scratch_path(scratch, "fs"), path);
}

static void expect_folder(const char *name)
{
    ck_assert_str_eq(cgroup.folder, scratch_path(scratch, name));
}

START_TEST(the_own_group_of_version_2_is_found)
{
    scratch_write(scratch, "fs/a/b/memory.max", "1000000\n");
    scratch_write(scratch, "fs/a/memory.max", "max\n");
    find("0::/a/b\n");
    ck_assert_uint_eq(cgroup.limit, 1000000);
    expect_folder("fs/a/b");
}
END_TEST

START_TEST(the_lowest_limit_of_the_groups_above_binds)
{
    scratch_write(scratch, "fs/a/b/c/memory.max", "3000000\n");
    scratch_write(scratch, "fs/a/b/memory.max", "1000000\n");
    scratch_write(scratch, "fs/a/memory.max", "2000000\n");
    find("0::/a/b/c\n");
    ck_assert_uint_eq(cgroup.limit, 1000000);
    expect_folder("fs/a/b");
}
END_TEST

START_TEST(in_a_container_the_group_is_the_root_that_is_mounted)
{
    static const char *const selves[] = {"0::/\n", "0::/../../x\n", "0::/gone/docker/1\n", "",
                                         "nonsense\n"};

    scratch_write(scratch, "fs/memory.max", "5000000\n");
    for (size_t i = 0; i < sizeof selves / sizeof *selves; i++) {
        find(selves[i]);
        ck_assert_uint_eq(cgroup.limit, 5000000);
    }
}
END_TEST

START_TEST(version_1_is_found_beside_an_idle_version_2)
{
    scratch_write(scratch, "fs/memory/docker/1/memory.limit_in_bytes", "7000000\n");
    scratch_write(scratch, "fs/memory/memory.limit_in_bytes", "9223372036854771712\n");
    find("9:name=systemd:/x\n4:cpu,memory:/docker/1\n0::/\n");
    ck_assert_uint_eq(cgroup.limit, 7000000);
    scratch_write(scratch, "fs/memory/docker/1/memory.usage_in_bytes", "6000000\n");
    scratch_write(scratch, "fs/memory/docker/1/memory.stat",
                  "cache 5\ninactive_file 9\ntotal_inactive_file 1000000\n"
                  "total_active_file 500000\n");
    ck_assert_uint_eq(cgroup_used(&cgroup), 4500000);
}
END_TEST

START_TEST(without_a_limit_the_limit_is_none)
{
    find("0::/\n");
    ck_assert_uint_eq(cgroup.limit, UINT64_MAX);
    ck_assert_uint_eq(cgroup_used(&cgroup), 0);
    scratch_write(scratch, "fs/memory.max", "max\n");
    find("0::/\n");
    ck_assert_uint_eq(cgroup.limit, UINT64_MAX);
    scratch_write(scratch, "fs/memory/memory.limit_in_bytes", "9223372036854771712\n");
    find("0::/\n");
    ck_assert_uint_eq(cgroup.limit, UINT64_MAX);
    cgroup_find(&cgroup, "/nowhere", "/nowhere");
    ck_assert_uint_eq(cgroup.limit, UINT64_MAX);
    cgroup_find(&cgroup, NULL, "/nowhere");
    ck_assert_uint_eq(cgroup.limit, UINT64_MAX);
}
END_TEST

START_TEST(memory_that_the_kernel_can_drop_does_not_count)
{
    scratch_write(scratch, "fs/memory.max", "5000000\n");
    find("0::/\n");
    ck_assert_uint_eq(cgroup_used(&cgroup), 0); /* unknown */
    scratch_write(scratch, "fs/memory.current", "4000000\n");
    ck_assert_uint_eq(cgroup_used(&cgroup), 4000000);
    scratch_write(scratch, "fs/memory.stat",
                  "anon 1\nfile 2000000\ninactive_file 1000000\nactive_file 200000\n"
                  "slab_reclaimable 30000\nslab_unreclaimable 7\nworkingset_activate_file 9\n");
    ck_assert_uint_eq(cgroup_used(&cgroup), 4000000 - 1230000);
    scratch_write(scratch, "fs/memory.current",
                  "1000000\n"); /* the files are not read at one moment */
    ck_assert_uint_eq(cgroup_used(&cgroup), 0);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(the_own_group_of_version_2_is_found),
    TEST(the_lowest_limit_of_the_groups_above_binds),
    TEST(in_a_container_the_group_is_the_root_that_is_mounted),
    TEST(version_1_is_found_beside_an_idle_version_2),
    TEST(without_a_limit_the_limit_is_none),
    TEST(memory_that_the_kernel_can_drop_does_not_count),
};

const struct suite cgroup_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
