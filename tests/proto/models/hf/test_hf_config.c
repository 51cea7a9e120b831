/* SPDX-License-Identifier: Apache-2.0
 * test_hf_config.c - tests published configurations: their uses, their notes, and each sentence
 * on a contradictory or unknown key. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/describe/model_text.h"
#include "proto/models/hf/hf_config.h"
#include "tests/proto/support/configs.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

#define LLAMA "\"hidden_size\": 4096, \"num_attention_heads\": 32, \"num_hidden_layers\": 32"
#define FOUR "[1.0, 1.5, 4, 32]"

static const struct {
    const char *config, *uses;
} read[] = {
    {"{\"model_type\": \"llama\", " LLAMA ", \"rope_theta\": 10000.0, \"rope_scaling\": null}",
     "rope?dim=128&base=10000&pairing=half"},
    {"{\"model_type\": \"llama\", " LLAMA ", \"rope_theta\": 500000.0, \"rope_scaling\": "
     "{\"factor\": 8.0, \"low_freq_factor\": 1.0, \"high_freq_factor\": 4.0, "
     "\"original_max_position_embeddings\": 8192, \"rope_type\": \"llama3\"}}",
     "rope?dim=128&base=500000&pairing=half&scaling=llama3&factor=8&low_freq_factor=1&"
     "high_freq_factor=4&original_max_position_embeddings=8192"},
    {"{\"model_type\": \"llama\", " LLAMA ", \"rope_parameters\": "
     "{\"rope_theta\": 500000.0, \"rope_type\": \"default\"}}",
     "rope?dim=128&base=500000&pairing=half"},
    {"{\"model_type\": \"qwen2\", \"hidden_size\": 3584, \"num_attention_heads\": 28, "
     "\"max_position_embeddings\": 32768, \"rope_theta\": 1000000.0, \"rope_scaling\": "
     "{\"type\": \"yarn\", \"factor\": 4.0, \"original_max_position_embeddings\": 32768}}",
     "rope?dim=128&base=1000000&pairing=half&scaling=yarn&factor=4&"
     "original_max_position_embeddings=32768"},
    {"{\"model_type\": \"phi3\", \"hidden_size\": 256, \"num_attention_heads\": 32, "
     "\"max_position_embeddings\": 131072, \"original_max_position_embeddings\": 4096, "
     "\"rope_theta\": 10000.0, \"rope_scaling\": {\"type\": \"su\", \"short_factor\": " FOUR
     ", \"long_factor\": " FOUR "}}",
     "rope?dim=8&base=10000&pairing=half&scaling=longrope&short_factor=[4]&long_factor=[4]&"
     "original_max_position_embeddings=4096&max_position_embeddings=131072"},
    {"{\"model_type\": \"phi3\", \"head_dim\": 8, \"partial_rotary_factor\": 0.5, "
     "\"max_position_embeddings\": 131072, \"rope_theta\": 1e4, \"rope_scaling\": "
     "{\"rope_type\": \"longrope\", \"short_factor\": [1, 2], \"long_factor\": [3, 4], "
     "\"factor\": 32, \"original_max_position_embeddings\": 4096}}",
     "rope?dim=8&partial_rotary_factor=0.5&base=10000&pairing=half&scaling=longrope&"
     "short_factor=[2]&long_factor=[2]&original_max_position_embeddings=4096&factor=32"},
    {"{\"model_type\": \"deepseek_v3\", \"hidden_size\": 7168, \"num_attention_heads\": 128, "
     "\"qk_nope_head_dim\": 128, \"qk_rope_head_dim\": 64, \"rope_theta\": 10000, "
     "\"max_position_embeddings\": 163840, \"rope_scaling\": {\"beta_fast\": 32, "
     "\"beta_slow\": 1, \"factor\": 40, \"mscale\": 1.0, \"mscale_all_dim\": 1.0, "
     "\"original_max_position_embeddings\": 4096, \"type\": \"yarn\"}}",
     "rope?dim=64&base=10000&pairing=adjacent&scaling=yarn&factor=40&"
     "original_max_position_embeddings=4096&beta_fast=32&beta_slow=1&mscale=1&"
     "mscale_all_dim=1"},
    {"{\"model_type\": \"deepseek_v3\", \"head_dim\": 64, \"rope_theta\": 1e4, "
     "\"rope_scaling\": {\"rope_type\": \"deepseek_yarn\", \"factor\": 40, "
     "\"original_max_position_embeddings\": 4096}}",
     "rope?dim=64&base=10000&pairing=adjacent&scaling=deepseek_yarn&factor=40&"
     "original_max_position_embeddings=4096"},
    {"{\"model_type\": \"deepseek_v3\", \"qk_rope_head_dim\": 64, \"rope_interleave\": false}",
     "rope?dim=64&base=10000&pairing=half"},
    {"{\"model_type\": \"gpt_oss\", \"head_dim\": 64, \"hidden_size\": 2880, "
     "\"num_attention_heads\": 64, \"layer_types\": [\"sliding_attention\", "
     "\"full_attention\"], \"rope_theta\": 150000, \"rope_scaling\": {\"beta_fast\": 32.0, "
     "\"beta_slow\": 1.0, \"factor\": 32.0, \"original_max_position_embeddings\": 4096, "
     "\"rope_type\": \"yarn\", \"truncate\": false}}",
     "rope?dim=64&base=150000&pairing=half&scaling=yarn&factor=32&"
     "original_max_position_embeddings=4096&beta_fast=32&beta_slow=1&truncate=0"},
    {"{\"model_type\": \"gemma3\", \"text_config\": {\"model_type\": \"gemma3_text\", "
     "\"head_dim\": 256, \"num_hidden_layers\": 34, \"sliding_window_pattern\": 6, "
     "\"rope_theta\": 1000000.0, \"rope_local_base_freq\": 10000.0, "
     "\"rope_scaling\": {\"factor\": 8.0, \"rope_type\": \"linear\"}}}",
     "sliding_attention: rope?dim=256&base=10000&pairing=half; "
     "full_attention: rope?dim=256&base=1000000&pairing=half&scaling=linear&factor=8"},
    {"{\"model_type\": \"gemma3_text\", \"head_dim\": 256, \"rope_parameters\": "
     "{\"sliding_attention\": {\"rope_type\": \"default\", \"rope_theta\": 10000.0}, "
     "\"full_attention\": {\"rope_type\": \"linear\", \"factor\": 8.0, "
     "\"rope_theta\": 1000000.0}}}",
     "sliding_attention: rope?dim=256&base=10000&pairing=half; "
     "full_attention: rope?dim=256&base=1000000&pairing=half&scaling=linear&factor=8"},
    {"{\"model_type\": \"gemma4_text\", \"head_dim\": 256, \"global_head_dim\": 512, "
     "\"rope_parameters\": {\"full_attention\": {\"partial_rotary_factor\": 0.25, "
     "\"rope_theta\": 1000000.0, \"rope_type\": \"proportional\"}, \"sliding_attention\": "
     "{\"rope_theta\": 10000.0, \"rope_type\": \"default\"}}}",
     "full_attention: rope?dim=512&partial_rotary_factor=0.25&base=1000000&pairing=half&"
     "scaling=proportional; sliding_attention: rope?dim=256&base=10000&pairing=half"},
    {"{\"model_type\": \"modernbert\", \"hidden_size\": 768, \"num_attention_heads\": 12, "
     "\"num_hidden_layers\": 22, \"global_attn_every_n_layers\": 3, "
     "\"global_rope_theta\": 160000.0, \"local_rope_theta\": 10000.0}",
     "full_attention: rope?dim=64&base=160000&pairing=half; "
     "sliding_attention: rope?dim=64&base=10000&pairing=half"},
    {"{\"model_type\": \"cohere2\", " LLAMA ", \"rope_theta\": 50000, "
     "\"sliding_window_pattern\": 4}",
     "sliding_attention: rope?dim=128&base=50000&pairing=adjacent; full_attention: -"},
    {"{\"model_type\": \"llama4\", \"text_config\": {\"model_type\": \"llama4_text\", "
     "\"head_dim\": 128, \"rope_theta\": 500000.0, \"no_rope_layers\": [1, 1, 1, 0]}}",
     "chunked_attention: rope?dim=128&base=500000&pairing=adjacent; full_attention: -"},
    {"{\"model_type\": \"smollm3\", \"head_dim\": 128, \"rope_theta\": 5e6, "
     "\"no_rope_layers\": [1, 1, 1, 0]}",
     "rotation: rope?dim=128&base=5000000&pairing=half; no_rotation: -"},
    {"{\"model_type\": \"olmo3\", \"head_dim\": 128, \"rope_theta\": 500000, "
     "\"max_position_embeddings\": 65536, \"rope_scaling\": {\"rope_type\": \"yarn\", "
     "\"factor\": 8, \"original_max_position_embeddings\": 8192}}",
     "sliding_attention: rope?dim=128&base=500000&pairing=half; full_attention: "
     "rope?dim=128&base=500000&pairing=half&scaling=yarn&factor=8&"
     "original_max_position_embeddings=8192"},
    {"{\"model_type\": \"qwen3_next\", \"head_dim\": 256, \"partial_rotary_factor\": 0.25, "
     "\"rope_theta\": 10000000, \"layer_types\": [\"linear_attention\", \"full_attention\"]}",
     "linear_attention: -; full_attention: rope?dim=256&partial_rotary_factor=0.25&"
     "base=10000000&pairing=half"},
    {"{\"model_type\": \"qwen2_vl\", \"hidden_size\": 3584, \"num_attention_heads\": 28, "
     "\"rope_theta\": 1000000.0, \"rope_scaling\": {\"type\": \"mrope\", \"mrope_section\": "
     "[16, 24, 24]}}",
     "rope?dim=128&base=1000000&pairing=half; "
     "mrope?dim=128&base=1000000&pairing=half&mrope_section=[3]"},
    {"{\"model_type\": \"qwen3_vl_text\", \"head_dim\": 128, \"rope_parameters\": "
     "{\"mrope_interleaved\": true, \"mrope_section\": [24, 20, 20], \"rope_theta\": "
     "5000000, \"rope_type\": \"default\"}}",
     "rope?dim=128&base=5000000&pairing=half; mrope?dim=128&base=5000000&pairing=half&"
     "mrope_section=[3]&variant=interleaved"},
    {"{\"model_type\": \"internlm2\", " LLAMA ", \"max_position_embeddings\": 32768, "
     "\"rope_theta\": 1000000, \"rope_scaling\": {\"type\": \"dynamic\", \"factor\": 2.0}}",
     "rope?dim=128&base=1000000&pairing=half&scaling=dynamic&factor=2&"
     "max_position_embeddings=32768"},
    {"{\"model_type\": \"gpt_neox\", " LLAMA ", \"rotary_pct\": 0.25, "
     "\"rotary_emb_base\": 10000}",
     "rope?dim=128&partial_rotary_factor=0.25&base=10000&pairing=half"},
    {"{\"model_type\": \"gptj\", \"n_embd\": 4096, \"n_head\": 16, \"rotary_dim\": 64}",
     "rope?dim=256&rotary_dim=64&base=10000&pairing=adjacent"},
    {"{\"model_type\": \"bloom\", \"n_head\": 112}", "alibi?heads=112&form=key-index"},
    {"{\"model_type\": \"mpt\", \"d_model\": 4096, \"n_heads\": 32, \"attn_config\": "
     "{\"alibi\": true, \"alibi_bias_max\": 8}}",
     "alibi?heads=32&form=last-query&non_pow2=mpt&bias_max=8"},
    {"{\"model_type\": \"falcon\", \"hidden_size\": 2048, \"num_attention_heads\": 32, "
     "\"alibi\": true}",
     "alibi?heads=32&form=key-index&applies=before_scale&softmax_scale=0.125"},
    {"{\"model_type\": \"falcon\", \"hidden_size\": 4544, \"num_attention_heads\": 71, "
     "\"alibi\": false}",
     "rope?dim=64&base=10000&pairing=half"},
    {"{\"model_type\": \"bert\", \"num_attention_heads\": 12, "
     "\"position_embedding_type\": \"alibi\"}",
     "alibi?heads=12&form=symmetric"},
};

START_TEST(a_configuration_becomes_settings)
{
    struct pe_errors errors = {0};
    struct json_body *body = configs_parse(read[_i].config);
    struct hf_config *config = hf_config_read(body, "name", &errors);
    char text[4096];

    json_body_free(body); /* the result borrows nothing from it */
    ck_assert_msg(config != NULL, "%s: %s %s", read[_i].config, errors.at[0].parameter,
                  errors.at[0].detail);
    configs_describe(hf_config_model(config), text, sizeof text);
    ck_assert_str_eq(text, read[_i].uses);
    ck_assert_str_eq(hf_config_model(config)->id, "name");
    hf_config_free(config);
}
END_TEST

#define BASE "\"model_type\": \"llama\", \"head_dim\": 64, \"rope_theta\": 10000"

static const struct {
    const char *config, *parameter, *detail; /* detail: a part of the sentence */
} wrong[] = {
    {"{" BASE ", \"rope_scaling\": {\"rope_type\": \"yarnn\", \"factor\": 2}}",
     "#/rope_scaling/rope_type", "\"yarnn\" is no known rope_type"},
    {"{" BASE ", \"rope_scaling\": {\"type\": \"ntk-by-magic\", \"factor\": 2}}",
     "#/rope_scaling/type", "\"ntk-by-magic\" is no known rope_type"},
    {"{" BASE ", \"rope_scaling\": {\"type\": 3}}", "#/rope_scaling/type", "must be text"},
    {"{" BASE ", \"rope_scaling\": {\"type\": \"linear\", \"rope_type\": \"yarn\", "
     "\"factor\": 2}}",
     "#/rope_scaling/type", "is \"linear\" and rope_type is \"yarn\"; make them agree"},
    {"{" BASE ", \"rope_scaling\": {\"factor\": 2}}", "#/rope_scaling/factor",
     "needs a rope_type"},
    {"{" BASE ", \"rope_scaling\": {\"rope_type\": \"linear\"}}", "#/rope_scaling",
     "must have factor"},
    {"{" BASE ", \"rope_scaling\": {\"rope_type\": \"default\", \"factor\": 8}}",
     "#/rope_scaling/factor", "has no effect with rope_type \"default\""},
    {"{" BASE ", \"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": \"8\"}}",
     "#/rope_scaling/factor", "must be a number, 0 or above"},
    {"{" BASE ", \"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": -2}}",
     "#/rope_scaling/factor", "must be a number, 0 or above"},
    {"{" BASE ", \"rope_scaling\": [1]}", "#/rope_scaling", "must be an object or null"},
    {"{" BASE ", \"rope_parameters\": \"yarn\"}", "#/rope_parameters",
     "must be an object or null"},
    {"{" BASE ", \"rope_parameters\": {\"rope_type\": \"linear\", \"factor\": 2}, "
     "\"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": 4}}",
     "#/rope_scaling/factor", "differs from rope_parameters"},
    {"{" BASE ", \"rope_parameters\": {\"rope_type\": \"default\", \"rope_theta\": 5}}",
     "#/rope_parameters/rope_theta", "is 5, and 10000 outside of it; make them agree"},
    {"{" BASE ", \"rotary_emb_base\": 5000}", "#/rotary_emb_base",
     "is 5000 and rope_theta is 10000, but they say the same thing"},
    {"{" BASE ", \"rotary_dim\": 32, \"rotary_pct\": 0.25}", "#/rotary_dim",
     "is 32, and partial_rotary_factor 0.25 of 64 is not"},
    {"{\"model_type\": \"llama\", \"rope_theta\": 1e4, \"text_config\": {\"rope_theta\": 1e6, "
     "\"head_dim\": 64}}",
     "#/rope_theta", "is 10000 here and 1e+06 in text_config; make them agree"},
    {"{\"model_type\": \"mimo\", \"rope_theta\": 10000}", "", "head_dim is needed"},
    {"{\"model_type\": \"llama\", \"hidden_size\": 100, \"num_attention_heads\": 3}", "",
     "hidden_size 100 is no multiple of num_attention_heads 3"},
    {"{\"model_type\": \"llama\", \"hidden_size\": 4096, \"num_attention_heads\": 0}", "",
     "hidden_size 4096 is no multiple of num_attention_heads 0"},
    {"{\"model_type\": \"chatglm\", \"kv_channels\": 128, \"rope_ratio\": 1e308}",
     "#/rope_ratio", "times rope_theta is too large"},
    {"{\"model_type\": \"falcon\", \"head_dim\": 0, \"n_head\": 8, \"alibi\": true}", "",
     "head_dim must be above 0"},
    {"{\"model_type\": \"mimo\", \"rotary_dim\": 32, \"rotary_pct\": 0.25}", "",
     "head_dim is needed"},
    {"{\"model_type\": \"ernie\", \"hidden_size\": 768, \"num_attention_heads\": 12}", "",
     "says nothing of positions that can be computed"},
    {"{}", "", "model_type (none) is not known"},
    {"{\"model_type\": \"bloom\"}", "", "num_attention_heads is needed"},
    {"{\"model_type\": \"bloom\", \"n_head\": 8, \"rope_scaling\": {\"type\": \"yarn\"}}",
     "#/rope_scaling", "scales a rotation, but the configuration says ALiBi"},
    {"{" BASE ", \"num_hidden_layers\": 3, \"layer_types\": [\"full_attention\"]}",
     "#/layer_types", "names 1 layers, and num_hidden_layers is 3"},
    {"{" BASE ", \"layer_types\": [\"full_attention\", 3]}", "#/layer_types",
     "must hold names alone"},
    {"{" BASE ", \"layer_types\": 3}", "#/layer_types", "must be a list of names"},
    {"{" BASE ", \"sliding_window_pattern\": 2, \"layer_types\": [\"full_attention\", "
     "\"full_attention\"]}",
     "#/layer_types", "does not agree with a pattern of 2 layers at layer 0"},
    {"{" BASE ", \"no_rope_layers\": \"x\"}", "#/no_rope_layers", "must be a list of 0 and 1"},
    {"{\"model_type\": \"mystery\", \"head_dim\": 64, \"rope_theta\": 1e6, "
     "\"rope_local_base_freq\": 1e4}",
     "", "layers differ, but the configuration does not tell which; give layer_types"},
    {"{\"model_type\": \"gemma3_text\", \"head_dim\": 64, \"rope_parameters\": "
     "{\"full_attention\": {\"rope_theta\": 1}, \"rope_theta\": 2}}",
     "#/rope_parameters/rope_theta", "stands beside dictionaries of layer types"},
    {"{\"model_type\": \"phi3\", \"head_dim\": 8, \"rope_scaling\": {\"type\": \"longrope\", "
     "\"short_factor\": [1], \"long_factor\": \"x\"}}",
     "#/rope_scaling/long_factor", "must be a list of numbers"},
    {"{\"model_type\": \"phi3\", \"head_dim\": 8, \"original_max_position_embeddings\": 8, "
     "\"rope_scaling\": {\"type\": \"longrope\", \"short_factor\": [1,1,1,1], "
     "\"long_factor\": [1,1,1,1], \"factor\": 2, \"original_max_position_embeddings\": 16}}",
     "#/rope_scaling", "has original_max_position_embeddings 16, and outside it is 8"},
    {"{\"model_type\": \"phi3\", \"head_dim\": 8, \"max_position_embeddings\": 64, "
     "\"rope_scaling\": {\"type\": \"longrope\", \"short_factor\": [1,1], \"long_factor\": "
     "[1,1], \"original_max_position_embeddings\": 16}}",
     "short_factor", "one factor a pair"},
    {"{\"model_type\": \"llama\", \"head_dim\": 7}", "dim", "must be"},
};

START_TEST(what_is_wrong_is_named_and_never_guessed)
{
    configs_expect_refusal(wrong[_i].config, wrong[_i].parameter, wrong[_i].detail);
}
END_TEST

/* Writes an object of count members into a configuration: open, {"key0": 0, ...}, end. */
static void print_crowd(char *text, size_t size, const char *open, size_t count,
                        const char *end)
{
    size_t used = (size_t)snprintf(text, size, "{" BASE ", %s: {", open);

    for (size_t i = 0; i < count; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s\"key%zu\": 0", i > 0 ? ", " : "", i);
    snprintf(text + used, size - used, "}%s}", end);
}

static const struct {
    const char *open, *end, *parameter;
} crowded[] = {
    {"\"rope_scaling\"", "", "#/rope_scaling"},
    {"\"rope_parameters\"", "", "#/rope_parameters"},
    {"\"rope_scaling\": {}, \"rope_parameters\"", "", "#/rope_parameters"},
    {"\"rope_parameters\": {}, \"rope_scaling\"", "", "#/rope_scaling"},
    {"\"rope_parameters\": {\"full_attention\"", "}", "#/rope_parameters/full_attention"},
};

START_TEST(a_dictionary_of_rope_has_at_most_64_members)
{
    char text[4096];

    print_crowd(text, sizeof text, crowded[_i].open, 65, crowded[_i].end);
    configs_expect_refusal(text, crowded[_i].parameter, "at most 64 members are read");

    struct pe_errors errors = {0};
    print_crowd(text, sizeof text, crowded[_i].open, 64, crowded[_i].end);
    struct json_body *body = configs_parse(text);
    struct hf_config *config = hf_config_read(body, NULL, &errors);
    ck_assert_msg(config != NULL, "%s: %s", text, errors.at[0].detail);
    hf_config_free(config);
    json_body_free(body);
}
END_TEST

static const char *const one_told[][2] = {
    {"{" BASE ", \"rope_parameters\": {\"a\": {}, \"b\": 2, \"c\": 3, \"d\": {\"factor\": 2}}}",
     "#/rope_parameters/b"}, /* reading ends at the first error */
    {"{" BASE ", \"rope_ratio\": 1e308}", "#/rope_ratio"},
};

START_TEST(one_mistake_is_one_problem)
{
    struct pe_errors errors = {0};
    struct json_body *body = configs_parse(one_told[_i][0]);

    ck_assert_ptr_null(hf_config_read(body, NULL, &errors));
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_str_eq(errors.at[0].parameter, one_told[_i][1]);
    json_body_free(body);
}
END_TEST

static const struct {
    const char *config, *note; /* NULL: no note at all */
} noted[] = {
    {"{" BASE "}", NULL},
    {"{" BASE ", \"rope_scaling\": {\"type\": \"linear\", \"factor\": 2, \"finetuned\": true}}",
     NULL},
    {"{\"model_type\": \"mimo\", \"head_dim\": 64}", "rope_theta is absent: 10000 is assumed"},
    {"{\"model_type\": \"mystery\", \"head_dim\": 64, \"rope_theta\": 1}",
     "model_type mystery is not known: pairing half is assumed"},
    {"{" BASE ", \"rope_scaling\": {\"type\": \"linear\", \"factor\": 2, \"colour\": 3}}",
     "colour of rope_scaling is not read"},
    {"{" BASE ", \"max_position_embeddings\": 64, \"rope_scaling\": {\"type\": \"dynamic\", "
     "\"factor\": 2, \"original_max_position_embeddings\": 32}}",
     "original_max_position_embeddings of rope_scaling is not read"},
    {"{" BASE ", \"rope_scaling\": {\"type\": \"ntk\", \"factor\": 2}}",
     "rope_type ntk is read as vLLM reads it (scaling_variant)"},
    {"{" BASE ", \"max_position_embeddings\": 64, \"rope_scaling\": {\"type\": \"yarn\", "
     "\"factor\": 2}}",
     "original_max_position_embeddings is absent: max_position_embeddings is taken, as "
     "Hugging Face does"},
};

START_TEST(what_was_assumed_is_said)
{
    struct pe_errors errors = {0};
    struct json_body *body = configs_parse(noted[_i].config);
    struct hf_config *config = hf_config_read(body, NULL, &errors);
    size_t count;

    ck_assert_msg(config != NULL, "%s: %s", noted[_i].config, errors.at[0].detail);
    const char *const *notes = hf_config_notes(config, &count);
    ck_assert_uint_eq(count, noted[_i].note != NULL);
    if (count > 0)
        ck_assert_str_eq(notes[0], noted[_i].note);
    hf_config_free(config);
    json_body_free(body);
}
END_TEST

/* Reads and describes with one failing allocation, and tells whether the allocation failed. */
static bool survives(const struct json_body *body, size_t failing, bool *whole, long *live)
{
    static struct pe_errors errors;
    struct buffer text = {0};
    size_t count = 0;

    pe_errors_clear(&errors);
    alloc_fail_start(failing);
    struct hf_config *config = hf_config_read(body, "name", &errors);
    if (config) {
        const char *const *notes = hf_config_notes(config, &count);

        model_text_one(&text, hf_config_model(config), false, notes, count);
    }
    *whole = config && !text.failed;
    buffer_fini(&text);
    hf_config_free(config);
    bool asked = alloc_fail_stop();
    *live = alloc_fail_live();
    return asked;
}

START_TEST(no_memory_is_told_and_nothing_is_kept)
{
    struct json_body *body = configs_parse(read[_i].config);
    bool whole = false, asked = true;
    size_t failing = 0;

    for (; asked && failing < 5000; failing++) {
        long live = 0;

        asked = survives(body, failing, &whole, &live);
        ck_assert_int_eq(live, 0);
    }
    ck_assert_uint_gt(failing, 5);
    ck_assert(whole); /* the last time no allocation failed */
    json_body_free(body);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(a_configuration_becomes_settings, read),
    TEST_EACH(what_is_wrong_is_named_and_never_guessed, wrong),
    TEST_EACH(a_dictionary_of_rope_has_at_most_64_members, crowded),
    TEST_RANGE(one_mistake_is_one_problem, 0, 2),
    TEST_EACH(no_memory_is_told_and_nothing_is_kept, read),
    TEST_EACH(what_was_assumed_is_said, noted),
};

const struct suite hf_config_suite = {SUITE_TESTS(tests)};
