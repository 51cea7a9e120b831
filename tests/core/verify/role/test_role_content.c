/* SPDX-License-Identifier: Apache-2.0
 * test_role_content.c - cosines and sines are known by their numbers, in every form in which
 * programs keep them, and masks by theirs. */
#include <math.h>
#include <stdlib.h>

#include "core/verify/role/role_content.h"
#include "tests/support/suite.h"

enum { ROWS = 4, PAIRS = 6, SIZE = ROWS * PAIRS * 2 };

static double angle(size_t row, size_t pair)
{
    return (double)row * pow(10000, -(double)pair / PAIRS);
}

/* Where a form has the cosine or sine of a row and a pair. */
static size_t place(enum pe_verify_form form, size_t row, size_t pair, size_t sin)
{
    const size_t first = form == PE_FORM_SIDE_SIN || form == PE_FORM_ABOVE_SIN ? 1 - sin : sin;

    return form == PE_FORM_PARTS || form == PE_FORM_WOVEN ? (row * PAIRS + pair) * 2 + sin
           : form == PE_FORM_STACK || form == PE_FORM_ABOVE || form == PE_FORM_ABOVE_SIN
               ? (first * ROWS + row) * PAIRS + pair
               : (row * 2 + first) * PAIRS + pair;
}

static const struct {
    enum pe_verify_form form;
    size_t rank;
    uint64_t dims[3];
} forms[] = {
    {PE_FORM_PARTS, 3, {ROWS, PAIRS, 2}},      {PE_FORM_PAIR, 3, {ROWS, 2, PAIRS}},
    {PE_FORM_STACK, 3, {2, ROWS, PAIRS}},      {PE_FORM_SIDE, 2, {ROWS, 2 * PAIRS}},
    {PE_FORM_SIDE_SIN, 2, {ROWS, 2 * PAIRS}},  {PE_FORM_ABOVE, 2, {2 * ROWS, PAIRS}},
    {PE_FORM_ABOVE_SIN, 2, {2 * ROWS, PAIRS}}, {PE_FORM_WOVEN, 2, {ROWS, 2 * PAIRS}},
};

static struct pe_verify_tensor tensor_of(const double *data, size_t rank, const uint64_t *dims)
{
    struct pe_verify_tensor tensor = {.name = "",
                                      .info = {.dtype = PE_F64, .rank = rank},
                                      .data = data};

    for (size_t i = 0; i < rank; i++)
        tensor.info.dims[i] = dims[i];
    return tensor;
}

START_TEST(cosines_and_sines_in_one_tensor_have_a_form)
{
    double data[SIZE];
    const struct pe_verify_tensor tensor = tensor_of(data, forms[_i].rank, forms[_i].dims);

    for (size_t row = 0; row < ROWS; row++)
        for (size_t pair = 0; pair < PAIRS; pair++) {
            data[place(forms[_i].form, row, pair, 0)] = 1.2 * cos(angle(row, pair));
            data[place(forms[_i].form, row, pair, 1)] = 1.2 * sin(angle(row, pair));
        }
    ck_assert_int_eq(role_content_form(&tensor), forms[_i].form);
    for (size_t i = 0; i < SIZE; i += 3)
        data[i] += 2;
    ck_assert_int_eq(role_content_form(&tensor), PE_FORM_WHOLE);
}
END_TEST

START_TEST(sines_before_their_cosines_in_a_row_are_a_sinusoidal_table)
{
    const uint64_t dims[] = {ROWS, 2 * PAIRS};
    double data[SIZE];
    const struct pe_verify_tensor tensor = tensor_of(data, 2, dims);

    for (size_t row = 0; row < ROWS; row++)
        for (size_t pair = 0; pair < PAIRS; pair++) {
            data[place(PE_FORM_WOVEN, row, pair, 0)] = sin(angle(row, pair));
            data[place(PE_FORM_WOVEN, row, pair, 1)] = cos(angle(row, pair));
        }
    ck_assert_int_eq(role_content_form(&tensor), PE_FORM_WHOLE);
}
END_TEST

START_TEST(cosines_alone_are_no_form_and_no_sines)
{
    const uint64_t dims[] = {ROWS, 2 * PAIRS};
    double cosines[SIZE], sines[SIZE];
    const struct pe_verify_tensor first = tensor_of(cosines, 2, dims),
                                  second = tensor_of(sines, 2, dims);
    bool sine_first;

    for (size_t i = 0; i < SIZE; i++) {
        cosines[i] = cos(angle(i / (2 * PAIRS), i % PAIRS));
        sines[i] = sin(angle(i / (2 * PAIRS), i % PAIRS));
    }
    ck_assert_int_eq(role_content_form(&first), PE_FORM_WHOLE);
    ck_assert(!role_content_is_sine(&first));
    ck_assert(role_content_is_sine(&second));
    ck_assert(role_content_pair(&first, &second, &sine_first));
    ck_assert(!sine_first);
    ck_assert(role_content_pair(&second, &first, &sine_first));
    ck_assert(sine_first);
    ck_assert(!role_content_pair(&first, &first, &sine_first));
    sines[7] = NAN;
    ck_assert(!role_content_pair(&first, &second, &sine_first));
}
END_TEST

START_TEST(a_mask_is_of_truth_values_or_hides_keys_by_a_number)
{
    const uint64_t dims[] = {2, 2};
    double mask[] = {1, 0, 1, 1};
    const struct pe_verify_tensor tensor = tensor_of(mask, 2, dims);

    ck_assert(role_content_is_truth(&tensor));
    ck_assert_double_eq(role_content_hidden(&tensor), 0);
    mask[1] = -1e9;
    ck_assert(!role_content_is_truth(&tensor));
    ck_assert_double_eq(role_content_hidden(&tensor), -1e9);
    mask[1] = -INFINITY;
    ck_assert_double_eq(role_content_hidden(&tensor), -INFINITY);
    mask[1] = -3;
    ck_assert_double_eq(role_content_hidden(&tensor), 0);
}
END_TEST

enum { LARGE = 1024, COLS = 64 };

static double *make_large(struct pe_verify_tensor *tensor)
{
    double *data = calloc(LARGE * COLS, sizeof *data);

    ck_assert_ptr_nonnull(data);
    *tensor = tensor_of(data, 2, (const uint64_t[]){LARGE, COLS});
    return data;
}

START_TEST(sines_are_first_in_a_table_whose_slow_columns_turn_too)
{
    struct pe_verify_tensor tensor;
    double *data = make_large(&tensor);

    for (size_t i = 0; i < LARGE * COLS; i++) {
        const size_t half = COLS / 2, col = i % COLS;
        const double turned =
            (double)(i / COLS) * pow(10000, -(double)(col % half) / (double)half);

        data[i] = col < half ? sin(turned) : cos(turned);
    }
    ck_assert_int_eq(role_content_form(&tensor), PE_FORM_SIDE_SIN);
    free(data);
}
END_TEST

START_TEST(one_number_in_a_large_mask_tells_that_it_is_added)
{
    struct pe_verify_tensor tensor;
    double *data = make_large(&tensor);

    data[LARGE * COLS / 2 + 7] = -INFINITY;
    ck_assert(!role_content_is_truth(&tensor));
    ck_assert_double_eq(role_content_hidden(&tensor), -INFINITY);
    free(data);
}
END_TEST

START_TEST(a_large_table_with_one_column_of_rotations_is_no_form)
{
    struct pe_verify_tensor tensor;
    double *data = make_large(&tensor);

    for (size_t i = 0; i < LARGE * COLS; i++)
        data[i] = i % COLS == 0 ? cos((double)i) : 3;
    for (size_t row = 0; row < LARGE; row++)
        data[row * COLS + COLS / 2] = sin((double)(row * COLS));
    ck_assert_int_eq(role_content_form(&tensor), PE_FORM_WHOLE);
    free(data);
}
END_TEST

SUITE(role_content, TEST_EACH(cosines_and_sines_in_one_tensor_have_a_form, forms),
      TEST(sines_before_their_cosines_in_a_row_are_a_sinusoidal_table),
      TEST(cosines_alone_are_no_form_and_no_sines),
      TEST(a_mask_is_of_truth_values_or_hides_keys_by_a_number),
      TEST(sines_are_first_in_a_table_whose_slow_columns_turn_too),
      TEST(one_number_in_a_large_mask_tells_that_it_is_added),
      TEST(a_large_table_with_one_column_of_rotations_is_no_form));
