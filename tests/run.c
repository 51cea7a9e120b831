/* SPDX-License-Identifier: Apache-2.0
 * run.c - the runner of all suites; their list is made from the file names by the Makefile.
 * CK_RUN_SUITE=rope runs one suite, CK_FORK=no stays in one process (gdb, sanitizers).
 * TEST_JOBS=4 runs four suites at a time, each worker a process that takes the next suite when
 * it has finished one. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/alloc_fail.h"
#include "tests/support/stop_looks.h"
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

/* A test that fails leaves a stop set, or an allocation that shall fail: the next begins
 * without. */
static void clear(void)
{
    stop_looks_begin(0);
    (void)alloc_fail_stop();
}

static TCase *case_of(const char *name, const struct suite *suite)
{
    TCase *tcase = tcase_create(name);

    tcase_add_unchecked_fixture(tcase, suite->begin, suite->end);
    tcase_add_checked_fixture(tcase, clear, NULL);
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

enum { MOST_JOBS = 64, SUITE_COUNT = sizeof suites / sizeof suites[0] };

/* What the workers share. */
struct board {
    atomic_size_t next; /* the suite that the next free worker takes */
    atomic_int run, failed;
    size_t at[MOST_JOBS]; /* the suite that each worker runs */
};

static Suite *suite_of(size_t i)
{
    Suite *made = suite_create(suites[i].name);

    for (const struct suite *part = suites[i].suite; part; part = part->next)
        suite_add_tcase(made, case_of(suites[i].name, part));
    return made;
}

/* Runs suites, from `first` up to `end`. */
static void run_suites(struct board *board, size_t first, size_t end)
{
    SRunner *runner = srunner_create(NULL);

    for (size_t i = first; i < end; i++)
        srunner_add_suite(runner, suite_of(i));
    srunner_run_all(runner, CK_ENV);
    atomic_fetch_add(&board->failed, srunner_ntests_failed(runner));
    atomic_fetch_add(&board->run, srunner_ntests_run(runner));
    srunner_free(runner);
}

/* A worker dies with the runner: a time limit then leaves no process behind. */
static void work(struct board *board, size_t worker)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (size_t i; (i = atomic_fetch_add(&board->next, 1)) < SUITE_COUNT;) {
        board->at[worker] = i;
        run_suites(board, i, i + 1);
    }
    fflush(stdout);
    exit(EXIT_SUCCESS);
}

/* Wait for a worker; one that ends otherwise than well counts as a failed test. */
static void reap(struct board *board, size_t worker, pid_t pid)
{
    int status = 0;

    if (waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    printf("FAIL: the process of suite %s ended with %s %d\n", suites[board->at[worker]].name,
           WIFSIGNALED(status) ? "signal" : "status",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    atomic_fetch_add(&board->failed, 1);
    atomic_fetch_add(&board->run, 1);
}

static void run_workers(struct board *board, size_t jobs)
{
    pid_t pids[MOST_JOBS];

    fflush(stdout);
    for (size_t i = 0; i < jobs; i++) {
        pids[i] = fork();
        if (pids[i] == 0)
            work(board, i);
    }
    for (size_t i = 0; i < jobs; i++)
        reap(board, i, pids[i]);
}

int main(void)
{
    const char *text = getenv("TEST_JOBS");
    const size_t jobs = text ? strtoul(text, NULL, 10) : 1;
    struct board *board =
        mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    signal(SIGPIPE, SIG_IGN); /* services run in this process (service.h) */
    signal(SIGXFSZ, SIG_IGN);
    if (board == MAP_FAILED)
        return EXIT_FAILURE;
    if (jobs > 1 && !getenv("CK_RUN_SUITE"))
        run_workers(board, jobs < MOST_JOBS ? jobs : MOST_JOBS);
    else
        run_suites(board, 0, SUITE_COUNT);
    const int run = board->run, failed = board->failed;

    munmap(board, sizeof *board);
    printf("%d passed, %d failed\n", run - failed, failed);
    return failed == 0 && run > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
