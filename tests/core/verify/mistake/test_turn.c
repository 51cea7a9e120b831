/* SPDX-License-Identifier: Apache-2.0
 * test_turn.c - vectors whose pairs a program turned by a wrong formula. */
#include <math.h>
#include <string.h>

#include "core/verify/mistake/mistakes.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

enum { ROWS = 12, DIM = 16 };

struct pair {
    double a, b;
};

static const char *const says[] = {
    "rotate_half lacks its minus: a pair (a, b) becomes a cos + b sin, b cos + a sin",
    "both sines have a minus: a pair (a, b) becomes a cos - b sin, b cos - a sin",
    "the pairs are turned in place: b is computed from the a that was already written over",
    "the pairs are turned in place: a is computed from the b that was already written over",
    "only the first column of each pair is written, the second stays as it was",
    "only the second column of each pair is written, the first stays as it was",
    "the term of the sines is left out: a pair (a, b) becomes a cos, b cos",
    "the cosines are left out: a pair (a, b) becomes a - b sin, b + a sin",
    "the columns of a pair are exchanged before they turn: each has the other's place",
    "each column is its own partner: a pair (a, b) becomes a cos - a sin, b cos + b sin",
};

static struct pair computed(int formula, double a, double b, double c, double s)
{
    switch (formula) {
    case 0:
        return (struct pair){a * c + b * s, b * c + a * s};
    case 1:
        return (struct pair){a * c - b * s, b * c - a * s};
    case 2:
        return (struct pair){a * c - b * s, b * c + (a * c - b * s) * s};
    case 3:
        return (struct pair){a * c - (b * c + a * s) * s, b * c + a * s};
    case 4:
        return (struct pair){a * c - b * s, b};
    case 5:
        return (struct pair){a, b * c + a * s};
    case 6:
        return (struct pair){a * c, b * c};
    case 7:
        return (struct pair){a - b * s, b + a * s};
    case 8:
        return (struct pair){b * c - a * s, b * s + a * c};
    case 9:
        return (struct pair){a * c - a * s, b * c + b * s};
    }
    ck_abort_msg("no formula");
}

/* Makes vectors whose pairs of halves are computed by a formula. */
static void turn(struct verify_case *made, int formula)
{
    verify_case_of(made, "rope/apply?pos=0:12&x=f32[12,16]&pairing=half");
    for (uint64_t row = 0; row < ROWS; row++)
        for (uint64_t i = 0; i < DIM / 2; i++) {
            const uint64_t a = row * DIM + i, b = a + DIM / 2;
            const double angle = (double)row * pow(10000, -2.0 * (double)i / DIM);
            const struct pair pair =
                computed(formula, verify_case_get(made, 0, a), verify_case_get(made, 0, b),
                         cos(angle), sin(angle));

            verify_case_set(made, 1, a, pair.a);
            verify_case_set(made, 1, b, pair.b);
        }
    verify_case_claim(made, "rope/apply?pos=0:12&pairing=half");
}

START_TEST(a_verdict_says_the_formula_by_which_pairs_were_computed)
{
    struct verify_case made;

    turn(&made, _i);
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_int_eq(verdict->kind, PE_MISTAKE);
    ck_assert_str_eq(verdict->explanation.mistake[0].slug, "turn-formula");
    ck_assert_str_eq(verdict->explanation.mistake[0].says, says[_i]);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

/* Turns the vectors of one answer by the other pairing too. */
static struct pe_verdict *turned_twice(const char *first, const char *second, const char *claim)
{
    struct verify_case made, again;

    verify_case_of(&made, first);
    verify_case_of(&again, second);
    for (uint64_t row = 0; row < ROWS; row++)
        for (uint64_t i = 0; i < DIM / 2; i++) {
            const bool halves = strstr(second, "half") != NULL;
            const uint64_t a = row * DIM + (halves ? i : 2 * i), b = a + (halves ? DIM / 2 : 1);
            const double angle = (double)row * pow(10000, -2.0 * (double)i / DIM);
            const double x = verify_case_get(&made, 1, a), y = verify_case_get(&made, 1, b);

            verify_case_set(&again, 1, a, x * cos(angle) - y * sin(angle));
            verify_case_set(&again, 1, b, y * cos(angle) + x * sin(angle));
        }
    verify_case_claim(&again, claim);
    struct pe_verdict *verdict = verify_case_verdict(&again);
    verify_case_free(&made);
    verify_case_free(&again);
    return verdict;
}

START_TEST(a_verdict_says_that_both_pairings_turned_the_vectors_and_in_which_order)
{
#define X "rope/apply?pos=0:12&x=f32[12,16]&pairing="
    struct pe_verdict *verdict =
        _i < 2 ? turned_twice(X "half", X "adjacent",
                              _i ? "rope/apply?pos=0:12&pairing=adjacent"
                                 : "rope/apply?pos=0:12&pairing=half")
               : turned_twice(X "adjacent", X "half", "rope/apply?pos=0:12&pairing=half");
#undef X

    ck_assert_int_eq(verdict->kind, PE_MISTAKE);
    ck_assert_str_eq(verdict->explanation.mistake[0].says,
                     _i < 2
                         ? "the vectors are turned twice: by pairs of halves (i and i + d/2) "
                           "and then by pairs of adjacent columns (2i, 2i + 1)"
                         : "the vectors are turned twice: by pairs of adjacent columns (2i, "
                           "2i + 1) and then by pairs of halves (i and i + d/2)");
    pe_verdict_free(verdict);
}
END_TEST

/* Turned as [batch, position, head], where the vectors are [batch, head, position]; and the
 * reverse. */
static const struct {
    const char *made;
    const char *claim;
    uint64_t inner, length;
} reshaped[] = {
    {"rope/apply?pos=0:6&x=f32[1,6,4,16]&seq_axis=1&pairing=half",
     "rope/apply?pos=0:6&seq_axis=1&pairing=half", 1, 6},
    {"rope/apply?pos=0:6&x=f32[1,4,6,16]&seq_axis=2&pairing=half",
     "rope/apply?pos=0:6&seq_axis=2&pairing=half", 4, 6},
};

START_TEST(vectors_that_were_reshaped_where_they_should_be_transposed_are_a_mistake_of_axes)
{
    struct verify_case made;

    verify_case_of(&made, reshaped[_i].made);
    for (uint64_t row = 0; row < 24; row++)
        for (uint64_t i = 0; i < DIM / 2; i++) {
            const uint64_t a = row * DIM + i, b = a + DIM / 2;
            const double place = (double)(row / reshaped[_i].inner % reshaped[_i].length);
            const double angle = place * pow(10000, -2.0 * (double)i / DIM);
            const double x = verify_case_get(&made, 0, a), y = verify_case_get(&made, 0, b);

            verify_case_set(&made, 1, a, x * cos(angle) - y * sin(angle));
            verify_case_set(&made, 1, b, y * cos(angle) + x * sin(angle));
        }
    verify_case_claim(&made, reshaped[_i].claim);
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_int_eq(verdict->kind, PE_MISTAKE);
    ck_assert_str_eq(verdict->explanation.mistake[0].slug, "axes");
    ck_assert_str_eq(
        verdict->explanation.mistake[0].says,
        "the axes of heads and positions were reshaped where they should have been "
        "transposed: vectors of other heads and positions are turned");
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

START_TEST(frequencies_that_are_not_inverted_are_a_mistake)
{
    struct verify_case made;

    verify_case_of(&made, "rope?dim=16&out=inv_freq");
    for (uint64_t i = 0; i < DIM / 2; i++)
        verify_case_set(&made, 0, i, 1 / verify_case_get(&made, 0, i));
    verify_case_claim(&made, "rope?dim=16");
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_int_eq(verdict->kind, PE_MISTAKE);
    ck_assert_str_eq(verdict->explanation.mistake[0].slug, "not-inverted");
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

SUITE(
    turn, TEST_EACH(a_verdict_says_the_formula_by_which_pairs_were_computed, says),
    TEST_RANGE(a_verdict_says_that_both_pairings_turned_the_vectors_and_in_which_order, 0, 3),
    TEST_EACH(vectors_that_were_reshaped_where_they_should_be_transposed_are_a_mistake_of_axes,
              reshaped),
    TEST(frequencies_that_are_not_inverted_are_a_mistake));
