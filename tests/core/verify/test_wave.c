/* SPDX-License-Identifier: Apache-2.0
 * test_wave.c - the order of columns and the pairing of a turn are recognised by the numbers,
 * and numbers that are made from angles again are the same. */
#include "core/verify/wave.h"

#include <math.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "core/verify/expected.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

static const struct {
    const char *request;
    enum wave_kind kind;
    enum wave_order order;
    bool adjacent, inverse;
} layouts[] = {
    {"rope?dim=8&pos=0:6&out=cos", WAVE_COLUMNS, WAVE_COS, false, false},
    {"rope?dim=8&pos=0:6&out=sin", WAVE_COLUMNS, WAVE_SIN, false, false},
    {"rope?dim=8&pos=0:6&out=cos&width=full&pairing=half", WAVE_COLUMNS, WAVE_COS, false,
     false},
    {"rope?dim=8&pos=0:6&out=sin&width=full&pairing=adjacent", WAVE_COLUMNS, WAVE_SIN_TWICE,
     false, false},
    {"rope?dim=8&pos=0:6&out=cos&width=full&pairing=adjacent", WAVE_COLUMNS, WAVE_COS_TWICE,
     false, false},
    {"sinusoidal?dim=8&pos=0:6&layout=interleaved&out=rows", WAVE_COLUMNS, WAVE_SIN_COS_PAIRS,
     false, false},
    {"sinusoidal?dim=8&pos=0:6&layout=concat&out=rows", WAVE_COLUMNS, WAVE_SINES_FIRST, false,
     false},
    {"sinusoidal?dim=8&pos=0:6&layout=concat-cs&out=rows", WAVE_COLUMNS, WAVE_COSINES_FIRST,
     false, false},
    {"rope?dim=8&out=inv_freq", WAVE_FREQUENCIES, WAVE_COS, false, false},
    {"rope/apply?pos=0:6&x=f32[6,2,8]&seq_axis=0&pairing=half&out=x", WAVE_TURN, WAVE_COS,
     false, false},
    {"rope/apply?pos=0:6&x=f32[6,2,8]&seq_axis=0&pairing=adjacent&out=x", WAVE_TURN, WAVE_COS,
     true, false},
    {"rope/apply?pos=0:6&x=f32[6,2,8]&seq_axis=0&inverse=1&pairing=half&out=x", WAVE_TURN,
     WAVE_COS, false, true},
    {"alibi?heads=2&len=4&out=bias", WAVE_NONE, WAVE_COS, false, false},
};

/* Numbers of a request, their claim, and its candidate. */
struct seen {
    struct verify_case made;
    struct claim claim;
    struct candidate *candidate;
};

static void see(struct seen *seen, const char *request)
{
    verify_case_of(&seen->made, request);
    verify_case_claim(&seen->made, request);
    ck_assert(claim_init(&seen->claim, seen->made.claim, seen->made.tensor, seen->made.count,
                         seen->made.role, NULL, &verify_case_limits));
    seen->candidate = candidate_new(&seen->claim, NULL, NULL);
    ck_assert_ptr_nonnull(seen->candidate);
}

static void forget(struct seen *seen)
{
    candidate_free(seen->candidate);
    claim_fini(&seen->claim);
    verify_case_free(&seen->made);
}

START_TEST(a_layout_is_recognised_by_its_numbers)
{
    struct seen seen;

    see(&seen, layouts[_i].request);
    const struct wave *wave = &seen.candidate->wave[0];
    ck_assert_int_eq(wave->kind, layouts[_i].kind);
    if (wave->kind == WAVE_COLUMNS)
        ck_assert_int_eq(wave->order, layouts[_i].order);
    if (wave->kind == WAVE_TURN)
        ck_assert(wave->adjacent == layouts[_i].adjacent &&
                  wave->inverse == layouts[_i].inverse);
    forget(&seen);
}
END_TEST

START_TEST(numbers_that_are_made_again_lie_within_their_bounds)
{
    struct seen seen;

    see(&seen, layouts[_i].request);
    const size_t cols = (size_t)candidate_cols(seen.candidate, 0), last = seen.made.count - 1;
    double *expected = calloc(2 * cols, sizeof *expected);
    const struct row_buffer both = {expected, 2 * cols};
    for (uint64_t row = 0; row < candidate_rows(seen.candidate, 0); row++) {
        expected_row(seen.candidate, 0, row, row_buffer_part(both, 0, cols),
                     row_buffer_part(both, cols, cols));
        for (size_t i = 0; i < cols; i++) {
            double made = verify_case_get(&seen.made, last, row * cols + i);

            ck_assert(expected[cols + i] > 0);
            ck_assert(fabs(made - expected[i]) <= expected[cols + i] / 4);
        }
    }
    free(expected);
    forget(&seen);
}
END_TEST

SUITE(wave, TEST_EACH(a_layout_is_recognised_by_its_numbers, layouts),
      TEST_EACH(numbers_that_are_made_again_lie_within_their_bounds, layouts));
