/* SPDX-License-Identifier: Apache-2.0
 * test_verify_laws.c - what holds for the numbers of every encoding: against their own claim
 * they are exact in each dtype; random numbers and NaN are unexplained. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/core_random.h"
#include "tests/support/stop_looks.h"
#include "tests/support/suite.h"

typedef void law(const char *request);

/* Checks the law for each output that the example can have in the dtype, which a request leaves
 * out where it is natural. Returns the number of such outputs. */
static int for_each_output(const struct pe_encoding *enc, const char *example,
                           enum pe_dtype dtype, law *holds)
{
    char request[VERIFY_CASE_REQUEST];
    int count = 0;

    for (size_t i = 0; i < enc->output_count; i++) {
        const char *name = dtype == enc->outputs[i].natural ? NULL : pe_dtype_name(dtype);

        if (!verify_case_request(request, enc, example, enc->outputs[i].name, name))
            continue;
        holds(request);
        count++;
    }
    return count;
}

/* Calls a law that takes long for the first output of reals that the first example has. */
static void expect_of_first(int number, law *holds)
{
    const struct pe_encoding *enc = pe_at((size_t)number);
    char request[VERIFY_CASE_REQUEST];

    for (size_t i = 0; i < enc->output_count; i++) {
        if (enc->outputs[i].natural != PE_F32 ||
            !verify_case_request(request, enc, pe_examples(enc)[0], enc->outputs[i].name, NULL))
            continue;
        holds(request);
        return;
    }
}

/* ---- right ------------------------------------------------------------------------------- */

/* Judges the tensors against the claim; the caller frees the verdict in short. */
static char *judge(struct verify_case *made, const char *request)
{
    verify_case_claim(made, request);
    struct pe_verdict *verdict = verify_case_verdict(made);
    char *text = verify_case_text(verdict);

    pe_verdict_free(verdict);
    return text;
}

static void is_exact(const char *request)
{
    struct verify_case made;

    verify_case_of(&made, request);
    char *text = judge(&made, request);
    ck_assert_msg(strcmp(text, "exact") == 0, "%s is %s", request, text);
    free(text);
    verify_case_free(&made);
}

START_TEST(numbers_are_exact_against_their_own_claim_in_every_dtype)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);

    for (const char *const *example = pe_examples(enc); *example; example++) {
        int count = 0;

        for (int dtype = 0; dtype < PE_DTYPE_COUNT; dtype++)
            count += for_each_output(enc, *example, (enum pe_dtype)dtype, is_exact);
        ck_assert_int_gt(count, 0);
    }
}
END_TEST

/* Widens the last tensor to float64. */
static void widen(struct verify_case *made)
{
    const size_t last = made->count - 1;
    const struct pe_tensor info = made->tensor[last].info;
    const uint64_t count = verify_case_elements(made, last);
    double *wide = calloc(count + 1, sizeof *wide);
    char name[40];

    pe_dtype_to_f64(info.dtype, wide, made->data[last], count);
    free(made->data[last]);
    made->count--;
    snprintf(name, sizeof name, "%s", made->name[last]);
    verify_case_add(made, name, PE_F64, info.rank, info.dims, wide);
    free(wide);
}

static void is_exact_when_widened(const char *request)
{
    struct verify_case made;

    verify_case_of(&made, request);
    if (made.tensor[made.count - 1].info.dtype == PE_F32) {
        widen(&made);
        char *text = judge(&made, request);

        ck_assert_msg(strcmp(text, "exact") == 0, "%s, widened, is %s", request, text);
        free(text);
    }
    verify_case_free(&made);
}

START_TEST(numbers_of_float32_are_exact_in_float64)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);

    for (const char *const *example = pe_examples(enc); *example; example++)
        for_each_output(enc, *example, PE_F32, is_exact_when_widened);
}
END_TEST

/* ---- neither right nor explained --------------------------------------------------------- */

/* Returns whether one number can be told from others. */
static bool says_much(const struct verify_case *made)
{
    return verify_case_elements(made, made->count - 1) >= 16;
}

static void random_is_unexplained(const char *request)
{
    struct core_random random = {strlen(request)};
    struct verify_case made;

    verify_case_of(&made, request);
    for (uint64_t i = 0; i < verify_case_elements(&made, made.count - 1); i++)
        verify_case_set(&made, made.count - 1, i, core_random_real(&random, -1, 1));
    if (says_much(&made)) {
        char *text = judge(&made, request);

        ck_assert_msg(strcmp(text, "unexplained") == 0, "random numbers for %s are %s", request,
                      text);
        free(text);
    }
    verify_case_free(&made);
}

START_TEST(random_numbers_are_unexplained)
{
    expect_of_first(_i, random_is_unexplained);
}
END_TEST

/* Calls the law for the first output of an example with each of the others. */
static void for_each_pair(const struct pe_encoding *enc, const char *example, law *holds)
{
    char request[VERIFY_CASE_REQUEST], pair[200];

    for (size_t i = 1; i < enc->output_count; i++) {
        snprintf(pair, sizeof pair, "%s,%s", enc->outputs[0].name, enc->outputs[i].name);
        if (verify_case_request(request, enc, example, pair, NULL))
            holds(request);
    }
}

START_TEST(pairs_of_outputs_are_exact)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);

    for (const char *const *example = pe_examples(enc); *example; example++)
        for_each_pair(enc, *example, is_exact);
}
END_TEST

enum { LOOKS = 20000 }; /* at the stop: of a search that has tried many mistakes */

/* Judges a pair of outputs after some numbers of the first were exchanged for others. */
static void judge_disturbed(const char *request)
{
    struct core_random random = {strlen(request)};
    struct pe_errors errors = {.count = 0};
    struct pe_verdict *verdict;
    struct verify_case made;

    verify_case_of(&made, request);
    const size_t first = made.count - 2;
    for (uint64_t i = 1; i < verify_case_elements(&made, first) && i < 6; i++)
        verify_case_set(&made, first, i, (double)core_random_whole(&random, 0, 99));
    verify_case_claim(&made, request);
    stop_looks_begin(LOOKS);
    if (verify_case_try(&made, &verdict, &errors) == PE_OK)
        pe_verdict_free(verdict);
    else
        ck_assert_uint_gt(errors.count, 0);
    stop_looks_begin(0);
    verify_case_free(&made);
}

/* Hypotheses about one output are tried on all that are judged together. */
START_TEST(wrong_numbers_beside_right_ones_are_judged)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);

    for_each_pair(enc, pe_examples(enc)[0], judge_disturbed);
}
END_TEST

static const char *const requests[] = {
    "alibi?heads=4&len=6&out=bias",
    "detr-sine?grid=2x3&num_pos_feats=4&out=rows",
    "laplacian-pe?nodes=4&edges=0,1;1,2;2,3&max_freqs=3&out=vectors",
    "rope?dim=8&pos=0:6&out=cos",
    "rope/apply?pos=0:2&x=1,2,3,4;5,6,7,8&out=x",
    "sincos2d-mae?grid=2x3&dim=8&out=rows",
    "causal-mask?len=4&out=additive",
};

START_TEST(a_nan_is_unexplained_and_said)
{
    struct verify_case made;

    verify_case_of(&made, requests[_i]);
    const size_t last = made.count - 1;
    verify_case_set(&made, last, verify_case_elements(&made, last) / 2, NAN);
    verify_case_claim(&made, requests[_i]);
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_int_eq(verdict->kind, PE_UNEXPLAINED);
    ck_assert(!verdict->tensor[last].finite);
    ck_assert_ptr_nonnull(
        strstr(verdict->says, "has NaN or infinity where the claim has none"));
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

SUITE(verify_laws,
      TEST_COUNTED(numbers_are_exact_against_their_own_claim_in_every_dtype, pe_count),
      TEST_COUNTED(numbers_of_float32_are_exact_in_float64, pe_count),
      TEST_COUNTED(random_numbers_are_unexplained, pe_count),
      TEST_COUNTED(pairs_of_outputs_are_exact, pe_count),
      TEST_COUNTED(wrong_numbers_beside_right_ones_are_judged, pe_count),
      TEST_EACH(a_nan_is_unexplained_and_said, requests));
