/* SPDX-License-Identifier: Apache-2.0
 * test_verify_alone.c - what an identification leaves out of a search changes no verdict: right
 * numbers are right, one mistake is the same one, and where verify_alone says that there is
 * none, pe_verify finds no single one either. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "core/verify/verify.h"
#include "core/verify/view_fit.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/core_random.h"
#include "tests/support/stop_looks.h"
#include "tests/support/suite.h"

/* ---- the law ----------------------------------------------------------------------------- */

static bool is_right(const struct pe_verdict *verdict)
{
    return verdict->kind == PE_EXACT || verdict->kind == PE_PROFILE;
}

static bool is_single(const struct pe_verdict *verdict)
{
    return verdict->kind == PE_MISTAKE && verdict->explanation.count == 1;
}

/* Judges hypotheses alone, with so many operations; NULL: the shapes are refused. */
static struct pe_verdict *judge_within(struct verify_case *made, double operations,
                                       const struct pe_limits *limits)
{
    struct pe_errors errors = {.count = 0};
    struct pe_verdict *verdict = NULL;
    enum pe_status status = verify_alone(&verdict, made->claim, made->tensor, made->count,
                                         made->role, operations, limits, &errors);

    ck_assert_int_eq(status == PE_OK, verdict != NULL);
    return verdict;
}

static struct pe_verdict *judge_alone(struct verify_case *made, const struct pe_limits *limits)
{
    return judge_within(made, INFINITY, limits);
}

/* Looks at the stop after which a search for two mistakes ends where one explains nothing: it
 * would take seconds. */
enum { LOOKS = 100 };

/* Compares verify_alone with the whole search, and returns its verdict, which the caller frees;
 * NULL: the shapes are refused. */
static struct pe_verdict *compare(struct verify_case *made, const char *request)
{
    struct pe_errors errors = {.count = 0};
    struct pe_verdict *whole = NULL;

    struct pe_verdict *alone = judge_alone(made, &verify_case_limits);
    if (!alone || alone->kind == PE_UNEXPLAINED)
        stop_looks_begin(LOOKS);
    enum pe_status status = verify_case_try(made, &whole, &errors);
    stop_looks_begin(0);
    if (!alone || alone->kind == PE_UNEXPLAINED) {
        ck_assert_msg(status != PE_OK || !(is_right(whole) || is_single(whole)),
                      "%s: only the whole search explains it", request);
    } else {
        ck_assert_int_eq(status, PE_OK);
        char *one = verify_case_text(alone), *other = verify_case_text(whole);

        ck_assert_msg(strcmp(one, other) == 0, "%s: %s alone, %s", request, one, other);
        ck_assert_int_eq(alone->explanation.found != NULL, whole->explanation.found != NULL);
        free(one);
        free(other);
    }
    pe_verdict_free(whole);
    return alone;
}

/* ---- every encoding ---------------------------------------------------------------------- */

/* Requests of an encoding: each output of each example. */
static size_t requests_of(const struct pe_encoding *enc, size_t most,
                          char (*requests)[VERIFY_CASE_REQUEST])
{
    size_t count = 0;

    for (const char *const *example = pe_examples(enc); *example; example++)
        for (size_t i = 0; i < enc->output_count && count < most; i++)
            count +=
                verify_case_request(requests[count], enc, *example, enc->outputs[i].name, NULL);
    return count;
}

enum { REQUESTS = 4 };

START_TEST(right_numbers_are_exact_alone)
{
    static char requests[REQUESTS][VERIFY_CASE_REQUEST];
    const size_t count = requests_of(pe_at((size_t)_i), REQUESTS, requests);

    ck_assert_uint_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        struct verify_case made;

        verify_case_of(&made, requests[i]);
        verify_case_claim(&made, requests[i]);
        struct pe_verdict *verdict = judge_alone(&made, &verify_case_limits);

        ck_assert_msg(verdict && verdict->kind == PE_EXACT, "%s", requests[i]);
        pe_verdict_free(verdict);
        verify_case_free(&made);
    }
}
END_TEST

/* The claim is the next request of the same encoding: other arguments, or another output. */
START_TEST(numbers_of_another_request_are_judged_alike)
{
    static char requests[REQUESTS][VERIFY_CASE_REQUEST];
    const size_t count = requests_of(pe_at((size_t)_i), REQUESTS, requests);

    for (size_t i = 0; i + 1 < count; i++) {
        struct pe_errors errors = {.count = 0};
        struct verify_case made;

        verify_case_of(&made, requests[i]);
        if (verify_case_try_claim(&made, requests[i + 1], &errors) == PE_OK)
            pe_verdict_free(compare(&made, requests[i]));
        verify_case_free(&made);
    }
}
END_TEST

static void put_one_off(struct verify_case *made, size_t last, uint64_t count)
{
    verify_case_set(made, last, count / 2, verify_case_get(made, last, count / 2) + 3);
}

static void turn_around(struct verify_case *made, size_t last, uint64_t count)
{
    for (uint64_t i = 0; i < count / 2; i++) {
        const double one = verify_case_get(made, last, i);

        verify_case_set(made, last, i, verify_case_get(made, last, count - 1 - i));
        verify_case_set(made, last, count - 1 - i, one);
    }
}

static void negate(struct verify_case *made, size_t last, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        verify_case_set(made, last, i, -verify_case_get(made, last, i));
}

static void draw(struct verify_case *made, size_t last, uint64_t count)
{
    struct core_random random = {count};

    for (uint64_t i = 0; i < count; i++)
        verify_case_set(made, last, i, (double)core_random_whole(&random, 0, 1));
}

static void (*const changes[])(struct verify_case *made, size_t last,
                               uint64_t count) = {put_one_off, turn_around, negate, draw};

START_TEST(changed_numbers_are_judged_alike)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    static char requests[1][VERIFY_CASE_REQUEST];

    ck_assert_uint_eq(requests_of(enc, 1, requests), 1);
    for (size_t i = 0; i < PE_LEN(changes); i++) {
        struct verify_case made;

        verify_case_of(&made, requests[0]);
        changes[i](&made, made.count - 1, verify_case_elements(&made, made.count - 1));
        verify_case_claim(&made, requests[0]);
        pe_verdict_free(compare(&made, requests[0]));
        verify_case_free(&made);
    }
}
END_TEST

/* ---- what is found, and what is left out ------------------------------------------------- */

static const struct {
    const char *made, *claim, *alone; /* the verdict on hypotheses alone */
} pairs[] = {
    {"rope?dim=16&pos=0:12&base=500000&out=cos", "rope?dim=16&pos=0:12",
     "mistake base base 500000->10000"},
    {"rope?dim=16&pos=0:12&base=8123&out=cos", "rope?dim=16&pos=0:12",
     "mistake base base 8123->10000"},
    {"sinusoidal?dim=16&pos=1:13&out=rows", "sinusoidal?dim=16&pos=0:12",
     "mistake position-offset pos 1:13->0:12"},
    {"alibi?heads=8&len=16&out=bias", "alibi?heads=8&len=16", "exact"},
    {"rope?dim=16&pos=1:13&base=500000&out=cos", "rope?dim=16&pos=0:12", "unexplained"},
};

START_TEST(one_mistake_is_found_alone_and_two_are_not)
{
    struct verify_case made;

    verify_case_of(&made, pairs[_i].made);
    verify_case_claim(&made, pairs[_i].claim);
    struct pe_verdict *verdict = judge_alone(&made, &verify_case_limits);
    char *text = verify_case_text(verdict);

    ck_assert_str_eq(text, pairs[_i].alone);
    free(text);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

START_TEST(two_mistakes_are_no_part_of_the_search)
{
    struct pe_errors errors = {.count = 0};
    struct pe_stop stop = {0};
    struct pe_limits limits = verify_case_limits;
    struct verify_case made;

    limits.stop = &stop;
    verify_case_of(&made, "rope?dim=4&pos=0:4&out=cos");
    draw(&made, 0, verify_case_elements(&made, 0));
    verify_case_claim(&made, "rope?dim=4&pos=0:4");
    stop_looks_begin(0);
    struct pe_verdict *verdict = judge_alone(&made, &limits);
    const size_t alone = stop_looks_count();

    ck_assert_int_eq(verdict->kind, PE_UNEXPLAINED);
    ck_assert(!verdict->budget_spent);
    pe_verdict_free(verdict);
    stop_looks_begin(4 * alone);
    const enum pe_status status = verify_case_try(&made, &verdict, &errors);
    stop_looks_begin(0);
    ck_assert_int_eq(status, PE_STOPPED); /* the whole search is longer than four times that */
    verify_case_free(&made);
}
END_TEST

/* Another encoding whose bound is wider, rope-heads, has numbers within its bound of these. */
START_TEST(an_explanation_that_comes_no_nearer_is_none)
{
    struct core_random random = {7};
    struct verify_case made;

    verify_case_of(&made, "rope?dim=64&pos=0:32&out=cos,sin");
    for (size_t tensor = 0; tensor < made.count; tensor++)
        for (uint64_t i = 0; i < verify_case_elements(&made, tensor); i++) {
            const double noise = 1e-8 * (double)core_random_whole(&random, -80, 80);

            verify_case_set(&made, tensor, i, verify_case_get(&made, tensor, i) + noise);
        }
    verify_case_claim(&made, "rope?dim=64&pos=0:32");
    struct pe_verdict *verdict = judge_alone(&made, &verify_case_limits);

    ck_assert_int_ne(verdict->kind, PE_MISTAKE);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

/* ---- shapes ------------------------------------------------------------------------------ */

/* Makes the last tensor a batch of `batches` equal ones. */
static void batch(struct verify_case *made, uint64_t batches)
{
    const size_t last = made->count - 1;
    const struct pe_tensor info = made->tensor[last].info;
    const size_t bytes = (size_t)verify_case_elements(made, last) * pe_dtype_size(info.dtype);
    uint64_t dims[PE_MAX_RANK] = {batches};
    char *many = malloc(batches * bytes + 1), name[40];

    ck_assert_ptr_nonnull(many);
    memcpy(dims + 1, info.dims, info.rank * sizeof *dims);
    for (uint64_t i = 0; i < batches; i++)
        memcpy(many + i * bytes, made->data[last], bytes);
    memcpy(name, made->name[last], sizeof name);
    free(made->data[last]);
    made->count--;
    verify_case_add(made, name, info.dtype, info.rank + 1, dims, many);
    free(many);
}

/* Judges so many right tensors in a batch, the last number of which may be changed; true: the
 * verdict is that they are right. */
static bool batch_is_right(const char *request, uint64_t batches, bool changed)
{
    struct pe_errors errors = {.count = 0};
    struct verify_case made;
    struct pe_verdict *verdict = NULL;

    verify_case_of(&made, request);
    batch(&made, batches);
    const size_t last = made.count - 1;
    const uint64_t end = verify_case_elements(&made, last) - 1;
    if (changed)
        verify_case_set(&made, last, end, verify_case_get(&made, last, end) == 1 ? 0 : 1);
    if (verify_case_try_claim(&made, request, &errors) == PE_OK)
        verdict = judge_alone(&made, &verify_case_limits);
    const bool right = verdict && is_right(verdict);
    pe_verdict_free(verdict);
    verify_case_free(&made);
    return right;
}

static const char *const requests[] = {
    "alibi?heads=4&len=6&out=bias",
    "rope?dim=8&pos=0:6&out=cos",
    "causal-mask?len=4&out=mask",
    "sincos2d-mae?grid=2x3&dim=8&out=rows",
    "sinusoidal?dim=8&pos=0:6&out=rows",
    "t5?len=8&out=buckets",
    "ids-packed?lengths=5,9,3&out=positions",
};

START_TEST(a_batch_is_right_if_all_of_it_is)
{
    for (uint64_t batches = 1; batches <= 3; batches++) {
        ck_assert_msg(batch_is_right(requests[_i], batches, false), "%s", requests[_i]);
        ck_assert_msg(!batch_is_right(requests[_i], batches, true), "%s", requests[_i]);
    }
}
END_TEST

/* The numbers do not exist, and a walk over so many would not end. */
START_TEST(an_axis_of_one_is_constant_without_a_look_at_its_elements)
{
    const struct pe_verify_tensor tensor = {
        .info = {.dtype = PE_F32, .rank = 2, .dims = {1, (uint64_t)1 << 44}}};
    const uint64_t dims[] = {7};
    struct view view = view_of(&tensor);
    char fits[PE_VERIFY_TEXT];

    ck_assert(!view_fit(&view, dims, 1, fits));
}
END_TEST

/* Numbers that nothing explains take all hypotheses. */
START_TEST(a_search_ends_with_the_operations_that_it_may_take)
{
    const double most = 1e5;
    struct verify_case made;

    verify_case_of(&made, "causal-mask?len=24&out=mask");
    for (uint64_t i = 0; i < verify_case_elements(&made, 0); i++)
        verify_case_set(&made, 0, i, (double)(i * i % 7 < 3));
    verify_case_claim(&made, "causal-mask?len=24");
    struct pe_verdict *whole = judge_alone(&made, &verify_case_limits);
    struct pe_verdict *cut = judge_within(&made, most, &verify_case_limits);
    ck_assert_int_eq(whole->kind, PE_UNEXPLAINED);
    ck_assert(!whole->budget_spent);
    ck_assert(cut->budget_spent);
    ck_assert_double_gt(whole->operations, 20 * most);
    ck_assert_double_lt(cut->operations, 10 * most);
    pe_verdict_free(cut);
    pe_verdict_free(whole);
    verify_case_free(&made);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_COUNTED(right_numbers_are_exact_alone, pe_count),
    TEST_COUNTED(numbers_of_another_request_are_judged_alike, pe_count),
    TEST_COUNTED(changed_numbers_are_judged_alike, pe_count),
    TEST_EACH(one_mistake_is_found_alone_and_two_are_not, pairs),
    TEST(two_mistakes_are_no_part_of_the_search),
    TEST(a_search_ends_with_the_operations_that_it_may_take),
    TEST(an_explanation_that_comes_no_nearer_is_none),
    TEST_EACH(a_batch_is_right_if_all_of_it_is, requests),
    TEST(an_axis_of_one_is_constant_without_a_look_at_its_elements),
};

/* A plan of rope-golden-gate takes a quarter of a second, and a test makes some. */
const struct suite verify_alone_suite = {SUITE_TESTS(tests), .timeout = 30};
