/* SPDX-License-Identifier: Apache-2.0
 * test_hf_family.c - tests published configurations that leave keys to the code of their
 * model_type: their uses and their notes. */
#include <stdlib.h>
#include <string.h>

#include "proto/models/hf/hf_config.h"
#include "proto/models/hf/hf_reader.h"
#include "tests/proto/support/configs.h"
#include "tests/support/suite.h"

static const struct {
    const char *config, *uses;
    const char *notes[5]; /* all notes, then NULL */
} kept[] = {
    /* google/gemma-3-4b-it: the other keys have the defaults of the class */
    {"{\"model_type\": \"gemma3\", \"text_config\": {\"hidden_size\": 2560, \"model_type\": "
     "\"gemma3_text\", \"num_hidden_layers\": 34, \"rope_scaling\": {\"factor\": 8.0, "
     "\"rope_type\": \"linear\"}, \"sliding_window\": 1024}}",
     "sliding_attention: rope?dim=256&base=10000&pairing=half; "
     "full_attention: rope?dim=256&base=1000000&pairing=half&scaling=linear&factor=8",
     {"head_dim is absent: 256 is taken, as for every gemma3_text",
      "rope_local_base_freq is absent: 10000 is taken, as for every gemma3_text",
      "rope_theta is absent: 1000000 is taken, as for every gemma3_text"}},
    {"{\"model_type\": \"modernbert\", \"hidden_size\": 768, \"num_attention_heads\": 12}",
     "full_attention: rope?dim=64&base=160000&pairing=half; "
     "sliding_attention: rope?dim=64&base=10000&pairing=half",
     {"local_rope_theta is absent: 10000 is taken, as for every modernbert",
      "global_rope_theta is absent: 160000 is taken, as for every modernbert"}},
    {"{\"model_type\": \"phi\", \"hidden_size\": 2048, \"num_attention_heads\": 32, "
     "\"rope_theta\": 10000}",
     "rope?dim=64&partial_rotary_factor=0.5&base=10000&pairing=half",
     {"partial_rotary_factor is absent: 0.5 is taken, as for every phi"}},
    {"{\"model_type\": \"phi\", \"hidden_size\": 2560, \"num_attention_heads\": 32, "
     "\"rope_theta\": 10000, \"partial_rotary_factor\": 0.4}",
     "rope?dim=80&partial_rotary_factor=0.4&base=10000&pairing=half",
     {NULL}},
    {"{\"model_type\": \"persimmon\", \"hidden_size\": 4096, \"num_attention_heads\": 64}",
     "rope?dim=64&partial_rotary_factor=0.5&base=25000&pairing=half",
     {"rope_theta is absent: 25000 is taken, as for every persimmon",
      "partial_rotary_factor is absent: 0.5 is taken, as for every persimmon"}},
    {"{\"model_type\": \"smollm3\", \"head_dim\": 128, \"no_rope_layer_interval\": 2}",
     "rotation: rope?dim=128&base=2000000&pairing=half; no_rotation: -",
     {"rope_theta is absent: 2000000 is taken, as for every smollm3"}},
    {"{\"model_type\": \"glm\", \"head_dim\": 128, \"rope_theta\": 10000}",
     "rope?dim=128&partial_rotary_factor=0.5&base=10000&pairing=adjacent",
     {"partial_rotary_factor is absent: 0.5 is taken, as for every glm"}},
    {"{\"model_type\": \"glm4_moe\", \"head_dim\": 128, \"rope_theta\": 1000000}",
     "rope?dim=128&partial_rotary_factor=0.5&base=1000000&pairing=half",
     {"partial_rotary_factor is absent: 0.5 is taken, as for every glm4_moe"}},
    {"{\"model_type\": \"qwen3_next\", \"rope_theta\": 10000000, \"head_dim\": 256, "
     "\"full_attention_interval\": 4, \"partial_rotary_factor\": 0.25}",
     "linear_attention: -; full_attention: rope?dim=256&partial_rotary_factor=0.25&"
     "base=10000000&pairing=half",
     {NULL}},
    {"{\"model_type\": \"ernie4_5_vl_moe_text\", \"head_dim\": 128, \"rope_parameters\": "
     "{\"rope_type\": \"default\", \"rope_theta\": 500000.0, \"mrope_section\": "
     "[22, 22, 20]}}",
     "rope?dim=128&base=500000&pairing=adjacent; mrope?dim=128&base=500000&pairing=adjacent&"
     "mrope_section=[3]&variant=ernie",
     {NULL}},
    /* THUDM/chatglm3-6b, glm-4-9b-chat, chatglm-6b */
    {"{\"model_type\": \"chatglm\", \"kv_channels\": 128, \"num_attention_heads\": 32, "
     "\"original_rope\": true, \"seq_length\": 8192}",
     "rope?dim=128&partial_rotary_factor=0.5&base=10000&pairing=adjacent",
     {"rope_theta is absent: 10000 is assumed",
      "partial_rotary_factor is absent: 0.5 is taken, as for every chatglm"}},
    {"{\"model_type\": \"chatglm\", \"kv_channels\": 128, \"rope_ratio\": 500}",
     "rope?dim=128&partial_rotary_factor=0.5&base=5000000&pairing=adjacent",
     {"partial_rotary_factor is absent: 0.5 is taken, as for every chatglm"}},
    {"{\"model_type\": \"chatglm\", \"hidden_size\": 4096, \"num_attention_heads\": 32, "
     "\"position_encoding_2d\": true}",
     "rope2d-chatglm?dim=128",
     {NULL}},
    /* Qwen/Qwen-7B-Chat, and a configuration without its switches */
    {"{\"model_type\": \"qwen\", \"kv_channels\": 128, \"rotary_emb_base\": 10000, "
     "\"rotary_pct\": 1.0, \"max_position_embeddings\": 32768, \"seq_length\": 8192, "
     "\"use_dynamic_ntk\": true, \"use_logn_attn\": true}",
     "rope?dim=128&base=10000&pairing=half&scaling=dynamic&scaling_variant=qwen&"
     "max_position_embeddings=8192; logn?train_length=8192",
     {NULL}},
    {"{\"model_type\": \"qwen\", \"kv_channels\": 128, \"rotary_emb_base\": 10000, "
     "\"seq_length\": 8192, \"use_dynamic_ntk\": false, \"use_logn_attn\": false}",
     "rope?dim=128&base=10000&pairing=half",
     {NULL}},
    /* baichuan-inc: 13B has no max_position_embeddings, 7B has */
    {"{\"model_type\": \"baichuan\", \"hidden_size\": 5120, \"num_attention_heads\": 40, "
     "\"model_max_length\": 4096}",
     "alibi?heads=40&form=key-index",
     {NULL}},
    {"{\"model_type\": \"baichuan\", \"hidden_size\": 4096, \"num_attention_heads\": 32, "
     "\"max_position_embeddings\": 4096}",
     "rope?dim=128&base=10000&pairing=half",
     {"rope_theta is absent: 10000 is assumed"}},
    /* XiaomiMiMo/MiMo-V2-Flash: 1 marks layers with a window */
    {"{\"model_type\": \"mimo_v2_flash\", \"head_dim\": 192, \"rope_theta\": 5000000, "
     "\"swa_rope_theta\": 10000, \"swa_head_dim\": 128, \"partial_rotary_factor\": 0.5, "
     "\"hybrid_layer_pattern\": [0, 1, 1]}",
     "full_attention: rope?dim=192&partial_rotary_factor=0.5&base=5000000&pairing=half; "
     "sliding_attention: rope?dim=128&partial_rotary_factor=0.5&base=10000&pairing=half",
     {NULL}},
    /* the outer hidden_size is the width of the images' features */
    {"{\"model_type\": \"maira2\", \"hidden_size\": 4096, \"text_config\": {\"model_type\": "
     "\"phi3\", \"hidden_size\": 3072, \"num_attention_heads\": 32, \"rope_theta\": 10000}}",
     "rope?dim=96&base=10000&pairing=half",
     {NULL}},
    /* deepseek-ai/DeepSeek-V4-Flash: layers that do not compress have neither theta nor YaRN of
     * their own; the last ratio belongs to a layer behind the last */
    {"{\"model_type\": \"deepseek_v4\", \"head_dim\": 64, \"rope_theta\": 10000, "
     "\"compress_rope_theta\": 160000, \"num_hidden_layers\": 3, \"compress_ratios\": "
     "[0, 4, 128, 0], \"use_nope\": false, \"index_rope\": null, \"rope_scaling\": {\"type\": "
     "\"yarn\", \"factor\": 16, \"original_max_position_embeddings\": 65536}}",
     "sliding_attention: rope?dim=64&base=10000&pairing=adjacent; "
     "compressed_sparse_attention: rope?dim=64&base=160000&pairing=adjacent&scaling=yarn&"
     "factor=16&original_max_position_embeddings=65536&attention_factor=1; "
     "heavily_compressed_attention: rope?dim=64&base=160000&pairing=adjacent&scaling=yarn&"
     "factor=16&original_max_position_embeddings=65536&attention_factor=1",
     {NULL}},
    {"{\"model_type\": \"nanochat\", \"hidden_size\": 1280, \"num_attention_heads\": 10, "
     "\"rope_theta\": 10000}",
     "rope?dim=128&base=10000&pairing=half",
     {"every nanochat turns the other way: its sine is minus the one that is answered, and "
      "its vectors are rotated with inverse=1"}},
    {"{\"model_type\": \"bamba\", \"hidden_size\": 4096, \"num_attention_heads\": 32, "
     "\"attn_rotary_emb\": 64, \"rope_theta\": 10000, \"num_hidden_layers\": 3, "
     "\"attn_layer_indices\": [1]}",
     "mamba: -; full_attention: rope?dim=128&rotary_dim=64&base=10000&pairing=half",
     {NULL}},
    {"{\"model_type\": \"longcat_flash\", \"qk_rope_head_dim\": 64}",
     "rope?dim=64&base=10000000&pairing=adjacent",
     {"rope_theta is absent: 10000000 is taken, as for every longcat_flash"}},
    {"{\"model_type\": \"dbrx\", \"d_model\": 6144, \"n_heads\": 48, \"attn_config\": "
     "{\"kv_n_heads\": 8, \"rope_theta\": 500000}}",
     "rope?dim=128&base=500000&pairing=half",
     {NULL}},
    {"{\"model_type\": \"phi3small\", \"hidden_size\": 4096, \"num_attention_heads\": 32, "
     "\"rope_embedding_base\": 1000000, \"rope_position_scale\": 1.0}",
     "rope?dim=128&base=1000000&pairing=half",
     {NULL}},
    {"{\"model_type\": \"openelm\", \"model_dim\": 1280, \"head_dim\": 64, "
     "\"num_query_heads\": [12, 16], \"rope_freq_constant\": 10000}",
     "rope?dim=64&base=10000&pairing=half",
     {NULL}},
    /* llava-hf/llava-1.5-7b-hf, Qwen/Qwen2-Audio-7B, liuhaotian/llava-v1.5-7b */
    {"{\"model_type\": \"llava\", \"text_config\": {\"model_type\": \"llama\", "
     "\"max_position_embeddings\": 4096}, \"vision_config\": {\"hidden_size\": 1024}}",
     "rope?dim=128&base=10000&pairing=half",
     {"hidden_size is absent: 4096 is taken, as for every llama",
      "num_attention_heads is absent: 32 is taken, as for every llama",
      "rope_theta is absent: 10000 is taken, as for every llama"}},
    {"{\"model_type\": \"qwen2_audio\", \"text_config\": {\"rope_theta\": 10000, "
     "\"max_position_embeddings\": 8192}}",
     "rope?dim=128&base=10000&pairing=half",
     {"hidden_size is absent: 4096 is taken, as for every qwen2",
      "num_attention_heads is absent: 32 is taken, as for every qwen2"}},
    {"{\"model_type\": \"llava\", \"hidden_size\": 4096, \"num_attention_heads\": 32, "
     "\"rope_theta\": 10000}",
     "rope?dim=128&base=10000&pairing=half",
     {NULL}},
    /* google/gemma-2-9b-it in a PaliGemma 2 */
    {"{\"model_type\": \"paligemma\", \"text_config\": {\"model_type\": \"gemma2\", "
     "\"hidden_size\": 2304, \"num_attention_heads\": 8, \"rope_theta\": 10000}}",
     "rope?dim=256&base=10000&pairing=half",
     {"head_dim is absent: 256 is taken, as for every gemma2"}},
    /* deepseek-ai/deepseek-vl2-tiny */
    {"{\"model_type\": \"deepseek_vl_v2\", \"language_config\": {\"model_type\": "
     "\"deepseek_v2\", \"use_mla\": false, \"qk_rope_head_dim\": 0, \"hidden_size\": 1280, "
     "\"num_attention_heads\": 10, \"rope_theta\": 10000}}",
     "rope?dim=128&base=10000&pairing=half",
     {NULL}},
};

START_TEST(what_a_configuration_leaves_out_is_its_familys)
{
    configs_expect(kept[_i].config, kept[_i].uses, kept[_i].notes);
}
END_TEST

static const struct {
    const char *type, *key;
    double value;
} defaulted[] = {
    {"gemma", "head_dim", 256},
    {"gemma2", "head_dim", 256},
    {"qwen3", "head_dim", 128},
    {"llama4_text", "head_dim", 128},
    {"helium", "head_dim", 128},
    {"glm", "head_dim", 128},
    {"glm4", "head_dim", 128},
    {"gpt_oss", "head_dim", 64},
    {"mixtral", "rope_theta", 1000000},
    {"minimax", "rope_theta", 1000000},
    {"qwen2_vl", "rope_theta", 1000000},
    {"qwen2_vl_text", "rope_theta", 1000000},
    {"qwen2_5_vl_text", "rope_theta", 1000000},
    {"lfm2", "rope_theta", 1000000},
    {"llama4_text", "rope_theta", 500000},
    {"ernie4_5", "rope_theta", 500000},
    {"olmo3", "rope_theta", 500000},
    {"qwen3_vl_text", "rope_theta", 500000},
    {"mllama", "rope_theta", 500000},
    {"gpt_oss", "rope_theta", 150000},
    {"helium", "rope_theta", 100000},
    {"longcat_flash", "rope_theta", 10000000},
};

START_TEST(a_class_says_what_a_key_is_that_is_absent)
{
    double value = 0;
    const struct hf_family *family = hf_family_find(defaulted[_i].type);

    ck_assert_ptr_nonnull(family);
    ck_assert(hf_family_default(family, defaulted[_i].key, &value));
    ck_assert_double_eq(value, defaulted[_i].value);
}
END_TEST

static const char *const named[] = {
#define HF_CLASS(FAMILY, HIDDEN, HEADS, HEAD, THETA, FOLDER) FAMILY,
#define HF_DEFAULT(FAMILY, KEY, VALUE, FOLDER) FAMILY,
#include "proto/models/hf/hf_defaults.def"
#undef HF_CLASS
#undef HF_DEFAULT
#define HF_PART(WHOLE, PART) PART,
#include "proto/models/hf/hf_parts.def"
#undef HF_PART
#define HF_SECTIONS(FAMILY, SECTIONS, VARIANT) FAMILY,
#include "proto/models/hf/hf_sections.def"
#undef HF_SECTIONS
};

START_TEST(every_row_of_a_table_is_of_a_family_that_is_known)
{
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        const struct hf_family *family = hf_family_find(named[i]);

        ck_assert_msg(family && strcmp(family->name, named[i]) == 0, "%s", named[i]);
    }
}
END_TEST

static const struct {
    const char *type;
    enum hf_pairing pairing;
} paired[] = {
    {"deepseek_v4", HF_ADJACENT}, {"glm4v", HF_ADJACENT},     {"longcat_flash", HF_ADJACENT},
    {"minimax", HF_HALF},         {"hunyuan", HF_HALF},       {"hunyuan_v1_dense", HF_HALF},
    {"hunyuan_v1_moe", HF_HALF},  {"lfm2", HF_HALF},          {"falcon_h1", HF_HALF},
    {"apertus", HF_HALF},         {"arcee", HF_HALF},         {"dots1", HF_HALF},
    {"bailing_moe_v2", HF_HALF},  {"step3_text", HF_HALF},    {"gemma3n", HF_HALF},
    {"internvl", HF_HALF},        {"internvl_chat", HF_HALF}, {"smolvlm", HF_HALF},
};

START_TEST(a_family_says_which_coordinates_rotate_together)
{
    const struct hf_family *family = hf_family_find(paired[_i].type);

    ck_assert_msg(family && family->pairing == paired[_i].pairing, "%s", paired[_i].type);
}
END_TEST

#define QWEN "\"model_type\": \"qwen\", \"kv_channels\": 128, \"rotary_emb_base\": 10000"

static const struct {
    const char *config, *parameter, *detail;
} refused[] = {
    {"{\"model_type\": \"chatglm\", \"position_encoding_2d\": true}", "", "head_dim is needed"},
    {"{\"model_type\": \"gpt_oss\", \"hidden_size\": 2880}", "",
     "rope_parameters (or rope_scaling) is needed: without it every gpt_oss scales by a "
     "dictionary of its class; write that out"},
    {"{" QWEN ", \"use_dynamic_ntk\": true}", "#/use_dynamic_ntk", "needs seq_length"},
    {"{" QWEN ", \"use_logn_attn\": true}", "#/use_logn_attn", "needs seq_length"},
    {"{" QWEN ", \"use_logn_attn\": true, \"seq_length\": \"8k\"}", "#/seq_length",
     "must be a number"},
    {"{" QWEN ", \"use_dynamic_ntk\": true, \"seq_length\": 8192, \"rope_scaling\": "
     "{\"type\": \"linear\", \"factor\": 2}}",
     "#/use_dynamic_ntk", "scales the rotation, and so does rope_scaling; leave one out"},
    {"{" QWEN ", \"use_dynamic_ntk\": true, \"seq_length\": 8192, \"rope_parameters\": "
     "{\"rope_type\": \"linear\", \"factor\": 2}}",
     "#/use_dynamic_ntk", "scales the rotation, and so does rope_parameters"},
    {"{" QWEN ", \"use_logn_attn\": true, \"seq_length\": 8192, \"rope_parameters\": "
     "{\"full_attention\": {\"rope_theta\": 1}, \"sliding_attention\": {\"rope_theta\": 2}}}",
     "#/use_logn_attn", "is read only where all layers do the same"},
};

START_TEST(what_a_family_cannot_do_is_refused)
{
    configs_expect_refusal(refused[_i].config, refused[_i].parameter, refused[_i].detail);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(what_a_configuration_leaves_out_is_its_familys, kept),
    TEST_EACH(a_class_says_what_a_key_is_that_is_absent, defaulted),
    TEST(every_row_of_a_table_is_of_a_family_that_is_known),
    TEST_EACH(a_family_says_which_coordinates_rotate_together, paired),
    TEST_EACH(what_a_family_cannot_do_is_refused, refused),
};

const struct suite hf_family_suite = {SUITE_TESTS(tests)};
