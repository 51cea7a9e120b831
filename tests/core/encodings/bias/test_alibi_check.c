/* SPDX-License-Identifier: Apache-2.0
 * test_alibi_check.c - rules between ALiBi's parameters: the sentence for each, and which
 * values are said where they decide nothing. */
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

#define H "heads=2&"

static const struct core_refusal refused[] = {
    /* where */
    {H "q=0:4", PE_MISSING_PARAMETER, "k", "is required, or len: positions of the keys", ""},
    {H "k=0:4", PE_MISSING_PARAMETER, "q", "is required, or len: positions of the queries", ""},
    {H "k=0:4&form=key-index&causal=1", PE_MISSING_PARAMETER, "q", "is required, or len", ""},
    {H "len=4&q=0:4", PE_CONFLICT, "len", "means q=0:len and k=0:len; give it alone", ""},
    {H "len=4&k=0:4", PE_CONFLICT, "len", "means q=0:len and k=0:len; give it alone", ""},
    {H "len=-1", PE_OUT_OF_RANGE, "len", "must be a whole number, 0..9007199254740992; got -1",
     ""},
    {H "q=0.5&k=0:4", PE_BAD_VALUE, "q", "must be whole positions here; got 0.5", ""},
    {"len=4", PE_MISSING_PARAMETER, "heads", "is required: number of attention heads", ""},
    {"heads=0&len=4", PE_OUT_OF_RANGE, "heads", "must be a whole number, 1..4096; got 0", ""},
    {"heads=4097&len=4", PE_OUT_OF_RANGE, "heads", "1..4096; got 4097", ""},
    /* slopes */
    {H "len=4&slopes=1,2,3", PE_CONFLICT, "slopes", "must have one slope a head, 2; got 3", ""},
    {H "len=4&form=two-sided&slopes_left=1&slopes_right=1,2", PE_CONFLICT, "slopes_left",
     "must have one slope a head, 2; got 1", ""},
    {H "len=4&form=two-sided&slopes_left=1,2&slopes_right=1,2,3", PE_CONFLICT, "slopes_right",
     "must have one slope a head, 2; got 3", ""},
    {H "len=4&slopes=1,2&bias_max=4", PE_CONFLICT, "slopes",
     "takes slopes as given: bias_max, non_pow2 and order have no effect; leave them out", ""},
    {H "len=4&slopes=1,2&non_pow2=mpt", PE_CONFLICT, "slopes", "takes slopes as given", ""},
    {H "out=slopes&slopes=1,2&order=sorted", PE_CONFLICT, "slopes", "takes slopes as given",
     ""},
    {H "len=4&form=two-sided&slopes_left=1,2&slopes_right=1,2&bias_max=4", PE_CONFLICT, "form",
     "takes slopes as given", ""},
    {H "len=4&form=two-sided&slopes_left=1,2", PE_MISSING_PARAMETER, "slopes_right",
     "is required with form=two-sided", ""},
    {H "len=4&form=two-sided&slopes_right=1,2", PE_MISSING_PARAMETER, "slopes_left",
     "is required with form=two-sided", ""},
    {H "len=4&form=two-sided", PE_MISSING_PARAMETER, "slopes_left",
     "is required with form=two-sided", ""},
    {H "len=4&form=two-sided&slopes_left=1,2&slopes_right=1,2&slopes=1,2", PE_CONFLICT,
     "slopes", "has no effect with form=two-sided, which takes slopes_left and slopes_right",
     ""},
    {H "len=4&slopes_left=1,2", PE_CONFLICT, "slopes_left",
     "has no effect without form=two-sided", ""},
    {H "len=4&slopes_right=1,2", PE_CONFLICT, "slopes_right",
     "has no effect without form=two-sided", ""},
    {H "out=slopes&slopes_left=1,2", PE_CONFLICT, "slopes_left",
     "has no effect on out=slopes; leave it out", "out=bias uses it"},
    {H "len=4&partial_heads=1", PE_CONFLICT, "partial_heads",
     "must be at least heads, 2; got 1", ""},
    {H "len=4&applies=before_scale", PE_MISSING_PARAMETER, "softmax_scale",
     "is required with applies=before_scale", ""},
    {H "len=4&softmax_scale=0.125", PE_CONFLICT, "softmax_scale",
     "has no effect without applies=before_scale", ""},
    {H "len=4&bias_max=0", PE_OUT_OF_RANGE, "bias_max", "must be a number, ", ""},
    {H "len=4&non_pow2=papr", PE_BAD_VALUE, "non_pow2",
     "must be one of paper, geometric, mpt, naive_extra; got papr", "did you mean paper?"},
    /* masks */
    {H "len=4&mask_value=-inf", PE_CONFLICT, "mask_value",
     "has no effect: nothing is masked without causal=1", ""},
    {H "len=4&causal=1&future=zero&mask_value=-inf", PE_CONFLICT, "mask_value",
     "has no effect: nothing is masked", ""},
    {H "len=4&future=zero", PE_CONFLICT, "future", "has no effect without causal=1", ""},
    {H "len=4&causal=1&mask_value=-1e39", PE_CONFLICT, "mask_value",
     "must be within +-3.40282347e+38, the range of the dtype; got -1e+39", ""},
    {H "len=4&causal=1&mask_value=-65505&dtype=f16", PE_CONFLICT, "mask_value",
     "must be within +-65504, the range of the dtype; got -65505", ""},
    {H "len=4&causal=1&mask_value=-infinity", PE_BAD_VALUE, "mask_value", ", or min, or -inf",
     ""},
    {"heads=3&len=4&form=asymmetric", PE_CONFLICT, "heads",
     "must be even with form=asymmetric; got 3", ""},
    {H "len=4&form=asymmetric&causal=1", PE_CONFLICT, "causal",
     "must be 0 with form=asymmetric, which masks itself", ""},
    /* grids */
    {H "len=4&grid=2x2", PE_CONFLICT, "grid",
     "has no effect without form=manhattan or form=euclidean", ""},
    {H "len=4&form=manhattan", PE_MISSING_PARAMETER, "grid",
     "is required with this form, as 14x14", ""},
    {H "grid=2x2&form=euclidean&causal=1", PE_CONFLICT, "causal",
     "must be 0 on a grid, which has no future", ""},
    {H "grid=2x2&form=euclidean&q=0:5&k=0:4", PE_CONFLICT, "q",
     "must number the patches of the grid, 0..3", ""},
    {H "grid=2x2&form=euclidean&q=0:4&k=-1:4", PE_CONFLICT, "k",
     "must number the patches of the grid, 0..3", ""},
    /* toeplitz */
    {H "len=4&out=toeplitz&form=key-index", PE_CONFLICT, "out",
     "cannot be toeplitz: this form is no function of the difference; use out=bias", ""},
    {H "len=4&out=toeplitz&form=last-query", PE_CONFLICT, "out", "cannot be toeplitz", ""},
    {H "q=0:8:2&k=0:4&out=toeplitz", PE_CONFLICT, "q",
     "must be one slice of step 1 for out=toeplitz", ""},
    {H "q=0:4&k=0,2&out=toeplitz", PE_CONFLICT, "k",
     "must be one slice of step 1 for out=toeplitz", ""},
    {H "q=0:4,9&k=0:4&out=toeplitz", PE_CONFLICT, "q", "must be one slice of step 1", ""},
    {H "q=0:4&k=1,0&out=toeplitz", PE_CONFLICT, "k", "must be one slice of step 1", ""},
    /* padded */
    {H "out=padded_bias", PE_MISSING_PARAMETER, "attention_mask",
     "is required: rows of 0 (padding) and 1, one a sequence: 0,1,1;1,1,1", ""},
    {H "out=padded_bias&attention_mask=0,0.5", PE_BAD_VALUE, "attention_mask",
     "must hold 0 and 1 only; got 0.5", ""},
    {H "out=padded_bias&attention_mask=0,2", PE_OUT_OF_RANGE, "attention_mask",
     "must be rows of numbers 0..1", ""},
    {H "len=4&attention_mask=0,1", PE_CONFLICT, "attention_mask",
     "has no effect on out=bias; leave it out", "out=padded_bias uses it"},
    {H "len=4&from=symetric", PE_UNKNOWN_PARAMETER, "from", "unknown parameter of alibi",
     "did you mean form?"},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("alibi"), &refused[_i]);
}
END_TEST

static const struct {
    const char *query, *canonical;
} said[] = {
    {"heads=2&len=4",
     "applies=after_scale&bias_max=8&causal=0&dtype=f32&form=symmetric&heads=2&k=0:4&"
     "length_scale=1&out=bias&partial_heads=2&q=0:4"},
    {"heads=2&len=4&causal=1",
     "applies=after_scale&bias_max=8&causal=1&dtype=f32&form=symmetric&future=masked&heads=2&"
     "k=0:4&length_scale=1&mask_value=min&out=bias&"
     "partial_heads=2&q=0:4"},
    {"heads=2&len=4&causal=1&future=zero&slopes=1,2",
     "applies=after_scale&causal=1&dtype=f32&form=symmetric&future=zero&heads=2&k=0:4&"
     "length_scale=1&out=bias&partial_heads=2&q=0:4&slopes=1,2"},
    {"heads=2&out=slopes&q=0:4&k=0:4", /* positions are no error where they say nothing */
     "applies=after_scale&bias_max=8&dtype=f32&heads=2&length_scale=1&"
     "out=slopes&partial_heads=2"},
    {"heads=2&k=0:4&form=key-index",
     "applies=after_scale&bias_max=8&causal=0&dtype=f32&form=key-index&heads=2&k=0:4&"
     "length_scale=1&out=bias&partial_heads=2&q=0"},
    {"heads=2&grid=2x3&form=manhattan",
     "applies=after_scale&bias_max=8&causal=0&dtype=f32&form=manhattan&grid=2x3&heads=2&k=0:6&"
     "length_scale=1&out=bias&partial_heads=2&q=0:6"},
    {"heads=2&len=4&form=asymmetric",
     "applies=after_scale&bias_max=8&causal=0&dtype=f32&form=asymmetric&heads=2&k=0:4&"
     "length_scale=1&mask_value=min&out=bias&partial_heads=2&"
     "q=0:4"},
    {"heads=2&non_pow2=mpt&order=sorted&out=slopes&len=4", /* rules for other counts */
     "applies=after_scale&bias_max=8&dtype=f32&heads=2&length_scale=1&out=slopes&"
     "partial_heads=2"},
    {"heads=3&non_pow2=mpt&order=sorted&out=slopes",
     "applies=after_scale&bias_max=8&dtype=f32&heads=3&length_scale=1&non_pow2=mpt&"
     "order=sorted&out=slopes&partial_heads=3"},
};

START_TEST(only_what_decides_the_bytes_is_said)
{
    struct pe_args *args = core_query_checked(core_query_find("alibi"), said[_i].query);
    char *canonical = core_query_canonical(args);

    ck_assert_str_eq(canonical, said[_i].canonical);
    free(canonical);
    pe_args_free(args);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST_EACH(only_what_decides_the_bytes_is_said, said),
};

const struct suite alibi_check_suite = {SUITE_TESTS(tests)};
