/* SPDX-License-Identifier: Apache-2.0
 * test_sinusoidal.c - rows of sinusoids: the presets, and what rows are for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* ---- published numbers --------------------------------------------------------------- */

START_TEST(the_longest_wavelengths_are_those_of_the_literature)
{
    static const struct {
        const char *query;
        double longest, within;
    } cases[] = {{"dim=512&out=wavelengths&dtype=f64", 60611.5, 0.05},
                 {"dim=128&out=wavelengths&dtype=f64", 54410.1, 0.05},
                 {"dim=128&ladder=closed&out=wavelengths&dtype=f64", 62831.9, 0.05}};

    for (size_t i = 0; i < PE_LEN(cases); i++) {
        size_t count;
        double *values = core_query_values("sinusoidal", cases[i].query, "wavelengths", &count);

        ck_assert_double_eq_tol(values[count - 1], cases[i].longest, cases[i].within);
        free(values);
    }
}
END_TEST

/* ---- what rows are for --------------------------------------------------------------- */

START_TEST(the_squared_norm_of_a_row_is_half_its_width)
{
    static const char *const queries[] = {
        "pos=-5,0,7,1000,9007199254740991,0.125&dim=512&dtype=f64",
        "pos=-5,0,7,1000,9007199254740991&dim=64&ladder=closed&layout=concat-cs&dtype=f64",
        "pos=-5,0,7,1000&dim=65&odd=zero-pad&dtype=f64",
        "pos=-5,0,7,1000&dim=64&base=3.5&scale=0.3&layout=interleaved-cs&dtype=f64",
    };
    size_t count, dim = strstr(queries[_i], "dim=512") ? 512 : _i == 2 ? 65 : 64;
    double *values = core_query_values("sinusoidal", queries[_i], "rows", &count);

    for (size_t row = 0; row < count / dim; row++) {
        double norm = 0, pairs = (double)(dim / 2);

        for (size_t col = 0; col < dim; col++)
            norm += values[row * dim + col] * values[row * dim + col];
        ck_assert_double_eq_tol(norm, pairs, pairs * 0x1p-50);
    }
    free(values);
}
END_TEST

START_TEST(mlx_rows_have_norm_one)
{
    double *values =
        core_query_values("sinusoidal", "pos=77&dim=64&preset=mlx&dtype=f64", "rows", NULL);
    double norm = 0;

    for (size_t col = 0; col < 64; col++)
        norm += values[col] * values[col];
    ck_assert_double_eq_tol(norm, 1, 0x1p-48);
    free(values);
}
END_TEST

START_TEST(sines_are_odd_and_cosines_even_in_the_position)
{
    double *plus =
        core_query_values("sinusoidal", "pos=12345.75&dim=16&dtype=f64", "rows", NULL);
    double *minus =
        core_query_values("sinusoidal", "pos=-12345.75&dim=16&dtype=f64", "rows", NULL);

    for (size_t i = 0; i < 16; i += 2) {
        ck_assert(minus[i] == -plus[i]);
        ck_assert(minus[i + 1] == plus[i + 1]);
    }
    free(plus);
    free(minus);
}
END_TEST

START_TEST(the_padding_position_is_all_zeros_and_no_other)
{
    size_t count;
    double *values = core_query_values(
        "sinusoidal", "pos=0:1000&dim=8&padding_idx=700&layout=concat", "rows", &count);

    for (size_t row = 0; row < 1000; row++) {
        double sum = 0;

        for (size_t col = 0; col < 8; col++)
            sum += fabs(values[row * 8 + col]);
        ck_assert((sum == 0) == (row == 700));
    }
    free(values);
}
END_TEST

SUITE(sinusoidal, TEST(the_longest_wavelengths_are_those_of_the_literature),
      TEST_RANGE(the_squared_norm_of_a_row_is_half_its_width, 0, 4),
      TEST(mlx_rows_have_norm_one), TEST(sines_are_odd_and_cosines_even_in_the_position),
      TEST(the_padding_position_is_all_zeros_and_no_other));
