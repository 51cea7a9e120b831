/* SPDX-License-Identifier: Apache-2.0
 * test_verify.c - verdicts on numbers of one request against the claim of another, what a
 * verdict tells of a tensor, and that it is the same in every thread. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

#define LLAMA "dim=128&base=500000&pos=0:64"
/* The slowest pair turns once in 190 positions. */
#define QUARTER "&scaling=proportional&partial_rotary_factor=0.25"
#define SCALED "&scaling=llama3&factor=8&original_max_position_embeddings=8192"

static const struct {
    const char *made, *claim, *verdict;
} verdicts[] = {
    {"rope?" LLAMA "&out=cos,sin", "rope?" LLAMA, "exact"},
    {"rope?" LLAMA "&out=cos,sin&width=full", "rope?" LLAMA, "exact"},
    {"rope?" LLAMA "&out=cos,sin&profile=f32-pow", "rope?" LLAMA, "profile f32-pow"},
    {"rope?dim=128&pos=0:64&out=cos,sin", "rope?" LLAMA, "mistake base base 10000->500000"},
    {"rope?dim=128&base=123456.7&pos=0:64&out=cos,sin", "rope?" LLAMA,
     "mistake base base 123456.7->500000"},
    {"rope?" LLAMA "&out=cos,sin", "rope?" LLAMA SCALED,
     "mistake scaling scaling none->llama3"},
    {"rope?dim=128&base=500000&pos=1:65&out=cos,sin", "rope?" LLAMA,
     "mistake position-offset pos 1:65->0:64"},
    {"rope?dim=128&pos=1:65&out=cos,sin", "rope?" LLAMA,
     "mistake base base 10000->500000 + position-offset pos 1:65->0:64"},
    {"rope?dim=512&base=1000000" QUARTER "&pos=1:129:8&out=cos,sin",
     "rope?dim=512&base=1000000" QUARTER "&pos=1:17", "mistake stride pos 1:129:8->1:17"},
    {"rope?dim=8&base=10&pos=5:305:10&out=cos,sin", "rope?dim=8&base=10&pos=5:35",
     "mistake stride pos 5:305:10->5:35"},
    {"rope/apply?pos=0:8&x=f32[8,2,16]&seq_axis=0&pairing=adjacent&out=x",
     "rope/apply?pos=0:8&seq_axis=0&pairing=half", "mistake pairing pairing adjacent->half"},
    {"causal-mask?len=6&out=mask&true_means=masked", "causal-mask?len=6",
     "mistake true_means true_means masked->attend"},
    {"sliding-window-mask?len=9&window=4&out=mask", "sliding-window-mask?len=9&window=3",
     "mistake window window 4->3"},
    {"rope?dim=8&resonance=0&out=inv_freq", "rope?dim=8&resonance=1",
     "mistake resonance resonance ->1"},
    {"sinusoidal?dim=8&pos=0:16&out=rows", "sinusoidal?dim=8&pos=0:16&padding_idx=0",
     "mistake padding_idx padding_idx ->0"},
    {"learned?attention_mask=1,1,1,1,1&convention=opt&table=f32[8,2]&out=rows",
     "learned?attention_mask=0,0,1,1,1&convention=opt&table=f32[8,2]", "mistake left-padding"},
    {"rope/apply?pos=0:4&x=f32[6,4,16]&seq_axis=1&out=x", "rope/apply?pos=0:6&seq_axis=0",
     "mistake seq_axis seq_axis 1->0 pos 0:4->0:6"},
    {"shaw?len=24&max_left=4&max_right=7&out=index", "shaw?len=24&max_left=4&max_right=4",
     "mistake max_right max_right 7->4"},
    {"global-local-mask?len=16&half_window=2&global_tokens=0,9&out=mask",
     "global-local-mask?len=16&half_window=2&global_tokens=0",
     "mistake global_tokens global_tokens 0,9->0"},
    {"swinv2?window_size=4x4&pretrained_window=8x8&out=coords",
     "swinv2?window_size=4x4&pretrained_window=12x12",
     "mistake pretrained_window pretrained_window 8x8->12x12"},
    {"t5?len=24&bidirectional=0&out=buckets", "t5?len=24&bidirectional=1",
     "mistake bidirectional bidirectional 0->1"},
    {"rope?dim=16&pos=0:12&out=cos,sin", "rope?dim=16&pos=0:12&partial_rotary_factor=0.5",
     "mistake rotary_dim rotary_dim 16->8"},
    {"rope?dim=16&base=4.641588833612779&out=inv_freq", "rope?dim=16", "mistake exponent-dim"},
    {"rope?dim=16&pos=2,1,0,1,2&out=cos,sin", "rope?dim=16&pos=-2:3", "mistake sign-lost"},
    {"mrope?dim=16&mrope_section=2,3,3&ids=0,0,0;1,2,1;1,3,1;1,2,2;1,3,2&out=cos,sin",
     "mrope?dim=16&mrope_section=2,3,3&ids=0,0,0;1,1,2;1,1,3;1,2,2;1,2,3",
     "mistake axes-swapped"},
    {"rope/apply?x=f32[6,8]&pos=0:6&rotary_dim=2&offset_dims=6",
     "rope/apply?pos=0:6&rotary_dim=2", "mistake offset_dims offset_dims 6->0"},
};

START_TEST(numbers_of_one_request_are_judged_against_another)
{
    struct pe_verdict *verdict = verify_case_compare(verdicts[_i].made, verdicts[_i].claim);
    char *text = verify_case_text(verdict);

    ck_assert_msg(strcmp(text, verdicts[_i].verdict) == 0, "%s against %s is %s",
                  verdicts[_i].made, verdicts[_i].claim, text);
    ck_assert_uint_gt(strlen(verdict->says), 10);
    free(text);
    pe_verdict_free(verdict);
}
END_TEST

/* Tensors without elements: of queries without keys, and of no queries. */
static const struct {
    const char *claim;
    uint64_t dims[2];
} empty[] = {{"t5?q=0:9&k=0:0", {9, 0}}, {"t5?q=0:0&k=0:9", {0, 9}}};

START_TEST(a_tensor_without_elements_is_exact)
{
    struct verify_case made = {.count = 0};

    verify_case_add(&made, "buckets", PE_I64, 2, empty[_i].dims, "");
    verify_case_claim(&made, empty[_i].claim);
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_int_eq(verdict->kind, PE_EXACT);
    ck_assert_uint_eq(verdict->tensor[0].of, 0);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

/* ---- what is told ------------------------------------------------------------------------ */

START_TEST(the_first_element_that_differs_and_the_largest_distance_are_told)
{
    struct verify_case made;

    verify_case_of(&made, "rope?dim=8&pos=0:16&out=cos&dtype=f64");
    verify_case_set(&made, 0, 9, 7);   /* row 2, pair 1 */
    verify_case_set(&made, 0, 63, 17); /* row 15, pair 3 */
    verify_case_claim(&made, "rope?dim=8&pos=0:16");
    struct pe_verdict *verdict = verify_case_verdict(&made);
    const struct pe_tensor_verdict *tensor = &verdict->tensor[0];
    ck_assert_int_eq(verdict->kind, PE_UNEXPLAINED);
    ck_assert_uint_eq(tensor->differs, 2);
    ck_assert_uint_eq(tensor->of, 64);
    ck_assert_uint_eq(tensor->rank, 2);
    ck_assert_uint_eq(tensor->first[0], 2);
    ck_assert_uint_eq(tensor->first[1], 1);
    ck_assert_uint_eq(tensor->max_abs_at[0], 15);
    ck_assert_uint_eq(tensor->max_abs_at[1], 3);
    ck_assert(tensor->max_abs > 15.9 && tensor->max_abs < 18);
    ck_assert_uint_eq(tensor->rows_differ, 2);
    ck_assert(tensor->finite && tensor->has_pairs);
    ck_assert_str_eq(tensor->pair_columns, "i");
    ck_assert_uint_eq(tensor->wrong_rows.range_count, 2);
    ck_assert_uint_eq(tensor->wrong_rows.range[1].first, 15);
    ck_assert_uint_eq(tensor->wrong_rows.range[1].end, 16);
    ck_assert_uint_eq(tensor->wrong_columns.range[0].first, 1);
    ck_assert(tensor->wrong_columns.most[3] == tensor->max_abs);
    ck_assert_ptr_nonnull(strstr(verdict->says, ": row 2 is of no position, row 15 is of no "
                                                "position; the other rows are right; the first "
                                                "element that differs is [2, 1]"));
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

START_TEST(an_explanation_has_its_evidence_and_arguments_that_give_the_numbers)
{
    struct pe_verdict *verdict = verify_case_compare("rope?dim=64&pos=0:32&out=cos,sin",
                                                     "rope?dim=64&base=1000000&pos=0:32");
    const struct pe_explanation *explanation = &verdict->explanation;
    const struct pe_verify_evidence *evidence = &explanation->mistake[0].evidence;

    ck_assert_uint_eq(explanation->count, 1);
    ck_assert(evidence->within <= 1 && evidence->max_abs < 1e-6 && evidence->without > 0.5);
    ck_assert_uint_eq(evidence->rows, 64);
    ck_assert(explanation->mistake[0].change[0].numeric);
    ck_assert_ptr_nonnull(explanation->found);
    ck_assert_uint_gt(verdict->tested, 1);
    ck_assert_str_eq(verdict->says,
                     "cos and sin: the frequencies have base 10000 where 1000000 is right");
    ck_assert_str_eq(explanation->mistake[0].fix,
                     "set base (rope_theta) to 1000000 in place of 10000");
    ck_assert_str_eq(explanation->mistake[0].code,
                     "inv_freq = 1000000 ** (-np.arange(0, rotary_dim, 2) / rotary_dim)");
    pe_verdict_free(verdict);
}
END_TEST

START_TEST(values_that_give_the_same_numbers_are_a_range)
{
    static const char claim[] =
        "rope?dim=64&scaling=yarn&factor=16&original_max_position_embeddings=4096&pos=0:64";
    char request[200];

    snprintf(request, sizeof request, "%s&beta_fast=16&out=cos,sin", claim);
    struct pe_verdict *verdict = verify_case_compare(request, claim);
    const struct pe_verify_change *change = &verdict->explanation.mistake[0].change[0];
    ck_assert_str_eq(change->parameter, "beta_fast");
    ck_assert(change->ranged);
    /* The edge of the ramp is pair 12, or 13 from 4096 / (2 pi 10000^(13/32)) on. */
    ck_assert(change->low > 15.4 && change->low < 15.5);
    ck_assert(change->high > 20.6 && change->high < 20.7);
    pe_verdict_free(verdict);

    verdict = verify_case_compare("rope?dim=64&pos=0:64&out=cos,sin",
                                  "rope?dim=64&base=500000&pos=0:64");
    ck_assert(!verdict->explanation.mistake[0].change[0].ranged);
    pe_verdict_free(verdict);
}
END_TEST

START_TEST(a_claim_whose_own_answer_is_refused_has_the_status_of_that_answer)
{
    static const double zeros[16];
    struct verify_case made = {.enc = pe_find("rope", 4)};
    struct pe_errors errors = {.count = 0};
    struct pe_verdict *verdict;

    verify_case_add(&made, "cos", PE_F64, 2, (const uint64_t[]){4, 4}, zeros);
    verify_case_claim(&made, "rope?dim=8&pos=0:100000000");
    ck_assert_int_eq(verify_case_try(&made, &verdict, &errors), PE_TOO_LARGE);
    verify_case_free(&made);
}
END_TEST

START_TEST(a_value_that_acts_as_another_is_told_as_it_was_given)
{
    struct verify_case made;

    verify_case_of(&made, "rope?dim=64&partial_rotary_factor=0.25&scaling=proportional&pos=0:8"
                          "&out=cos,sin");
    verify_case_claim(&made, "rope?dim=64&partial_rotary_factor=0.25&pos=0:8");
    struct pe_verdict *verdict = verify_case_verdict(&made);
    char *text = verify_case_text(verdict);
    ck_assert_str_eq(text, "mistake scaling scaling proportional->none");
    ck_assert(verdict->tensor[0].kind == PE_MISTAKE && isinf(verdict->tensor[0].max_abs));
    ck_assert_uint_eq(verdict->tensor[0].of, 0);
    free(text);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

/* Numbers and a claim about them: right ones, wrong ones, and one that leaves the width
 * open. */
static const struct {
    const char *made, *claim;
} short_of_memory[] = {
    {"rope?dim=4&pos=0:3&out=cos", "rope?dim=4&pos=0:3"},
    {"rope?dim=4&pos=0:3&out=cos", "rope?dim=4&pos=0:3&base=500000"},
    {"rope?dim=4&pos=0:3&out=cos", "rope?dim=4&pos=1:4"},
    {"rope?dim=4&pos=0:3&out=cos&width=full", "rope?dim=4&pos=0:3"},
    {"alibi?heads=2&len=4&max_bias=4&out=bias", "alibi?heads=2&len=4"},
    {"sliding-window-mask?len=6&window=3&out=mask", "causal-mask?len=6"},
    {"ids-packed?lengths=3,2&out=positions", "ids-packed?lengths=2,3"},
    {"learned?pos=3:7&table=f32[9,4]&out=rows", "resize-table-1d?new_len=4&table=f32[9,4]"},
};

START_TEST(without_memory_there_is_no_verdict_but_never_another_one)
{
    struct verify_case made;
    struct pe_verdict *verdict;
    struct pe_errors errors = {.count = 0};
    bool fired = true;

    verify_case_of(&made, short_of_memory[_i].made);
    verify_case_claim(&made, short_of_memory[_i].claim);
    struct pe_verdict *right = verify_case_verdict(&made);
    char *text = verify_case_text(right);
    for (size_t n = 0; fired; n += 1 + n / 16) {
        errors.count = 0;
        alloc_fail_start(n);
        enum pe_status status = verify_case_try(&made, &verdict, &errors);
        fired = alloc_fail_stop();
        if (status != PE_OK) {
            ck_assert_msg(status == PE_NO_MEMORY, "allocation %zu: status %d", n, (int)status);
            continue;
        }
        char *other = verify_case_text(verdict);
        ck_assert_msg(strcmp(text, other) == 0, "allocation %zu: %s, not %s", n, other, text);
        ck_assert_msg(verdict->tensor[0].has_pairs == right->tensor[0].has_pairs &&
                          verdict->other_count == right->other_count &&
                          verdict->tested == right->tested &&
                          !verdict->explanation.found == !right->explanation.found,
                      "allocation %zu: another verdict", n);
        free(other);
        pe_verdict_free(verdict);
    }
    free(text);
    pe_verdict_free(right);
    verify_case_free(&made);
}
END_TEST

START_TEST(zero_rows_are_exact)
{
    struct verify_case made = {.enc = pe_find("rope", 4)};

    verify_case_add(&made, "cos", PE_F32, 2, (const uint64_t[]){0, 4}, "");
    verify_case_claim(&made, "rope?dim=8&pos=0:0");
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_int_eq(verdict->kind, PE_EXACT);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

START_TEST(a_search_that_is_stopped_has_no_verdict)
{
    struct pe_stop stop = {0};
    struct pe_limits limits = verify_case_limits;
    struct pe_errors errors = {.count = 0};
    struct pe_verdict *verdict = NULL;
    struct verify_case made;

    verify_case_of(&made, "rope?dim=8&pos=0:16&out=cos");
    verify_case_claim(&made, "rope?dim=8&base=500000&pos=0:16");
    pe_stop_set(&stop);
    limits.stop = &stop;
    ck_assert_int_eq(pe_verify(&verdict, made.claim, made.tensor, made.count, made.role, NULL,
                               &limits, &errors),
                     PE_STOPPED);
    ck_assert_ptr_null(verdict);
    verify_case_free(&made);
}
END_TEST

/* ---- threads ----------------------------------------------------------------------------- */

enum { THREADS = 4 };

static void *judge(void *made)
{
    return verify_case_verdict(made);
}

static void expect_equal(const struct pe_verdict *one, const struct pe_verdict *other)
{
    char *text = verify_case_text(one), *again = verify_case_text(other);

    ck_assert_str_eq(text, again);
    ck_assert_str_eq(one->says, other->says);
    ck_assert_uint_eq(one->tested, other->tested);
    ck_assert_uint_eq(one->other_count, other->other_count);
    ck_assert(memcmp(&one->agree, &other->agree, sizeof one->agree) == 0);
    for (size_t i = 0; i < one->explanation.count; i++)
        ck_assert_mem_eq(&one->explanation.mistake[i].evidence,
                         &other->explanation.mistake[i].evidence,
                         sizeof(struct pe_verify_evidence));
    for (size_t i = 0; i < one->other_count; i++)
        ck_assert_str_eq(one->others[i].mistake[0].says, other->others[i].mistake[0].says);
    for (size_t i = 0; i < one->tensor_count; i++)
        ck_assert_mem_eq(&one->tensor[i].max_abs, &other->tensor[i].max_abs, sizeof(double));
    free(text);
    free(again);
}

START_TEST(every_thread_has_the_same_verdict)
{
    struct pe_verdict *verdict[THREADS];
    pthread_t thread[THREADS];
    struct verify_case made;

    verify_case_of(&made, "rope?dim=32&base=54321&pos=2:34&out=cos,sin");
    verify_case_claim(&made, "rope?dim=32&base=500000&pos=0:32");
    for (size_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, judge, &made), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *result;

        ck_assert_int_eq(pthread_join(thread[i], &result), 0);
        verdict[i] = result;
    }
    for (size_t i = 0; i < THREADS; i++)
        expect_equal(verdict[0], verdict[i]);
    for (size_t i = 0; i < THREADS; i++)
        pe_verdict_free(verdict[i]);
    verify_case_free(&made);
}
END_TEST

SUITE(verify, TEST_EACH(numbers_of_one_request_are_judged_against_another, verdicts),
      TEST(the_first_element_that_differs_and_the_largest_distance_are_told),
      TEST(an_explanation_has_its_evidence_and_arguments_that_give_the_numbers),
      TEST(values_that_give_the_same_numbers_are_a_range),
      TEST(a_claim_whose_own_answer_is_refused_has_the_status_of_that_answer),
      TEST_EACH(without_memory_there_is_no_verdict_but_never_another_one, short_of_memory),
      TEST(a_value_that_acts_as_another_is_told_as_it_was_given), TEST(zero_rows_are_exact),
      TEST_EACH(a_tensor_without_elements_is_exact, empty),
      TEST(a_search_that_is_stopped_has_no_verdict), TEST(every_thread_has_the_same_verdict));
