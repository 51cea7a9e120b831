/* SPDX-License-Identifier: Apache-2.0
 * test_hf_base.c - tests keys of a configuration outside of dictionaries: counts are whole
 * numbers. */

#include "tests/proto/support/configs.h"
#include "tests/support/suite.h"

static const struct {
    const char *config, *parameter, *detail;
} cut[] = {
    {"{\"model_type\": \"llama\", \"head_dim\": 8, \"max_position_embeddings\": 4096.5}",
     "#/max_position_embeddings", "must be a whole number; got 4096.5"},
    {"{\"model_type\": \"llama\", \"head_dim\": 8, \"max_seq_len\": 0.5}", "#/max_seq_len",
     "must be a whole number; got 0.5"},
    {"{\"model_type\": \"phi3\", \"head_dim\": 8, \"original_max_position_embeddings\": 8.5}",
     "#/original_max_position_embeddings", "must be a whole number; got 8.5"},
    {"{\"model_type\": \"llama\", \"head_dim\": 8, \"num_hidden_layers\": 32.5}",
     "#/num_hidden_layers", "must be a whole number; got 32.5"},
};

START_TEST(what_is_counted_is_whole)
{
    configs_expect_refusal(cut[_i].config, cut[_i].parameter, cut[_i].detail);
}
END_TEST

START_TEST(a_whole_number_may_be_written_as_a_float)
{
    static const char *const none[] = {NULL};

    configs_expect("{\"model_type\": \"llama\", \"head_dim\": 8, \"rope_theta\": 10000, "
                   "\"num_hidden_layers\": 2.0, "
                   "\"max_position_embeddings\": 4.096e3}",
                   "rope?dim=8&base=10000&pairing=half", none);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(what_is_counted_is_whole, cut),
    TEST(a_whole_number_may_be_written_as_a_float),
};

const struct suite hf_base_suite = {SUITE_TESTS(tests)};
