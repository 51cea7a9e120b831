/* SPDX-License-Identifier: Apache-2.0
 * test_solve_columns.c - tables and vectors of which some pairs have other frequencies, axes or
 * columns than a claim says, turn not at all, or are zero. */
#include "core/verify/solve/solve_columns.h"

#include <math.h>
#include <string.h>

#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

enum { ROWS = 24, PAIRS = 8, DIM = 16 };

#define TABLE "rope?dim=16&pos=0:24&out=cos,sin"
#define WIDE "rope?dim=16&pos=0:24&width=full&pairing=half&out=cos,sin"
#define PART "rope/apply?pos=0:24&x=f32[24,16]&rotary_dim=8&pairing=half"
#define WHOLE "rope/apply?pos=0:24&x=f32[24,16]&pairing=half"
#define GRID "rope2d-axial?grid=4x6&dim=16&out=cos,sin"

/* Text, a picture of 2 x 3, and text. */
#define IDS "0,0,0;1,1,1;2,2,2;2,2,3;2,2,4;2,3,2;2,3,3;2,3,4;5,5,5;6,6,6"

/* ---- changes ----------------------------------------------------------------------------- */

static double frequency(double pair)
{
    return pow(10000, -pair / PAIRS);
}

/* Writes pairs of a table: factors times the cosines and sines of a frequency. */
static void set_pair(struct verify_case *made, uint64_t pair, double w, double by)
{
    for (uint64_t row = 0; row < ROWS; row++) {
        verify_case_set(made, 0, row * PAIRS + pair, by * cos((double)row * w));
        verify_case_set(made, 1, row * PAIRS + pair, by * sin((double)row * w));
    }
}

static void last_pairs_are_eight_times_as_fast(struct verify_case *made)
{
    for (uint64_t i = 5; i < PAIRS; i++)
        set_pair(made, i, 8 * frequency((double)i), 1);
}

static void a_pair_has_the_frequency_before(struct verify_case *made)
{
    set_pair(made, 3, frequency(2), 1);
}

static void pairs_come_one_too_early(struct verify_case *made)
{
    for (uint64_t i = 0; i + 1 < PAIRS; i++)
        set_pair(made, i, frequency((double)i + 1), 1);
}

static void first_pairs_have_another_base(struct verify_case *made)
{
    for (uint64_t i = 0; i < 5; i++)
        set_pair(made, i, pow(100, -(double)i / PAIRS), 1);
}

static void last_pairs_are_zero(struct verify_case *made)
{
    set_pair(made, 6, 0, 0);
    set_pair(made, 7, 0, 0);
}

static void last_pairs_stand_still(struct verify_case *made)
{
    set_pair(made, 6, 0, 1);
    set_pair(made, 7, 0, 1);
}

static void a_pair_has_a_frequency_of_its_own(struct verify_case *made)
{
    set_pair(made, 4, 0.0123, 1);
}

static void a_pair_has_no_frequency(struct verify_case *made)
{
    for (uint64_t row = 0; row < ROWS; row++)
        verify_case_set(made, 0, row * PAIRS + 4, 0.01 * (double)(row * row % 7));
}

static void second_copy_is_zero(struct verify_case *made)
{
    for (uint64_t row = 0; row < ROWS; row++)
        for (uint64_t col = PAIRS; col < DIM; col++) {
            verify_case_set(made, 0, row * DIM + col, 0);
            verify_case_set(made, 1, row * DIM + col, 0);
        }
}

/* Columns of a grid turn by the coordinates of the first axis. */
static void second_axis_is_the_first(struct verify_case *made)
{
    for (uint64_t tensor = 0; tensor < 2; tensor++)
        for (uint64_t row = 0; row < ROWS; row++)
            for (uint64_t i = 0; i < PAIRS / 2; i++)
                verify_case_set(made, tensor, row * PAIRS + PAIRS / 2 + i,
                                verify_case_get(made, tensor, row * PAIRS + i));
}

/* Turns the columns first + step i and those `apart` after them by the frequency of pair i, of
 * vectors that are put back first. */
static void turn(struct verify_case *made, uint64_t pairs, uint64_t first, uint64_t step,
                 uint64_t apart, double times)
{
    const double width = 2 * (double)pairs;

    for (uint64_t i = 0; i < (uint64_t)ROWS * DIM; i++)
        verify_case_set(made, 1, i, verify_case_get(made, 0, i));
    for (uint64_t row = 0; row < ROWS; row++)
        for (uint64_t i = 0; i < pairs; i++) {
            const uint64_t a = row * DIM + first + step * i, b = a + apart;
            const double angle = times * (double)row * pow(10000, -2.0 * (double)i / width);
            const double x = verify_case_get(made, 0, a), y = verify_case_get(made, 0, b);

            verify_case_set(made, 1, a, x * cos(angle) - y * sin(angle));
            verify_case_set(made, 1, b, y * cos(angle) + x * sin(angle));
        }
}

static void partners_stand_at_the_end(struct verify_case *made)
{
    turn(made, 4, 0, 1, 12, 1);
}

static void columns_in_the_middle_turn(struct verify_case *made)
{
    turn(made, 4, 5, 1, 6, 1);
}

static void every_second_column_turns(struct verify_case *made)
{
    turn(made, 4, 0, 2, 9, 1);
}

static void partners_are_far_and_faster(struct verify_case *made)
{
    turn(made, 4, 0, 1, 12, 2);
}

static void last_columns_of_vectors_are_zero(struct verify_case *made)
{
    for (uint64_t row = 0; row < ROWS; row++)
        for (uint64_t col = 8; col < DIM; col++)
            verify_case_set(made, 1, row * DIM + col, 0);
}

static void last_pairs_of_vectors_are_kept(struct verify_case *made)
{
    for (uint64_t row = 0; row < ROWS; row++)
        for (uint64_t i = 5; i < PAIRS; i++)
            for (uint64_t col = row * DIM + i; col < (row + 1) * DIM; col += PAIRS)
                verify_case_set(made, 1, col, verify_case_get(made, 0, col));
}

/* ---- verdicts ---------------------------------------------------------------------------- */

static const struct {
    const char *request, *claim;
    void (*change)(struct verify_case *made);
    const char *slug; /* of the mistake; NULL: none is named, or two are */
    const char *says;
} cases[] = {
    {TABLE, "rope?dim=16&pos=0:24", last_pairs_are_eight_times_as_fast, "other-columns",
     "pairs 5:8 are turned by 8 times their frequencies; the other pairs are right"},
    {TABLE, "rope?dim=16&pos=0:24", a_pair_has_the_frequency_before, "other-columns",
     "pair 3 is turned by the frequency of pair 2; the other pairs are right"},
    {TABLE, "rope?dim=16&pos=0:24", pairs_come_one_too_early, "other-columns",
     "pairs 0:7 are turned by the frequencies of pairs 1:8; the other pairs are right"},
    {TABLE, "rope?dim=16&pos=0:24", first_pairs_have_another_base, "other-columns",
     "pairs 1:5 are turned by frequencies from 0.562341 to 0.1, where 0.316228 to "
     "0.01 are right; the other pairs are right"},
    {TABLE, "rope?dim=16&pos=0:24", last_pairs_are_zero, "other-columns",
     "pairs 6:8 are zero: never written; the other pairs are right"},
    {TABLE, "rope?dim=16&pos=0:24", last_pairs_stand_still, "other-columns",
     "pairs 6:8 are not turned; the other pairs are right"},
    {TABLE, "rope?dim=16&pos=0:24", a_pair_has_a_frequency_of_its_own, NULL,
     "pair 4 is turned by the frequency 0.0123, where 0.01 is right; the other pairs "
     "are right"},
    {TABLE, "rope?dim=16&pos=0:24", a_pair_has_no_frequency, NULL,
     "pair 4 is turned by no frequency; the other pairs are right"},
    {"rope?dim=16&pos=0:24&out=cos", "rope?dim=16&pos=0:24", a_pair_has_no_frequency, NULL,
     "pair 4 is turned by no frequency; the other pairs are right"},
    {WIDE, "rope?dim=16&pos=0:24&width=full&pairing=half", second_copy_is_zero, "other-columns",
     "columns 8:16 are zero: never written; the other columns are right"},
    {GRID, "rope2d-axial?grid=4x6&dim=16", second_axis_is_the_first, "other-columns",
     "pairs 4:8 are turned by the coordinates and frequencies of pairs 0:4; the "
     "other pairs are right"},
    {"mrope?dim=16&mrope_section=3,2,3&ids=" IDS "&out=cos,sin",
     "mrope?dim=16&mrope_section=2,3,3&ids=" IDS, NULL, "mrope_section",
     "pair 2 is turned at its frequency along another axis, by the coordinates of "
     "pair 0; the other pairs are right"},
    {PART, "rope/apply?pos=0:24&rotary_dim=8&pairing=half", partners_stand_at_the_end,
     "other-columns",
     "the partner of column i is i + 12 where this claim has i + 4, and 4 of 4 "
     "frequencies are right"},
    {PART, "rope/apply?pos=0:24&rotary_dim=8&pairing=half", columns_in_the_middle_turn,
     "other-columns",
     "pair i turns in columns i + 5 and i + 11 where this claim has columns i and i "
     "+ 4, and 4 of 4 frequencies are right"},
    {PART, "rope/apply?pos=0:24&rotary_dim=8&pairing=half", every_second_column_turns,
     "other-columns",
     "pair i turns in columns 2i and 2i + 9 where this claim has columns i and i + "
     "4, and 4 of 4 frequencies are right"},
    {PART, "rope/apply?pos=0:24&rotary_dim=8&pairing=half", partners_are_far_and_faster, NULL,
     "the partner of column i is i + 12 where this claim has i + 4, and 0 of 4 "
     "frequencies are right; pairs 0:4 are turned by 2 times their frequencies"},
    {PART, "rope/apply?pos=0:24&rotary_dim=8&pairing=half", last_columns_of_vectors_are_zero,
     "other-columns", "columns 8:16 are zero: never written"},
    {WHOLE, "rope/apply?pos=0:24&pairing=half", last_pairs_of_vectors_are_kept, "other-columns",
     "pairs 5:8 are not turned; the other pairs are right"},
};

static void make(struct verify_case *made, size_t number)
{
    verify_case_of(made, cases[number].request);
    if (cases[number].change)
        cases[number].change(made);
    verify_case_claim(made, cases[number].claim);
}

/* Opens the claim of a case and its candidate. */
static struct candidate *open_claim(struct claim *claim, struct verify_case *made,
                                    const struct pe_limits *limits)
{
    ck_assert(
        claim_init(claim, made->claim, made->tensor, made->count, made->role, NULL, limits));
    struct candidate *base = candidate_new(claim, NULL, NULL);
    ck_assert_ptr_nonnull(base);
    return base;
}

START_TEST(what_turns_each_pair_is_read_from_the_numbers)
{
    struct verify_case made;
    struct column_list list;
    struct claim claim;
    char says[PE_VERIFY_SENTENCE];

    make(&made, (size_t)_i);
    struct candidate *base = open_claim(&claim, &made, &verify_case_limits);
    const double before = claim.operations;
    ck_assert(solve_columns(&list, base));
    ck_assert_double_gt(claim.operations, before);
    column_list_say(&list, says, sizeof says);
    ck_assert_str_eq(says, cases[_i].says);
    solve_columns_fini(&list);
    candidate_free(base);
    claim_fini(&claim);
    verify_case_free(&made);
}
END_TEST

START_TEST(a_verdict_says_it_and_names_a_mistake_where_pairs_have_what_is_of_others)
{
    struct verify_case made;

    make(&made, (size_t)_i);
    struct pe_verdict *verdict = verify_case_verdict(&made);
    if (cases[_i].slug) {
        ck_assert_int_eq(verdict->kind, PE_MISTAKE);
        ck_assert_str_eq(verdict->explanation.mistake[0].slug, cases[_i].slug);
        if (strcmp(cases[_i].slug, "other-columns") == 0)
            ck_assert_str_eq(verdict->explanation.mistake[0].says, cases[_i].says);
    } else if (verdict->kind == PE_UNEXPLAINED) {
        ck_assert_ptr_nonnull(strstr(verdict->says, cases[_i].says));
    } else {
        ck_assert_uint_eq(verdict->explanation.count, 2); /* a partner and a number */
    }
    ck_assert_uint_gt(verdict->finding_count, 0);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

START_TEST(findings_have_each_run_of_pairs)
{
    struct verify_case made;

    make(&made, 0);
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_uint_eq(verdict->finding_count, 2);
    ck_assert_str_eq(verdict->finding[0].axis, "pairs");
    ck_assert(verdict->finding[0].right && !verdict->finding[1].right);
    ck_assert_uint_eq(verdict->finding[1].from, 5);
    ck_assert_uint_eq(verdict->finding[1].to, 8);
    ck_assert_str_eq(verdict->finding[1].is, "turned by 8 times their frequencies");
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

START_TEST(right_columns_and_columns_of_other_positions_say_nothing)
{
    static const struct {
        const char *made, *claim;
    } others[] = {
        {TABLE, "rope?dim=16&pos=0:24"},
        {TABLE, "rope?dim=16&pos=3:27"},
        /* cosines alone say no frequency */
        {"rope?dim=16&pos=1000000:1000024&out=cos", "rope?dim=16&pos=0:24"},
    };
    struct column_list list;
    struct verify_case made;
    struct claim claim;

    verify_case_of(&made, others[_i].made);
    verify_case_claim(&made, others[_i].claim);
    struct candidate *base = open_claim(&claim, &made, &verify_case_limits);
    ck_assert(!solve_columns(&list, base));
    ck_assert(!claim.failed);
    candidate_free(base);
    claim_fini(&claim);
    verify_case_free(&made);
}
END_TEST

START_TEST(a_search_that_is_stopped_reads_no_columns)
{
    struct pe_limits limits = verify_case_limits;
    struct pe_stop stop = {0};
    struct column_list list;
    struct verify_case made;
    struct claim claim;

    limits.stop = &stop;
    make(&made, 0);
    struct candidate *base = open_claim(&claim, &made, &limits);
    pe_stop_set(&stop);
    ck_assert(!solve_columns(&list, base));
    candidate_free(base);
    claim_fini(&claim);
    verify_case_free(&made);
}
END_TEST

SUITE(solve_columns, TEST_EACH(what_turns_each_pair_is_read_from_the_numbers, cases),
      TEST_EACH(a_verdict_says_it_and_names_a_mistake_where_pairs_have_what_is_of_others,
                cases),
      TEST(findings_have_each_run_of_pairs),
      TEST_RANGE(right_columns_and_columns_of_other_positions_say_nothing, 0, 3),
      TEST(a_search_that_is_stopped_reads_no_columns));
