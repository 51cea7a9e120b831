/* SPDX-License-Identifier: Apache-2.0
 * test_selftest.c - the gate and the libmicrohttpd that is installed agree. */
#include <check.h>

#include "server/http/selftest.h"

Suite *selftest_suite(void);

START_TEST(the_gate_holds_with_this_library)
{
    char why[400];
    const char *wrong = selftest_run(why, sizeof why);

    ck_assert_msg(!wrong, "%s", wrong);
    ck_assert_uint_ge(selftest_count(), 12);
}
END_TEST

Suite *selftest_suite(void)
{
    Suite *suite = suite_create("selftest");
    TCase *tcase = tcase_create("selftest");

    tcase_add_test(tcase, the_gate_holds_with_this_library);
    suite_add_tcase(suite, tcase);
    return suite;
}
