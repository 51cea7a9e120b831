/* SPDX-License-Identifier: Apache-2.0
 * test_number_array.c - tests shapes of nested arrays, and the limits of the store. */
#include <stdlib.h>

#include "proto/text/number_array.h"
#include "tests/support/suite.h"

/* Reads "[[0,0],[0,0]]", brackets and one-digit numbers; returns the first fault, or NULL. */
static const char *read_shape(struct number_array *array, const char *text)
{
    struct number_store store = {.max_count = 1000};
    const char *fault = NULL;

    number_array_begin(array, &store);
    for (const char *at = text; *at != '\0' && !fault; at++) {
        if (*at == '[') {
            fault = number_array_open(array);
        } else if (*at == ']') {
            fault = number_array_close(array);
        } else if (*at != ',' && !(fault = number_array_expect(array))) {
            size_t space = 1;

            *number_array_reserve(&store, &space) = 0;
            number_array_advance(array, &store, 1);
        }
    }
    free(store.values);
    return fault;
}

START_TEST(shapes_are_counted)
{
    static const struct {
        const char *text;
        size_t rank;
        uint64_t dims[3];
    } cases[] = {
        {"[]", 1, {0}},         {"[1]", 1, {1}},
        {"[1,2,3]", 1, {3}},    {"[[1,2,3],[1,2,3]]", 2, {2, 3}},
        {"[[1]]", 2, {1, 1}},   {"[[]]", 2, {1, 0}},
        {"[[],[]]", 2, {2, 0}}, {"[[[1,2]],[[1,2]],[[1,2]]]", 3, {3, 1, 2}},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct number_array array;

        ck_assert_ptr_null(read_shape(&array, cases[i].text));
        ck_assert_uint_eq(array.level, 0);
        ck_assert_uint_eq(array.rank, cases[i].rank);
        for (size_t axis = 0; axis < array.rank; axis++)
            ck_assert_uint_eq(array.dims[axis], cases[i].dims[axis]);
    }
}
END_TEST

START_TEST(ragged_arrays_are_refused)
{
    static const struct {
        const char *text, *fault;
    } cases[] = {
        {"[[1,2],[1]]", "this row is shorter than the rows before it"},
        {"[[1],[1,2]]", "this row is longer than the rows before it"},
        {"[[],[1]]", "this row is longer than the rows before it"},
        {"[[[1]],[]]", "this row is shorter than the rows before it"},
        {"[[[1],[1]],[[1]]]", "this row is shorter than the rows before it"},
        {"[1,[2]]", "an array stands where the rows before have a number"},
        {"[[],[[]]]", "an array stands where the rows before have a number"},
        {"[[1],2]", "a number stands where the rows before have an array"},
        {"[[],1]", "a number stands where the rows before have an array"},
        {"[[[[[[[1]]]]]]]", "arrays of numbers nest at most 6 deep"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct number_array array;
        const char *fault = read_shape(&array, cases[i].text);

        ck_assert_msg(fault != NULL, "%s", cases[i].text);
        ck_assert_str_eq(fault, cases[i].fault);
    }
}
END_TEST

START_TEST(six_axes_are_allowed)
{
    struct number_array array;

    ck_assert_ptr_null(read_shape(&array, "[[[[[[1,2]]]]]]"));
    ck_assert_uint_eq(array.rank, 6);
    ck_assert_uint_eq(array.dims[5], 2);
}
END_TEST

START_TEST(the_store_grants_no_more_than_its_limit)
{
    struct number_store store = {.max_count = 300};
    struct number_array array;

    number_array_begin(&array, &store);
    ck_assert_ptr_null(number_array_open(&array));
    size_t space = 250;
    ck_assert_ptr_nonnull(number_array_reserve(&store, &space));
    ck_assert_uint_eq(space, 250);
    number_array_advance(&array, &store, 250);
    space = 100;
    ck_assert_ptr_nonnull(number_array_reserve(&store, &space));
    ck_assert_uint_eq(space, 50);
    number_array_advance(&array, &store, 50);
    space = 1;
    ck_assert_ptr_nonnull(number_array_reserve(&store, &space));
    ck_assert_uint_eq(space, 0);
    ck_assert_uint_eq(number_array_count(&array, &store), 300);
    free(store.values);
}
END_TEST

START_TEST(a_store_without_memory_says_so)
{
    struct number_store store = {.max_count = SIZE_MAX / 64};
    size_t space = SIZE_MAX / 64; /* more than any machine maps */

    ck_assert_ptr_null(number_array_reserve(&store, &space));
    ck_assert(store.failed);
    free(store.values);
}
END_TEST

SUITE(number_array, TEST(shapes_are_counted), TEST(ragged_arrays_are_refused),
      TEST(six_axes_are_allowed), TEST(the_store_grants_no_more_than_its_limit),
      TEST(a_store_without_memory_says_so));
