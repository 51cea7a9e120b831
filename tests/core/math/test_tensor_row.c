/* SPDX-License-Identifier: Apache-2.0
 * test_tensor_row.c - elements of tables of every dtype, and the shapes that are refused. */
#include <string.h>

#include "core/math/tensor_row.h"
#include "tests/support/suite.h"

START_TEST(elements_of_any_dtype_are_the_doubles_they_hold)
{
    const double numbers[12] = {0, 1, -2, 0.5, 4, 5, -6, 7, 8.5, 9, 10, -11};

    for (int dtype = PE_F64; dtype <= PE_BF16; dtype++) {
        struct pe_tensor tensor = {.dtype = (enum pe_dtype)dtype, .rank = 3, .dims = {2, 2, 3}};
        unsigned char data[sizeof numbers];
        double row[2];

        pe_dtype_from_f64((enum pe_dtype)dtype, data, numbers, 12);
        tensor_row(&tensor, data, 2, 1, 2, row);
        ck_assert(row[0] == 7 && row[1] == 8.5);
        for (uint64_t i = 0; i < 12; i++)
            ck_assert_double_eq(tensor_row_at(&tensor, data, i), numbers[i]);
        tensor_row_column(&tensor, data, 1, 2, 2, row);
        ck_assert(row[0] == 5 && row[1] == 8.5);
    }
}
END_TEST

START_TEST(long_columns_are_whole)
{
    enum { ROWS = 300, COLS = 7 };
    static float data[ROWS * COLS];
    const struct pe_tensor tensor = {PE_F32, 2, {ROWS, COLS}};
    double column[ROWS];

    for (size_t i = 0; i < ROWS * COLS; i++)
        data[i] = (float)i;
    tensor_row_column(&tensor, data, 3, 4, ROWS - 3, column);
    for (size_t i = 0; i < ROWS - 3; i++)
        ck_assert_double_eq(column[i], (double)((i + 3) * COLS + 4));
}
END_TEST

static const struct {
    struct pe_tensor tensor;
    const char *axes, *detail; /* NULL: right */
} shapes[] = {
    {{PE_F32, 2, {4, 8}}, "rows,dim", NULL},
    {{PE_BF16, 1, {4}}, "heads", NULL},
    {{PE_F32, 1, {4}},
     "rows,dim",
     "must have 2 axes, rows,dim, none of them empty; got shape 4"},
    {{PE_F32, 3, {1, 4, 8}}, "rows,dim", "got shape 1,4,8"},
    {{PE_F32, 2, {4, 8}}, "heads", "must have 1 axis, heads, none"},
    {{PE_F32, 2, {0, 8}}, "rows,dim", "got shape 0,8"},
    {{PE_U8, 2, {4, 8}}, "rows,dim", "must hold reals, f64, f32, f16 or bf16; got u8"},
};

START_TEST(other_shapes_are_refused_with_the_axes_that_are_right)
{
    struct pe_errors errors = {.count = 0};
    enum pe_status status =
        tensor_row_check(&shapes[_i].tensor, "table", shapes[_i].axes, &errors);

    ck_assert_int_eq(status, shapes[_i].detail ? PE_CONFLICT : PE_OK);
    ck_assert_uint_eq(errors.count, shapes[_i].detail != NULL);
    if (shapes[_i].detail)
        ck_assert_msg(strstr(errors.at[0].detail, shapes[_i].detail), "%s",
                      errors.at[0].detail);
}
END_TEST

SUITE(tensor_row, TEST(elements_of_any_dtype_are_the_doubles_they_hold),
      TEST(long_columns_are_whole),
      TEST_EACH(other_shapes_are_refused_with_the_axes_that_are_right, shapes));
