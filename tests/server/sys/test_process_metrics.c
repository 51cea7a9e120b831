/* SPDX-License-Identifier: Apache-2.0
 * test_process_metrics.c - the process_* metrics are those of this process. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "server/sys/process_metrics.h"
#include "tests/support/suite.h"

static double sample(const char *name)
{
    struct buffer page = {0};
    const char *at;
    double value;

    process_metrics_write(&page);
    at = strstr(page.bytes, name);
    ck_assert_msg(at != NULL, "no %s", name);
    value = strtod(at + strlen(name), NULL);
    buffer_fini(&page);
    return value;
}

START_TEST(memory_time_and_descriptors_are_plausible)
{
    double resident = sample("\nprocess_resident_memory_bytes ");
    double start = sample("\nprocess_start_time_seconds "), now = (double)time(NULL);
    double files = sample("\nprocess_open_fds ");
    int one = dup(0);

    ck_assert_double_gt(resident, 1e5);
    ck_assert_double_ge(sample("\nprocess_virtual_memory_bytes "), resident);
    ck_assert_double_le(start, now + 2);
    ck_assert_double_gt(start, now - 86400);
    ck_assert_double_ge(sample("\nprocess_cpu_seconds_total "), 0);
    ck_assert_double_gt(sample("\nprocess_max_fds "), files);
    ck_assert_double_eq(sample("\nprocess_open_fds "), files + 1);
    close(one);
}
END_TEST

SUITE(process_metrics, TEST(memory_time_and_descriptors_are_plausible));
