/* SPDX-License-Identifier: Apache-2.0
 * test_selftest.c - the gate and the libmicrohttpd that is installed agree. */

#include "server/http/selftest.h"
#include "tests/support/suite.h"

START_TEST(the_gate_holds_with_this_library)
{
    char why[400];
    const char *wrong = selftest_run(why, sizeof why);

    ck_assert_msg(!wrong, "%s", wrong);
    ck_assert_uint_ge(selftest_count(), 12);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(the_gate_holds_with_this_library),
};

const struct suite selftest_suite = {SUITE_TESTS(tests)};
