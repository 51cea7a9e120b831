/* SPDX-License-Identifier: Apache-2.0
 * test_progress.c - the line of progress; tests/http/test_output.py sees it on a terminal. */
#include <stdlib.h>

#include "server/cli/progress.h"
#include "tests/support/suite.h"

static void expect(uint64_t done, uint64_t total, uint64_t elapsed_ms, const char *wanted)
{
    struct buffer line = {0};

    progress_write(&line, done, total, elapsed_ms);
    ck_assert_str_eq(line.bytes, wanted);
    ck_assert_uint_lt(line.len, 79);
    buffer_fini(&line);
}

START_TEST(a_share_has_a_bar_and_the_time_that_is_left)
{
    expect(1 << 20, 4 << 20, 2000,
           " 25 % [#######                       ] 1.0 MiB of 4.0 MiB, 6 s left");
    expect(4 << 20, 4 << 20, 2000,
           "100 % [##############################] 4.0 MiB of 4.0 MiB, 0 s left");
    expect(5, 4, 2000, "100 % [##############################] 5 B of 4 B, 0 s left");
    expect(1, UINT64_C(1) << 44, 0,
           "  0 % [                              ] 1 B of 16.0 TiB, 0 s left");
}
END_TEST

START_TEST(what_has_no_share_tells_its_bytes_and_time)
{
    expect(0, 1000, 1999, "computing, 1 s");
    expect(0, PROGRESS_UNKNOWN, 61000, "computing, 61 s");
    expect(1500, PROGRESS_UNKNOWN, 3000, "1.5 KiB, 3 s");
    expect(999, PROGRESS_UNKNOWN, 0, "999 B, 0 s");
    expect(7, 0, 0, "7 B, 0 s");
}
END_TEST

START_TEST(work_that_nobody_watches_is_not_counted)
{
    progress_set_total(NULL, 1);
    progress_add(NULL, 1);
    progress_end(NULL);
}
END_TEST

SUITE(progress, TEST(a_share_has_a_bar_and_the_time_that_is_left),
      TEST(what_has_no_share_tells_its_bytes_and_time),
      TEST(work_that_nobody_watches_is_not_counted));
