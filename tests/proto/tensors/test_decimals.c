/* SPDX-License-Identifier: Apache-2.0
 * test_decimals.c - printed float32 is told from float64 by its digits. */
#include <math.h>

#include "proto/tensors/decimals.h"
#include "tests/support/suite.h"

static const struct {
    double numbers[3];
    enum pe_dtype type;
} rows[] = {
    {{1, 0, -1}, PE_F32},
    {{0.5403023, 0.841471, 9.99950041e-05}, PE_F32},
    {{0.5403022766113281, 0.8414710164070129, 1}, PE_F32}, /* all digits of float32 */
    {{0.54030230586813977, 0.8414710, 1}, PE_F64},
    {{-1e9, -3.4e38, INFINITY}, PE_F32},
    {{0, -3.4028235e38, 0}, PE_F64} /* beyond the lowest of float32 */,
    {{1e300, 0, 0}, PE_F64},
    {{1e-40, NAN, 0}, PE_F32},
};

START_TEST(numbers_of_nine_digits_are_those_of_float32)
{
    ck_assert_int_eq(decimals_type(rows[_i].numbers, 3), rows[_i].type);
}
END_TEST

SUITE(decimals, TEST_EACH(numbers_of_nine_digits_are_those_of_float32, rows));
