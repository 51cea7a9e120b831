/* SPDX-License-Identifier: Apache-2.0
 * test_shuffled.c - numbers of a claim in another order: hypotheses give the candidate rows of
 * other shapes than the tensor has, and none is read or written beyond its end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

enum { IDS_MOST = 32 };

/* Ids in other orders. */
static const struct {
    const char *claim, *tensor;
    size_t count;
    int64_t ids[IDS_MOST];
} shuffled[] = {
    {"ids-packed?lengths=5,9,3",
     "positions",
     17,
     {8, 14, 6, 3, 15, 2, 12, 10, 9, 1, 13, 4, 7, 0, 5, 11, 16}},
    {"ids-chatglm2d?len=7&context=4&mask_position=2", "position_ids", 7, {3, 2, 2, 2, 0, 2, 1}},
    {"pose?len=8&max_position=32&seed=42", "ids", 8, {5, 8, 1, 7, 9, 0, 6, 2}},
    {"random-offset?len=4&max_offset=100&seed=42", "ids", 4, {61, 58, 60, 59}},
    {"random-positions?len=4&max_position=16&seed=42", "ids", 4, {14, 1, 8, 2}},
};

/* Judges the tensors against the claim; a verdict of another kind fails the test. */
static void expect(struct verify_case *made, const char *claim, enum pe_verdict_kind kind)
{
    verify_case_claim(made, claim);
    struct pe_verdict *verdict = verify_case_verdict(made);
    char *text = verify_case_text(verdict);

    ck_assert_msg(verdict->kind == kind, "%s is %s", claim, text);
    free(text);
    pe_verdict_free(verdict);
}

START_TEST(shuffled_ids_are_judged_by_hypotheses_of_other_lengths)
{
    struct verify_case made = {.count = 0};
    const uint64_t count = shuffled[_i].count;

    verify_case_add(&made, shuffled[_i].tensor, PE_I64, 1, &count, shuffled[_i].ids);
    expect(&made, shuffled[_i].claim, PE_UNEXPLAINED);
    verify_case_free(&made);
}
END_TEST

/* Puts the elements of a tensor in another order. */
static void shuffle(struct verify_case *made, size_t tensor, uint64_t seed)
{
    struct core_random random = {seed};

    for (uint64_t i = verify_case_elements(made, tensor); i > 1; i--) {
        const uint64_t j = (uint64_t)core_random_whole(&random, 0, (int64_t)i - 1);
        const double kept = verify_case_get(made, tensor, i - 1);

        verify_case_set(made, tensor, i - 1, verify_case_get(made, tensor, j));
        verify_case_set(made, tensor, j, kept);
    }
}

START_TEST(shuffled_ids_beside_a_number_of_their_own_are_judged)
{
    static const char segments[] = "ids-mrope?segments=text:3,image:1x4x6,text:2";
    char request[VERIFY_CASE_REQUEST];
    struct verify_case made;

    snprintf(request, sizeof request, "%s&out=ids,rope_delta", segments);
    verify_case_of(&made, request);
    shuffle(&made, 0, (uint64_t)_i);
    expect(&made, segments, PE_UNEXPLAINED);
    verify_case_free(&made);
}
END_TEST

START_TEST(exchanged_axes_are_found_beside_a_number_that_has_no_axes)
{
    static const char segments[] = "ids-mrope?segments=text:3,image:1x4x6,text:2";
    char request[VERIFY_CASE_REQUEST];
    struct verify_case made;

    snprintf(request, sizeof request, "%s&out=ids,rope_delta", segments);
    verify_case_of(&made, request);
    const uint64_t tokens = made.tensor[0].info.dims[1];
    for (uint64_t i = 0; i < tokens; i++) {
        const double height = verify_case_get(&made, 0, tokens + i);

        verify_case_set(&made, 0, tokens + i, verify_case_get(&made, 0, 2 * tokens + i));
        verify_case_set(&made, 0, 2 * tokens + i, height);
    }
    expect(&made, segments, PE_MISTAKE);
    verify_case_free(&made);
}
END_TEST

/* Frames that come fastest, in cosines and sines alike. */
START_TEST(rows_of_two_tables_in_another_order_of_a_grid_are_found)
{
    static const char claim[] = "rope-axes?preset=wan&dim=128&grid_sizes=2,3,4";
    char request[VERIFY_CASE_REQUEST];
    struct verify_case right, made;

    snprintf(request, sizeof request, "%s&out=cos,sin", claim);
    verify_case_of(&right, request);
    verify_case_of(&made, request);
    for (size_t tensor = 0; tensor < made.count; tensor++) {
        const uint64_t cols = made.tensor[tensor].info.dims[1];

        for (uint64_t row = 0; row < 24; row++) /* (h w) t from t (h w) */
            for (uint64_t col = 0; col < cols; col++)
                verify_case_set(
                    &made, tensor, row * cols + col,
                    verify_case_get(&right, tensor, (row % 2 * 12 + row / 2) * cols + col));
    }
    expect(&made, claim, PE_MISTAKE);
    verify_case_free(&made);
    verify_case_free(&right);
}
END_TEST

SUITE(shuffled, TEST_EACH(shuffled_ids_are_judged_by_hypotheses_of_other_lengths, shuffled),
      TEST_RANGE(shuffled_ids_beside_a_number_of_their_own_are_judged, 0, 4),
      TEST(exchanged_axes_are_found_beside_a_number_that_has_no_axes),
      TEST(rows_of_two_tables_in_another_order_of_a_grid_are_found));
