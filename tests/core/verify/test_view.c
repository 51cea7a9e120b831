/* SPDX-License-Identifier: Apache-2.0
 * test_view.c - tensors seen in the shape of an output: what fits, what is refused, and which
 * elements are read. */
#include "core/verify/view_fit.h"

#include <string.h>

#include "core/encoding.h"
#include "tests/support/suite.h"

enum { ELEMENTS = 24 };

/* Numbers 0, 1, 2, ...; `repeat` of them again and again where it is not 0. */
static struct pe_verify_tensor numbers(double data[ELEMENTS], size_t rank, const uint64_t *dims,
                                       size_t repeat)
{
    struct pe_verify_tensor tensor = {.name = "", .info = {.dtype = PE_F64, .rank = rank}};

    for (size_t i = 0; i < ELEMENTS; i++)
        data[i] = (double)(repeat > 0 ? i % repeat : i);
    for (size_t i = 0; i < rank; i++)
        tensor.info.dims[i] = dims[i];
    tensor.data = data;
    return tensor;
}

static const struct {
    size_t rank;
    uint64_t dims[4];
    size_t repeat, to_rank;
    uint64_t to[4];
    const char *fits; /* NULL: it does not fit */
    double first[4];  /* of the last row */
} shapes[] = {
    {2, {6, 4}, 0, 2, {6, 4}, "", {20, 21, 22, 23}},
    {3, {1, 6, 4}, 0, 2, {6, 4}, "axes of 1", {20, 21, 22, 23}},
    {3, {6, 1, 4}, 0, 2, {6, 4}, "axes of 1", {20, 21, 22, 23}},
    {2, {6, 4}, 0, 3, {6, 1, 4}, "axes of 1", {20, 21, 22, 23}},
    {1, {24}, 0, 2, {6, 4}, "flattened", {20, 21, 22, 23}},
    {3, {2, 3, 4}, 12, 2, {3, 4}, "equal batches", {8, 9, 10, 11}},
    {3, {2, 3, 4}, 0, 2, {3, 4}, NULL, {0}},
    {3, {3, 2, 4}, 4, 2, {3, 4}, "equal batches", {0, 1, 2, 3}},
    {2, {1, 4}, 0, 2, {6, 4}, "one row for many", {0, 1, 2, 3}},
    {2, {6, 4}, 4, 2, {1, 4}, "equal rows", {0, 1, 2, 3}},
    {2, {6, 4}, 0, 2, {1, 4}, NULL, {0}},
    {2, {6, 4}, 1, 2, {6, 1}, NULL, {0}}, /* a column is a frequency of its own */
    {2, {6, 4}, 0, 2, {4, 6}, NULL, {0}},
    {2, {6, 4}, 0, 2, {6, 2}, NULL, {0}},
    {2, {0, 4}, 0, 2, {6, 4}, NULL, {0}},
    {2, {0, 4}, 0, 2, {0, 4}, "", {0}},
};

/* Axes of 1 are given to a tensor only if it has room for them. */
START_TEST(a_tensor_of_most_axes_does_not_fit_a_shape_of_axes_of_1)
{
    static const uint64_t most[PE_MAX_RANK] = {2, 2, 2, 3, 1, 1},
                          ones[PE_MAX_RANK] = {1, 1, 1, 1, 1, 1};
    double data[ELEMENTS];
    struct pe_verify_tensor tensor = numbers(data, PE_MAX_RANK, most, 0);
    char fits[PE_VERIFY_TEXT];

    for (size_t rank = 1; rank <= PE_MAX_RANK; rank++) {
        struct view view = view_of(&tensor);
        const struct view before = view;

        ck_assert(!view_fit(&view, ones, rank, fits));
        ck_assert_mem_eq(&view, &before, sizeof view);
    }
}
END_TEST

START_TEST(a_tensor_is_seen_in_the_shape_that_it_fits)
{
    double data[ELEMENTS], row[ELEMENTS];
    struct pe_verify_tensor tensor =
        numbers(data, shapes[_i].rank, shapes[_i].dims, shapes[_i].repeat);
    struct view view = view_of(&tensor);
    char fits[PE_VERIFY_TEXT];

    ck_assert_int_eq(view_fit(&view, shapes[_i].to, shapes[_i].to_rank, fits),
                     shapes[_i].fits != NULL);
    if (!shapes[_i].fits)
        return;
    ck_assert_str_eq(fits, shapes[_i].fits);
    ck_assert_uint_eq(view.rank, shapes[_i].to_rank);
    if (view_rows(&view) == 0)
        return;
    view_row(&view, view_rows(&view) - 1, (struct row_buffer){row, sizeof row / sizeof *row});
    for (uint64_t i = 0; i < view_cols(&view); i++)
        ck_assert(row[i] == shapes[_i].first[i]);
}
END_TEST

static const struct {
    size_t rank;
    uint64_t dims[3];
    size_t repeat;
    enum view_slices slices[3];
} repeated[] = {
    {2, {6, 4}, 4, {SLICES_EQUAL, SLICES_DIFFER}},
    {2, {6, 4}, 0, {SLICES_DIFFER, SLICES_DIFFER}},
    {2, {6, 4}, 1, {SLICES_EQUAL, SLICES_EQUAL}},
    {2, {1, 24}, 0, {SLICES_EQUAL, SLICES_DIFFER}},
    {2, {0, 4}, 0, {SLICES_UNKNOWN, SLICES_UNKNOWN}},
    {3, {2, 3, 4}, 12, {SLICES_EQUAL, SLICES_DIFFER, SLICES_DIFFER}},
    {3, {3, 2, 4}, 4, {SLICES_EQUAL, SLICES_EQUAL, SLICES_DIFFER}},
    {3, {2, 3, 4}, 23, {SLICES_DIFFER, SLICES_DIFFER, SLICES_DIFFER}},
};

START_TEST(a_view_knows_which_axes_repeat)
{
    double data[ELEMENTS];
    struct pe_verify_tensor tensor =
        numbers(data, repeated[_i].rank, repeated[_i].dims, repeated[_i].repeat);
    struct view view = view_of(&tensor);

    for (size_t axis = 0; axis < view.rank; axis++)
        ck_assert_int_eq(view.slices[axis], repeated[_i].slices[axis]);
    view_exchange(&view, 0, 1);
    ck_assert_int_eq(view.slices[0], repeated[_i].slices[1]);
    ck_assert_int_eq(view.slices[1], repeated[_i].slices[0]);
}
END_TEST

/* A search without a claim fits thousands of shapes: the second has no elements to compare. */
START_TEST(equal_batches_are_compared_once)
{
    double data[ELEMENTS];
    struct pe_verify_tensor tensor = numbers(data, 3, (const uint64_t[]){2, 3, 4}, 12);
    struct view view = view_of(&tensor);
    char fits[PE_VERIFY_TEXT];

    view.data = NULL;
    ck_assert(view_fit(&view, (const uint64_t[]){3, 4}, 2, fits));
    ck_assert_str_eq(fits, "equal batches");
}
END_TEST

/* Of cosines above sines whose rows repeat, the whole does not, and each part does. */
START_TEST(parts_whose_rows_repeat_have_equal_rows)
{
    const double data[] = {1, 0, 1, 0, 0, 1, 0, 1};
    const struct pe_verify_tensor tensor = {
        .name = "",
        .info = {.dtype = PE_F64, .rank = 2, .dims = {4, 2}},
        .data = data};
    const struct view whole = view_of(&tensor);
    char fits[PE_VERIFY_TEXT];

    ck_assert_int_eq(whole.slices[0], SLICES_DIFFER);
    for (size_t part = 0; part < 2; part++) {
        struct view view = view_part(&whole, PE_FORM_ABOVE, part);

        ck_assert(view_fit(&view, (const uint64_t[]){1, 2}, 2, fits));
        ck_assert_str_eq(fits, "equal rows");
        ck_assert(view_element(&view, 0, part) == 1);
    }
}
END_TEST

START_TEST(a_scalar_has_one_row_and_one_column)
{
    double data[ELEMENTS], row[1];
    struct pe_verify_tensor tensor = numbers(data, 0, NULL, 0);
    struct view view = view_of(&tensor);

    ck_assert_uint_eq(view_rows(&view), 1);
    ck_assert_uint_eq(view_cols(&view), 1);
    view_row(&view, 0, (struct row_buffer){row, sizeof row / sizeof *row});
    ck_assert(row[0] == 0);
}
END_TEST

START_TEST(exchanged_and_reversed_axes_are_strides)
{
    double data[ELEMENTS], row[6];
    struct pe_verify_tensor tensor = numbers(data, 2, (const uint64_t[]){6, 4}, 0);
    struct view view = view_of(&tensor);

    view_exchange(&view, 0, 1);
    view_reverse(&view, 1);
    ck_assert_uint_eq(view_rows(&view), 4);
    view_row(&view, 1, (struct row_buffer){row, sizeof row / sizeof *row});
    for (size_t i = 0; i < 6; i++)
        ck_assert(row[i] == (double)(21 - 4 * i));
    view.factor = -1;
    view_row(&view, 1, (struct row_buffer){row, sizeof row / sizeof *row});
    ck_assert(row[0] == -21);
}
END_TEST

START_TEST(the_parts_of_complex_numbers_are_every_other_element)
{
    double data[ELEMENTS], row[4];
    struct pe_verify_tensor tensor = numbers(data, 3, (const uint64_t[]){3, 4, 2}, 0);
    struct view whole = view_of(&tensor);

    for (size_t part = 0; part < 2; part++) {
        struct view view = view_part(&whole, PE_FORM_PARTS, part);

        ck_assert_uint_eq(view.rank, 2);
        view_row(&view, 2, (struct row_buffer){row, sizeof row / sizeof *row});
        for (size_t i = 0; i < 4; i++)
            ck_assert(row[i] == (double)(16 + 2 * i + part));
    }
}
END_TEST

static const struct {
    size_t rank;
    uint64_t dims[PE_MAX_RANK], rows, cols;
    bool fits;
} sideways[] = {
    {2, {4, 6}, 6, 4, true},    {3, {1, 4, 6}, 6, 4, true}, {4, {1, 4, 2, 3}, 6, 4, true},
    {3, {4, 2, 3}, 6, 4, true}, {2, {4, 6}, 4, 6, false},   {3, {2, 4, 3}, 6, 4, false},
    {1, {24}, 6, 4, false},
};

START_TEST(a_tensor_with_its_columns_first_is_seen_by_rows)
{
    double data[ELEMENTS], row[6];
    struct pe_verify_tensor tensor = numbers(data, sideways[_i].rank, sideways[_i].dims, 0);
    struct view view = view_of(&tensor);

    ck_assert_int_eq(view_fit_columns_first(&view, sideways[_i].rows, sideways[_i].cols),
                     sideways[_i].fits);
    if (!sideways[_i].fits)
        return;
    ck_assert_uint_eq(view.rank, 2);
    ck_assert_uint_eq(view_rows(&view), sideways[_i].rows);
    view_row(&view, 5, (struct row_buffer){row, sizeof row / sizeof *row});
    for (size_t i = 0; i < 4; i++)
        ck_assert(row[i] == (double)(5 + 6 * i));
}
END_TEST

static const struct {
    double number;
    enum pe_dtype precision;
} precisions[] = {
    {1, PE_BF16}, {1.0009765625, PE_F16}, {1.00000011920928955, PE_F32}, {0.1, PE_F64}};

START_TEST(the_precision_is_that_of_the_narrowest_dtype_that_holds_all_numbers)
{
    const double data[] = {0, precisions[_i].number};
    const struct pe_verify_tensor tensor = {.name = "",
                                            .info = {.dtype = PE_F64, .rank = 1, .dims = {2}},
                                            .data = data};

    ck_assert_int_eq(view_of(&tensor).precision, precisions[_i].precision);
}
END_TEST

SUITE(view, TEST(a_tensor_of_most_axes_does_not_fit_a_shape_of_axes_of_1),
      TEST_EACH(a_tensor_is_seen_in_the_shape_that_it_fits, shapes),
      TEST_EACH(a_tensor_with_its_columns_first_is_seen_by_rows, sideways),
      TEST_EACH(a_view_knows_which_axes_repeat, repeated),
      TEST(equal_batches_are_compared_once), TEST(parts_whose_rows_repeat_have_equal_rows),
      TEST(a_scalar_has_one_row_and_one_column), TEST(exchanged_and_reversed_axes_are_strides),
      TEST(the_parts_of_complex_numbers_are_every_other_element),
      TEST_EACH(the_precision_is_that_of_the_narrowest_dtype_that_holds_all_numbers,
                precisions));
