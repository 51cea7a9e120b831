/* SPDX-License-Identifier: Apache-2.0
 * suite.h - a suite of tests as rows of a table. test_x.c exports `const struct suite x_suite`,
 * by SUITE where it has no fixture; the runner (tests/run.c) makes it a suite of check. */
#pragma once

#include <check.h>
#include <stddef.h>

/* A test, and the numbers from `first` to before `end` that it is run with as _i. */
struct suite_test {
    const TTest *const *test;
    int first, end;
    size_t (*count)(void); /* gives `end` at run time; NULL: the row does */
};

#define TEST(NAME)                                                                             \
    {                                                                                          \
        &(NAME), 0, 1, NULL                                                                    \
    }
/* Runs the test once for each element of an array. */
#define TEST_EACH(NAME, ARRAY)                                                                 \
    {                                                                                          \
        &(NAME), 0, (int)(sizeof(ARRAY) / sizeof((ARRAY)[0])), NULL                            \
    }
#define TEST_RANGE(NAME, FIRST, END)                                                           \
    {                                                                                          \
        &(NAME), (FIRST), (int)(END), NULL                                                     \
    }
/* Runs the test once for each number below the count that a function returns. */
#define TEST_COUNTED(NAME, COUNT)                                                              \
    {                                                                                          \
        &(NAME), 0, 0, (COUNT)                                                                 \
    }

/* The first fields of a suite, from an array of rows. */
#define SUITE_TESTS(ROWS) .tests = (ROWS), .test_count = sizeof(ROWS) / sizeof((ROWS)[0])

struct suite {
    const struct suite_test *tests;
    size_t test_count;
    SFun setup, teardown;     /* around each test; NULL: nothing */
    SFun begin, end;          /* once, around all the tests; NULL: nothing */
    double timeout;           /* seconds a test may take; 0: check's default */
    const struct suite *next; /* tests with another fixture; NULL: none */
};

/* Defines the suite of the file test_NAME.c: rows without fixtures. */
#define SUITE(NAME, ...)                                                                       \
    static const struct suite_test tests[] = {__VA_ARGS__};                                    \
    const struct suite NAME##_suite = {SUITE_TESTS(tests)}
