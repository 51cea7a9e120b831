/* SPDX-License-Identifier: Apache-2.0
 * test_hf_layers_listed.c - tests types of layers that a list of numbers gives. */

#include "tests/proto/support/configs.h"
#include "tests/support/suite.h"

#define V4 "\"model_type\": \"deepseek_v4\", \"head_dim\": 64, \"rope_theta\": 10000"
#define LFM "\"model_type\": \"lfm2\", \"head_dim\": 64, \"rope_theta\": 1000000"

START_TEST(places_say_which_layers_have_attention)
{
    static const char *const none[] = {NULL};

    configs_expect("{" LFM ", \"num_hidden_layers\": 3, \"full_attn_idxs\": [0, 2]}",
                   "full_attention: rope?dim=64&base=1000000&pairing=half; conv: -", none);
    configs_expect("{" LFM ", \"full_attn_idxs\": [0, 2]}",
                   "rope?dim=64&base=1000000&pairing=half", none);
}
END_TEST

static const struct {
    const char *config, *parameter, *detail;
} wrong[] = {
    {"{" V4 ", \"compress_ratios\": [0, 5]}", "#/compress_ratios",
     "must be a list of 0, 4 and 128, one a layer"},
    {"{" V4 ", \"compress_ratios\": \"x\"}", "#/compress_ratios", "must be a list of 0, 4"},
    {"{" V4 ", \"num_hidden_layers\": 3, \"compress_ratios\": [0, 4]}", "#/compress_ratios",
     "one a layer"},
    {"{" V4 "}", "",
     "layers differ, but the configuration does not tell which; give layer_types"},
    {"{" LFM ", \"num_hidden_layers\": 2, \"full_attn_idxs\": [2]}", "#/full_attn_idxs",
     "must be a list of layers, each from 0 and below num_hidden_layers 2"},
    {"{" LFM ", \"num_hidden_layers\": 2, \"full_attn_idxs\": [0.5]}", "#/full_attn_idxs",
     "must be a list of layers"},
};

START_TEST(lists_that_cannot_be_are_refused)
{
    configs_expect_refusal(wrong[_i].config, wrong[_i].parameter, wrong[_i].detail);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(places_say_which_layers_have_attention),
    TEST_EACH(lists_that_cannot_be_are_refused, wrong),
};

const struct suite hf_layers_listed_suite = {SUITE_TESTS(tests)};
