/* SPDX-License-Identifier: Apache-2.0
 * run.c - the runner of all suites; their list is made from the file names by the Makefile.
 * CK_RUN_SUITE=rope runs one suite, CK_FORK=no stays in one process (gdb, sanitizers). */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef SUITES_FILE
#define SUITES_FILE "suites.def"
#endif

#define SUITE(NAME) Suite *NAME##_suite(void);
#include SUITES_FILE
#undef SUITE

static Suite *(*const suites[])(void) = {
#define SUITE(NAME) NAME##_suite,
#include SUITES_FILE
#undef SUITE
    NULL,
};

int main(void)
{
    SRunner *runner = srunner_create(NULL);
    for (size_t i = 0; suites[i] != NULL; i++)
        srunner_add_suite(runner, suites[i]());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    int run = srunner_ntests_run(runner);
    srunner_free(runner);
    printf("%d passed, %d failed\n", run - failed, failed);
    return failed == 0 && run > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
