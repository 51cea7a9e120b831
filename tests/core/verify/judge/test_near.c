/* SPDX-License-Identifier: Apache-2.0
 * test_near.c - numbers that are near a claim by no known arithmetic are close to it, unless
 * the distance grows with the position or a mistake comes nearer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/core/support/verify_case.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

/* Moves every element by at most `size` times `share(row)`. */
static void add_noise(struct verify_case *made, double size, double (*share)(uint64_t row))
{
    struct core_random random = {11};

    for (size_t tensor = 0; tensor < made->count; tensor++) {
        const uint64_t count = verify_case_elements(made, tensor);
        const uint64_t cols =
            made->tensor[tensor].info.dims[made->tensor[tensor].info.rank - 1];

        for (uint64_t i = 0; i < count; i++)
            verify_case_set(made, tensor, i,
                            verify_case_get(made, tensor, i) +
                                size * share(i / cols) * core_random_real(&random, -1, 1));
    }
}

static double level(uint64_t row)
{
    (void)row;
    return 1;
}

static double growing(uint64_t row)
{
    return (double)row / 32;
}

static double late(uint64_t row)
{
    return row < 28 ? 0 : 1;
}

static const struct {
    const char *request;
    double noise;
    double (*share)(uint64_t row);
    double atol; /* 0: no tolerance */
    const char *verdict;
    int digits;
    bool holds;
} rows[] = {
    {"rope?dim=64&pos=0:32&out=cos,sin", 1e-4, level, 0, "close", 3, false},
    {"rope?dim=64&pos=0:32&out=cos,sin", 9e-4, level, 0, "close", 2, false},
    {"rope?dim=64&pos=0:32&out=cos,sin", 1e-4, level, 2e-4, "close", 3, true},
    {"rope?dim=64&pos=0:32&out=cos,sin", 1e-4, level, 5e-5, "close", 3, false},
    {"rope?dim=64&pos=0:32&out=cos,sin", 5e-2, level, 6e-2, "close", 1, true},
    {"rope?dim=64&pos=0:32&out=cos,sin", 1e-6, level, 0, "profile fast-sine", 0, false},
    {"rope?dim=64&pos=0:32&out=cos,sin", 1e-6, level, 1e-5, "profile fast-sine", 0, true},
    {"rope?dim=64&pos=0:32&out=cos,sin", 0, level, 1e-5, "exact", 0, true},
    {"rope?dim=64&pos=0:32&out=cos,sin", 1e-3, growing, 0, "unexplained", 3, false},
    {"rope?dim=64&pos=0:32&out=cos,sin", 1e-4, late, 0, "unexplained", 4, false},
    {"sinusoidal?dim=64&pos=0:32&out=rows", 1e-4, level, 0, "close", 3, false},
    {"alibi?heads=4&len=32&out=bias", 1e-3, level, 0, "unexplained", 0, false},
};

START_TEST(near_numbers_are_close_unless_their_distance_grows)
{
    const struct pe_verify_tolerance tolerance = {.atol = rows[_i].atol};
    struct verify_case made;

    verify_case_of(&made, rows[_i].request);
    add_noise(&made, rows[_i].noise, rows[_i].share);
    verify_case_claim(&made, rows[_i].request);
    made.tolerance = rows[_i].atol > 0 ? &tolerance : NULL;
    struct pe_verdict *verdict = verify_case_verdict(&made);
    char *text = verify_case_text(verdict);

    ck_assert_msg(strcmp(text, rows[_i].verdict) == 0, "%d is %s", _i, text);
    ck_assert_int_eq(verdict->holds, rows[_i].holds);
    if (verdict->kind == PE_CLOSE)
        ck_assert_int_eq(verdict->digits, rows[_i].digits);
    free(text);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

/* The frequencies of base 10000 have three decimals by themselves: they were not printed. */
static const struct {
    const char *made, *claim, *verdict;
    double atol;
} mistakes[] = {
    {"rope?dim=8&pos=0:32&base=10000&out=cos,sin", "rope?dim=8&pos=0:32&base=10010",
     "mistake base base 10000->10010", 1e-1},
    {"rope?dim=8&pos=0:32&base=10000&out=inv_freq", "rope?dim=8&base=10010",
     "mistake base base 10000->10010", 0},
};

START_TEST(a_mistake_that_comes_nearer_is_a_mistake)
{
    const struct pe_verify_tolerance tolerance = {.atol = mistakes[_i].atol};
    struct verify_case made;

    verify_case_of(&made, mistakes[_i].made);
    verify_case_claim(&made, mistakes[_i].claim);
    made.tolerance = mistakes[_i].atol > 0 ? &tolerance : NULL;
    struct pe_verdict *verdict = verify_case_verdict(&made);
    char *text = verify_case_text(verdict);

    ck_assert_msg(strcmp(text, mistakes[_i].verdict) == 0, "%s is %s", mistakes[_i].made, text);
    free(text);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

START_TEST(the_sentence_has_the_digits_and_whether_the_tolerance_holds)
{
    const struct pe_verify_tolerance tolerance = {.atol = 1e-3};
    struct verify_case made;

    verify_case_of(&made, rows[0].request);
    add_noise(&made, 1e-4, level);
    verify_case_claim(&made, rows[0].request);
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_ptr_nonnull(strstr(verdict->says, "are right to 3 digits: the largest distance"));
    ck_assert_ptr_null(strstr(verdict->says, "tolerance"));
    ck_assert_int_eq(verdict->tensor[0].kind, PE_CLOSE);
    pe_verdict_free(verdict);
    made.tolerance = &tolerance;
    verdict = verify_case_verdict(&made);
    ck_assert_ptr_nonnull(strstr(verdict->says, "; the tolerance holds"));
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

/* One number that is wrong in its own scale, beside larger ones. */
static const struct {
    const char *request;
    uint64_t element;
    double factor;
    const char *verdict;
} small[] = {
    {"alibi?heads=2&q=500:504&k=0:504&out=bias", 498, 0.8, "unexplained"},
    {"alibi?heads=2&q=500:504&k=0:504&out=bias", 498, 1.0005, "close"},
    {"rope?dim=64&out=inv_freq", 9, 1.0005, "unexplained"},
    {"rope?dim=64&out=inv_freq", 9, 1.000005, "close"},
};

START_TEST(a_wrong_number_is_not_near_because_others_are_large)
{
    struct verify_case made;

    verify_case_of(&made, small[_i].request);
    const double number = verify_case_get(&made, 0, small[_i].element);
    verify_case_set(&made, 0, small[_i].element, small[_i].factor * number);
    verify_case_claim(&made, small[_i].request);
    struct pe_verdict *verdict = verify_case_verdict(&made);
    char *text = verify_case_text(verdict);

    ck_assert_msg(strcmp(text, small[_i].verdict) == 0, "%d is %s", _i, text);
    free(text);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

START_TEST(no_tolerance_is_as_large_as_infinity)
{
    const struct pe_verify_tolerance tolerance = {.atol = 1, .rtol = 1e-5};
    struct verify_case made;

    verify_case_of(&made, "causal-mask?len=8&out=additive&mask_value=-inf");
    for (uint64_t i = 0; i < verify_case_elements(&made, 0); i++)
        verify_case_set(&made, 0, i, 0);
    verify_case_claim(&made, "causal-mask?len=8&out=additive&mask_value=-inf");
    made.tolerance = &tolerance;
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert(!verdict->holds);
    ck_assert_int_ge(verdict->kind, PE_MISTAKE);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(near_numbers_are_close_unless_their_distance_grows, rows),
    TEST_EACH(a_wrong_number_is_not_near_because_others_are_large, small),
    TEST_EACH(a_mistake_that_comes_nearer_is_a_mistake, mistakes),
    TEST(the_sentence_has_the_digits_and_whether_the_tolerance_holds),
    TEST(no_tolerance_is_as_large_as_infinity),
};

const struct suite near_suite = {SUITE_TESTS(tests), .timeout = 60};
