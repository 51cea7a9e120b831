/* SPDX-License-Identifier: Apache-2.0
 * test_hf_sections.c - tests sections of a rotation that is divided among axes: from a
 * configuration, under either name, or from the code of its family. */

#include "tests/proto/support/configs.h"
#include "tests/support/suite.h"

#define HEAD "\"head_dim\": 128, \"rope_theta\": 10000"
#define HALF "dim=128&base=10000&pairing=half"
#define ALPHA HALF "&scaling=dynamic&scaling_variant=alpha&factor=1000"

static const struct {
    const char *config, *uses;
    const char *notes[7]; /* all notes, then NULL */
} dealt[] = {
    {"{\"model_type\": \"qwen3_vl_text\", " HEAD "}",
     "rope?" HALF "; mrope?" HALF "&mrope_section=[3]&variant=interleaved",
     {"mrope_section is absent: 24,20,20 is taken, as for every qwen3_vl_text"}},
    /* Qwen3-VL's code always interleaves, whatever the configuration says */
    {"{\"model_type\": \"qwen3_vl\", \"text_config\": {" HEAD
     ", \"rope_scaling\": {\"rope_type\": \"default\", \"mrope_section\": [24, 20, 20]}}}",
     "rope?" HALF "; mrope?" HALF "&mrope_section=[3]&variant=interleaved",
     {NULL}},
    {"{\"model_type\": \"glm4v\", \"text_config\": {\"head_dim\": 128, \"rope_parameters\": "
     "{\"rope_type\": \"default\", \"rope_theta\": 10000, \"mrope_section\": [8, 12, 12], "
     "\"partial_rotary_factor\": 0.5}}}",
     "rope?dim=128&partial_rotary_factor=0.5&base=10000&pairing=adjacent; "
     "mrope?dim=128&partial_rotary_factor=0.5&base=10000&pairing=adjacent&mrope_section=[3]",
     {NULL}},
    /* tencent/HunyuanOCR */
    {"{\"model_type\": \"hunyuan_vl\", " HEAD ", \"attention_head_dim\": 128, "
     "\"rope_scaling\": {\"alpha\": 1000.0, \"beta_fast\": 32, \"beta_slow\": 1, "
     "\"factor\": 1.0, \"mscale\": 1.0, \"mscale_all_dim\": 1.0, \"type\": \"xdrope\", "
     "\"xdrope_section\": [16, 16, 16, 16]}}",
     "rope?" ALPHA "; mrope?" ALPHA "&mrope_section=[4]&variant=xdrope",
     {"beta_fast of rope_scaling is not read: alpha alone scales",
      "beta_slow of rope_scaling is not read: alpha alone scales",
      "factor of rope_scaling is not read: alpha alone scales",
      "mscale of rope_scaling is not read: alpha alone scales",
      "mscale_all_dim of rope_scaling is not read: alpha alone scales"}},
};

START_TEST(sections_are_read_or_are_the_familys)
{
    configs_expect(dealt[_i].config, dealt[_i].uses, dealt[_i].notes);
}
END_TEST

START_TEST(sections_must_be_numbers)
{
    configs_expect_refusal(
        "{\"model_type\": \"qwen2_vl\", " HEAD
        ", \"rope_scaling\": {\"type\": \"mrope\", \"mrope_section\": \"x\"}}",
        "#/rope_scaling/mrope_section", "must be a list of numbers");
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(sections_are_read_or_are_the_familys, dealt),
    TEST(sections_must_be_numbers),
};

const struct suite hf_sections_suite = {SUITE_TESTS(tests)};
