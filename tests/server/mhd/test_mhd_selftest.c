/* SPDX-License-Identifier: Apache-2.0
 * test_mhd_selftest.c - the request check works with the installed libmicrohttpd. */

#include "server/mhd/mhd_selftest.h"
#include "tests/support/suite.h"

START_TEST(every_case_passes_with_the_installed_library)
{
    char why[400];
    const char *wrong = mhd_selftest_run(why, sizeof why);

    ck_assert_msg(!wrong, "%s", wrong);
    ck_assert_uint_ge(mhd_selftest_count(), 12);
}
END_TEST

SUITE(mhd_selftest, TEST(every_case_passes_with_the_installed_library));
