/* SPDX-License-Identifier: Apache-2.0
 * test_hf_layers.c - tests which layers rotate, from each key that says it and from two keys
 * together. */
#include <stdio.h>
#include <string.h>

#include "proto/models/hf/hf_config.h"
#include "tests/proto/support/configs.h"
#include "tests/support/suite.h"

#define EXAONE "\"model_type\": \"exaone4\", \"head_dim\": 128, \"rope_theta\": 1000000"
#define SMOLLM "\"model_type\": \"smollm3\", \"head_dim\": 128, \"rope_theta\": 5000000"
#define SCOUT                                                                                  \
    "\"model_type\": \"llama4\", \"text_config\": {\"model_type\": \"llama4_text\", "          \
    "\"attention_chunk_size\": 8192, \"attn_temperature_tuning\": true, "                      \
    "\"head_dim\": 128, \"rope_theta\": 500000"
#define OTHER "\"model_type\": \"llama\", \"head_dim\": 64, \"rope_theta\": 10000"
#define MIMO                                                                                   \
    "\"model_type\": \"mimo_v2_flash\", \"head_dim\": 64, \"rope_theta\": 2, "                 \
    "\"swa_rope_theta\": 1"

#define EXAONE_ROPE "rope?dim=128&base=1000000&pairing=half"
#define SMOLLM_ROPE "rope?dim=128&base=5000000&pairing=half"
#define SCOUT_ROPE "rope?dim=128&base=500000&pairing=adjacent"
#define OTHER_ROPE "rope?dim=64&base=10000&pairing=half"

static const struct {
    const char *config, *pattern; /* the first letter of each name: s, f, c, r, n */
    const char *uses;
    const char *notes[2];
} read[] = {
    /* LGAI-EXAONE/EXAONE-4.0-32B, and 1.2B, whose sliding_window is null */
    {"{" EXAONE ", \"sliding_window\": 4096, \"sliding_window_pattern\": \"LLLG\", "
     "\"num_hidden_layers\": 6}",
     "sssfsf",
     "sliding_attention: " EXAONE_ROPE "; full_attention: -",
     {NULL}},
    {"{" EXAONE ", \"sliding_window\": 4096, \"sliding_window_pattern\": \"LLLG\"}",
     "sssf",
     "sliding_attention: " EXAONE_ROPE "; full_attention: -",
     {NULL}},
    {"{" EXAONE ", \"sliding_window\": 4096, \"layer_types\": [\"sliding_attention\", "
     "\"full_attention\"]}",
     "sf",
     "sliding_attention: " EXAONE_ROPE "; full_attention: -",
     {NULL}},
    {"{" EXAONE ", \"sliding_window\": null, \"layer_types\": [\"full_attention\", "
     "\"full_attention\"]}",
     "ff",
     EXAONE_ROPE,
     {NULL}},
    {"{" EXAONE ", \"sliding_window\": null, \"sliding_window_pattern\": null}",
     "",
     EXAONE_ROPE,
     {NULL}},
    {"{" EXAONE "}",
     "sssf",
     "sliding_attention: " EXAONE_ROPE "; full_attention: -",
     {"sliding_window is absent: it is taken as set, as Hugging Face does; where it is null "
      "every layer rotates"}},
    /* HuggingFaceTB/SmolLM3-3B has both keys; the period of its class is 4 */
    {"{" SMOLLM ", \"layer_types\": [\"full_attention\", \"full_attention\", "
     "\"full_attention\", \"full_attention\"], \"no_rope_layers\": [1, 1, 1, 0]}",
     "fffn",
     "full_attention: " SMOLLM_ROPE "; no_rotation: -",
     {NULL}},
    {"{" SMOLLM ", \"layer_types\": [\"full_attention\", \"full_attention\"], "
     "\"no_rope_layers\": [1, 0], \"rope_parameters\": {\"full_attention\": {}}}",
     "fn",
     "full_attention: " SMOLLM_ROPE "; no_rotation: -",
     {NULL}},
    {"{" EXAONE ", \"sliding_window\": 4096, \"layer_types\": [\"sliding_attention\", "
     "\"full_attention\"], \"rope_parameters\": {\"full_attention\": {\"rope_theta\": 2}, "
     "\"sliding_attention\": {}}}",
     "sf",
     "sliding_attention: " EXAONE_ROPE "; full_attention: -",
     {NULL}},
    {"{" SMOLLM ", \"no_rope_layer_interval\": 3}",
     "rrn",
     "rotation: " SMOLLM_ROPE "; no_rotation: -",
     {NULL}},
    {"{" SMOLLM "}", "rrrn", "rotation: " SMOLLM_ROPE "; no_rotation: -", {NULL}},
    {"{" SMOLLM ", \"no_rope_layers\": [], \"num_hidden_layers\": 36}",
     "rrrn",
     "rotation: " SMOLLM_ROPE "; no_rotation: -",
     {NULL}},
    {"{" SMOLLM ", \"no_rope_layer_interval\": 1e9}", "", SMOLLM_ROPE, {NULL}},
    {"{" OTHER ", \"no_rope_layer_interval\": 2}",
     "rn",
     "rotation: " OTHER_ROPE "; no_rotation: -",
     {NULL}},
    {"{" OTHER ", \"sliding_window_pattern\": 2, \"no_rope_layer_interval\": 3}",
     "sfnfsn",
     "sliding_attention: " OTHER_ROPE "; full_attention: " OTHER_ROPE "; no_rotation: -",
     {NULL}},
    {"{" OTHER ", \"sliding_window_pattern\": 2, \"no_rope_layer_interval\": 3, "
     "\"num_hidden_layers\": 5}",
     "sfnfs",
     "sliding_attention: " OTHER_ROPE "; full_attention: " OTHER_ROPE "; no_rotation: -",
     {NULL}},
    /* meta-llama/Llama-4-Scout-17B-16E has an empty list, Maverick a full one */
    {"{" SCOUT ", \"no_rope_layers\": [], \"num_hidden_layers\": 48}}",
     "cccf",
     "chunked_attention: " SCOUT_ROPE "; full_attention: -",
     {NULL}},
    {"{" SCOUT ", \"no_rope_layers\": [1, 0], \"no_rope_layer_interval\": 4}}",
     "cf",
     "chunked_attention: " SCOUT_ROPE "; full_attention: -",
     {NULL}},
    {"{" SCOUT ", \"no_rope_layers\": [1, 0], \"layer_types\": [\"chunked_attention\", "
     "\"full_attention\"]}}",
     "cf",
     "chunked_attention: " SCOUT_ROPE "; full_attention: -",
     {NULL}},
    {"{" SCOUT ", \"no_rope_layer_interval\": 2}}",
     "cf",
     "chunked_attention: " SCOUT_ROPE "; full_attention: -",
     {NULL}},
};

START_TEST(the_layers_that_rotate_are_told)
{
    struct pe_errors errors = {0};
    char letters[64] = "";

    configs_expect(read[_i].config, read[_i].uses, read[_i].notes);
    struct json_body *body = configs_parse(read[_i].config);
    struct hf_config *config = hf_config_read(body, NULL, &errors);
    const struct model *model = hf_config_model(config);
    ck_assert_uint_lt(model->pattern_len, sizeof letters);
    for (size_t i = 0; i < model->pattern_len; i++)
        letters[i] = model->pattern[i][0];
    ck_assert_str_eq(letters, read[_i].pattern);
    hf_config_free(config);
    json_body_free(body);
}
END_TEST

static const struct {
    const char *config, *parameter, *detail;
} refused[] = {
    {"{" OTHER ", \"no_rope_layers\": [1, 2]}", "#/no_rope_layers",
     "must be a list of 0 and 1, one a layer"},
    {"{" OTHER ", \"no_rope_layers\": [1, 0.5]}", "#/no_rope_layers",
     "must be a list of 0 and 1, one a layer"},
    {"{" OTHER ", \"no_rope_layers\": [[1, 0]]}", "#/no_rope_layers",
     "must be a list of 0 and 1, one a layer"},
    {"{" OTHER ", \"no_rope_layers\": [1, 0], \"num_hidden_layers\": 3}", "#/no_rope_layers",
     "is for 2 layers, and num_hidden_layers is 3; make them agree"},
    {"{" OTHER ", \"no_rope_layers\": [1, 0], \"layer_types\": [\"a\", \"b\", \"c\"]}",
     "#/no_rope_layers", "is for 2 layers, and num_hidden_layers is 3"},
    {"{" OTHER ", \"no_rope_layer_interval\": 0}", "#/no_rope_layer_interval",
     "must be a whole number, 1 or above"},
    {"{" OTHER ", \"no_rope_layer_interval\": 2.5}", "#/no_rope_layer_interval",
     "must be a whole number, 1 or above"},
    {"{" SCOUT ", \"no_rope_layers\": [1, 1], \"layer_types\": [\"full_attention\", "
     "\"full_attention\"]}}",
     "",
     "layer 0 is full_attention, which does not rotate in a llama4_text, but no_rope_layers "
     "says that it does"},
    {"{" MIMO ", \"hybrid_layer_pattern\": true}", "#/hybrid_layer_pattern",
     "must be a list of 0 and 1, one a layer"},
    {"{" MIMO ", \"hybrid_layer_pattern\": []}", "#/hybrid_layer_pattern",
     "must be a list of 0 and 1, one a layer"},
    {"{" MIMO ", \"hybrid_layer_pattern\": [0, 3]}", "#/hybrid_layer_pattern",
     "must be a list of 0 and 1, one a layer"},
    {"{" MIMO ", \"hybrid_layer_pattern\": [0, 1], \"num_hidden_layers\": 48}",
     "#/hybrid_layer_pattern", "is for 2 layers, and num_hidden_layers is 48"},
    {"{" EXAONE ", \"sliding_window\": 1, \"sliding_window_pattern\": \"LLXG\"}",
     "#/sliding_window_pattern",
     "must be a number, or letters L (a window) and G (everything)"},
    {"{" EXAONE ", \"sliding_window\": 1, \"sliding_window_pattern\": \"\"}",
     "#/sliding_window_pattern", "must be a number, or letters L"},
    {"{" EXAONE ", \"sliding_window\": 1, \"sliding_window_pattern\": [1]}",
     "#/sliding_window_pattern", "must be a number, or letters L"},
};

START_TEST(lists_of_layers_that_are_wrong_are_named)
{
    configs_expect_refusal(refused[_i].config, refused[_i].parameter, refused[_i].detail);
}
END_TEST

START_TEST(more_layer_types_than_are_read_are_counted)
{
    struct pe_errors errors = {0};
    struct json_body *body = configs_parse(
        "{" OTHER ", \"rope_parameters\": {\"a\": {}, \"b\": {}, \"c\": {}, \"d\": {}, "
        "\"e\": {}, \"f\": {}, \"g\": {}, \"h\": {}, \"i\": {}, \"j\": {}}}");

    ck_assert_ptr_null(hf_config_read(body, NULL, &errors));
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_str_eq(errors.at[0].detail, "at most 8 layer types are read");
    ck_assert_uint_eq(errors.at[0].limit, 8);
    ck_assert_uint_eq(errors.at[0].requested, 9);
    json_body_free(body);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(the_layers_that_rotate_are_told, read),
    TEST_EACH(lists_of_layers_that_are_wrong_are_named, refused),
    TEST(more_layer_types_than_are_read_are_counted),
};

const struct suite hf_layers_suite = {SUITE_TESTS(tests)};
