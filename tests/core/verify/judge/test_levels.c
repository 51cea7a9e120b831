/* SPDX-License-Identifier: Apache-2.0
 * test_levels.c - numbers that were rounded to the levels of 8 bits are right, those of fewer
 * levels are a mistake, and those of another claim are neither. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

/* Rounds to a float with so many bits of the fraction, whose smallest step is 2^least. */
static double to_float(double number, int fraction, int least)
{
    int exponent;

    (void)frexp(number, &exponent);
    exponent -= 1 + fraction;
    const double step = ldexp(1, exponent > least ? exponent : least);
    return step * nearbyint(number / step);
}

static double to_e4m3(double number)
{
    return to_float(number, 3, -9);
}

static double to_e5m2(double number)
{
    return to_float(number, 2, -16);
}

static double to_int8(double number)
{
    return nearbyint(number * 127) / 127;
}

static double to_uint8(double number)
{
    return -1 + 2.0 / 255 * nearbyint((number + 1) / 2 * 255);
}

static double to_six_bits(double number)
{
    return nearbyint(number * 31) / 31;
}

static const struct {
    const char *made, *claim;
    double (*rounded)(double);
    const char *verdict;
} rows[] = {
    {"rope?dim=32&pos=0:40&out=cos,sin", "rope?dim=32&pos=0:40", to_e4m3, "profile f8-e4m3"},
    {"rope?dim=32&pos=0:40&out=cos,sin", "rope?dim=32&pos=0:40", to_e5m2, "profile f8-e5m2"},
    {"rope?dim=32&pos=0:40&out=cos,sin", "rope?dim=32&pos=0:40", to_int8, "profile int8"},
    {"sinusoidal?dim=32&pos=0:40", "sinusoidal?dim=32&pos=0:40", to_int8, "profile int8"},
    {"rope?dim=2&pos=0:710:5&out=cos", "rope?dim=2&pos=0:710:5", to_uint8, "profile uint8"},
    {"rope?dim=32&pos=0:40&out=cos,sin", "rope?dim=32&pos=0:40", to_six_bits,
     "mistake few-levels"},
    {"rope?dim=32&pos=0:40&out=cos,sin", "rope?dim=32&pos=0:40&base=11000", to_e4m3,
     "unexplained"},
    /* too few to know levels by them */
    {"rope?dim=4&pos=1:3&out=cos", "rope?dim=4&pos=1:3", to_e4m3, "unexplained"},
};

static void round_all(struct verify_case *made, double (*rounded)(double))
{
    for (size_t tensor = 0; tensor < made->count; tensor++)
        for (uint64_t i = 0; i < verify_case_elements(made, tensor); i++)
            verify_case_set(made, tensor, i, rounded(verify_case_get(made, tensor, i)));
}

START_TEST(numbers_of_few_levels_are_right_by_these)
{
    struct verify_case made;

    verify_case_of(&made, rows[_i].made);
    round_all(&made, rows[_i].rounded);
    verify_case_claim(&made, rows[_i].claim);
    struct pe_verdict *verdict = verify_case_verdict(&made);
    char *text = verify_case_text(verdict);
    ck_assert_str_eq(text, rows[_i].verdict);
    if (verdict->kind == PE_PROFILE) {
        ck_assert_ptr_nonnull(strstr(verdict->says, "right; rounded to the levels of "));
        ck_assert_str_ne(verdict->warning, "");
    }
    free(text);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

SUITE(levels, TEST_EACH(numbers_of_few_levels_are_right_by_these, rows));
