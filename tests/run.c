/* SPDX-License-Identifier: Apache-2.0
 * run.c - the runner of all suites; their list is made from the file names by the Makefile.
 * CK_RUN_SUITE=rope runs one suite, CK_FORK=no stays in one process (gdb, sanitizers). */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/suite.h"

#ifndef SUITES_FILE
#define SUITES_FILE "suites.def"
#endif

#define SUITE_NAME(NAME) extern const struct suite NAME##_suite;
#include SUITES_FILE
#undef SUITE_NAME

static const struct {
    const char *name;
    const struct suite *suite;
} suites[] = {
#define SUITE_NAME(NAME) {#NAME, &NAME##_suite},
#include SUITES_FILE
#undef SUITE_NAME
};

static TCase *case_of(const char *name, const struct suite *suite)
{
    TCase *tcase = tcase_create(name);

    tcase_add_unchecked_fixture(tcase, suite->begin, suite->end);
    tcase_add_checked_fixture(tcase, suite->setup, suite->teardown);
    if (suite->timeout > 0)
        tcase_set_timeout(tcase, suite->timeout);
    for (size_t i = 0; i < suite->test_count; i++) {
        const struct suite_test *row = &suite->tests[i];

        tcase_add_loop_test(tcase, *row->test, row->first,
                            row->count ? (int)row->count() : row->end);
    }
    return tcase;
}

int main(void)
{
    SRunner *runner = srunner_create(NULL);
    int failed, run;

    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++) {
        Suite *made = suite_create(suites[i].name);

        for (const struct suite *part = suites[i].suite; part; part = part->next)
            suite_add_tcase(made, case_of(suites[i].name, part));
        srunner_add_suite(runner, made);
    }
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    run = srunner_ntests_run(runner);
    srunner_free(runner);
    printf("%d passed, %d failed\n", run - failed, failed);
    return failed == 0 && run > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
