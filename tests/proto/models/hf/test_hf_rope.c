/* SPDX-License-Identifier: Apache-2.0
 * test_hf_rope.c - tests Hunyuan's dynamic scaling: alpha counts, and no key beside it. */

#include "tests/proto/support/configs.h"
#include "tests/support/suite.h"

#define HUNYUAN                                                                                \
    "\"model_type\": \"hunyuan_v1_dense\", \"head_dim\": 128, \"rope_theta\": 10000, "         \
    "\"max_position_embeddings\": 32768"
#define ALPHA                                                                                  \
    "rope?dim=128&base=10000&pairing=half&scaling=dynamic&scaling_variant=alpha&factor=1000"

static const struct {
    const char *config, *uses;
    const char *notes[7]; /* all notes, then NULL */
} scaled[] = {
    {"{" HUNYUAN ", \"rope_scaling\": {\"type\": \"dynamic\", \"alpha\": 1000.0}}",
     ALPHA,
     {NULL}},
    /* tencent/Hunyuan-7B-Instruct */
    {"{" HUNYUAN ", \"rope_scaling\": {\"alpha\": 1000.0, \"beta_fast\": 32, \"beta_slow\": 1, "
     "\"factor\": 1.0, \"mscale\": 1.0, \"mscale_all_dim\": 1.0, \"type\": \"dynamic\"}}",
     ALPHA,
     {"beta_fast of rope_scaling is not read: alpha alone scales",
      "beta_slow of rope_scaling is not read: alpha alone scales",
      "factor of rope_scaling is not read: alpha alone scales",
      "mscale of rope_scaling is not read: alpha alone scales",
      "mscale_all_dim of rope_scaling is not read: alpha alone scales"}},
    /* Hunyuan's code tests whether alpha is true */
    {"{" HUNYUAN ", \"rope_scaling\": {\"type\": \"dynamic\", \"alpha\": 0, \"factor\": 2}}",
     "rope?dim=128&base=10000&pairing=half&scaling=dynamic&factor=2&"
     "max_position_embeddings=32768",
     {NULL}},
};

START_TEST(alpha_alone_scales)
{
    configs_expect(scaled[_i].config, scaled[_i].uses, scaled[_i].notes);
}
END_TEST

START_TEST(alpha_is_for_dynamic_alone)
{
    configs_expect_refusal("{" HUNYUAN ", \"rope_scaling\": {\"type\": \"linear\", "
                           "\"factor\": 2, \"alpha\": 1000}}",
                           "#/rope_scaling/alpha",
                           "has no effect with rope_type \"linear\"; leave one of them out");
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(alpha_alone_scales, scaled),
    TEST(alpha_is_for_dynamic_alone),
};

const struct suite hf_rope_suite = {SUITE_TESTS(tests)};
