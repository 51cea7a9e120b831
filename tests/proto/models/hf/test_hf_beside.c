/* SPDX-License-Identifier: Apache-2.0
 * test_hf_beside.c - tests windows, chunks, temperatures and vision towers: a configuration
 * that has them gets their encoding, and one that only seems to gets none. */
#include <stdio.h>
#include <string.h>

#include "proto/describe/model_text.h"
#include "proto/models/hf/hf_config.h"
#include "tests/proto/support/configs.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

#define WIDE "\"head_dim\": 64, \"rope_theta\": 10000"
#define TEXT "{\"model_type\": \"mistral\", " WIDE ", \"sliding_window\": null}"

static const struct {
    const char *config, *besides; /* "from layer_type encoding?settings; ..." */
} said[] = {
    {"{\"model_type\": \"mistral\", " WIDE ", \"sliding_window\": 4096}",
     "#/sliding_window - sliding-window-mask?window=4096; "},
    {"{\"model_type\": \"mistral\", " WIDE ", \"sliding_window\": null}", ""},
    {"{\"model_type\": \"mistral\", " WIDE ", \"sliding_window\": 0}", ""},
    {"{\"model_type\": \"gemma2\", " WIDE ", \"sliding_window\": 4096}",
     "#/sliding_window sliding_attention sliding-window-mask?window=4096; "},
    /* layer_types has no layer with a window */
    {"{\"model_type\": \"qwen3\", " WIDE ", \"sliding_window\": 4096, \"use_sliding_window\": "
     "true, \"layer_types\": [\"full_attention\"]}",
     ""},
    {"{\"model_type\": \"qwen2\", " WIDE ", \"sliding_window\": 131072}", ""},
    {"{\"model_type\": \"qwen2\", " WIDE ", \"sliding_window\": 131072, "
     "\"use_sliding_window\": false}",
     ""},
    {"{\"model_type\": \"qwen2\", " WIDE ", \"sliding_window\": 131072, "
     "\"use_sliding_window\": true, \"num_hidden_layers\": 28, \"max_window_layers\": 28}",
     ""},
    {"{\"model_type\": \"qwen2\", " WIDE ", \"sliding_window\": 131072, "
     "\"use_sliding_window\": true}",
     "#/sliding_window - sliding-window-mask?window=131072; "},
    {"{\"model_type\": \"modernbert\", \"hidden_size\": 768, \"num_attention_heads\": 12, "
     "\"local_attention\": 128}",
     "#/local_attention sliding_attention "
     "sliding-window-bidirectional-mask?convention=longformer&window=128; "},
    /* meta-llama/Llama-4-Scout-17B-16E */
    {"{\"model_type\": \"llama4\", \"text_config\": {\"model_type\": \"llama4_text\", " WIDE
     ", \"attention_chunk_size\": 8192, \"attn_scale\": 0.2}, \"vision_config\": "
     "{\"model_type\": \"llama4_vision_model\", \"hidden_size\": 1408, "
     "\"num_attention_heads\": 16, \"rope_theta\": 10000, \"image_size\": 336}}",
     "#/text_config/attention_chunk_size chunked_attention chunked-mask?chunk=8192; "
     "# full_attention llama4-temperature?attn_scale=0.2&floor_scale=8192; "
     "#/vision_config - rope-vision-llama4?dim=88&base=10000&image_size=336&patch_size=14; "},
    {"{\"model_type\": \"llama4_text\", " WIDE
     ", \"attn_temperature_tuning\": false, \"attention_chunk_size\": 0}",
     ""},
    /* mistralai/Ministral-3-3B */
    {"{\"model_type\": \"ministral3\", \"head_dim\": 64, \"rope_parameters\": {\"rope_type\": "
     "\"yarn\", \"factor\": 16, \"original_max_position_embeddings\": 16384, \"rope_theta\": "
     "1000000, \"llama_4_scaling_beta\": 0.1}}",
     "#/rope_parameters/llama_4_scaling_beta - "
     "llama4-temperature?attn_scale=0.1&floor_scale=16384&offset=0; "},
    /* Qwen/Qwen2.5-7B-Instruct-1M */
    {"{\"model_type\": \"qwen2\", " WIDE ", \"dual_chunk_attention_config\": {\"chunk_size\": "
     "262144, \"local_size\": 8192, \"original_max_position_embeddings\": 262144}}",
     "#/dual_chunk_attention_config - dca?chunk_size=262144&local_size=8192; "},
    /* mistralai/Mistral-Small-3.1-24B */
    {"{\"model_type\": \"mistral3\", \"text_config\": " TEXT ", \"vision_config\": "
     "{\"model_type\": \"pixtral\", \"head_dim\": 64, \"hidden_size\": 1024, \"image_size\": "
     "1540, \"patch_size\": 14, \"num_attention_heads\": 16, \"rope_theta\": 10000.0}}",
     "#/vision_config - rope2d-pixtral?dim=64&base=10000&image_size=1540&patch_size=14; "},
    /* Qwen/Qwen2-VL-7B, whose hidden_size is the text's */
    {"{\"model_type\": \"qwen2_vl\", " WIDE
     ", \"vision_config\": {\"model_type\": \"qwen2_vl\", "
     "\"embed_dim\": 1280, \"hidden_size\": 3584, \"num_heads\": 16}}",
     "#/vision_config - rope2d-qwen-vit?dim=80&spatial_merge_size=2; "},
    {"{\"model_type\": \"llava\", \"text_config\": " TEXT
     ", \"vision_config\": {\"model_type\": "
     "\"clip_vision_model\"}}",
     ""},
};

static void describe(const struct model *model, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < model->beside_count; i++) {
        const struct model_use *use = model->besides[i].use;
        const char *layers = use->layer_type ? use->layer_type : "-";

        used += (size_t)snprintf(text + used, size - used, "%s %s %s", model->besides[i].from,
                                 layers, use->encoding);
        for (size_t j = 0; j < use->count; j++)
            used += (size_t)snprintf(text + used, size - used, "%c%s=%s", j == 0 ? '?' : '&',
                                     use->settings[j].name, use->settings[j].text);
        used += (size_t)snprintf(text + used, size - used, "; ");
    }
}

START_TEST(what_stands_besides_is_told)
{
    struct pe_errors errors = {0};
    struct json_body *body = configs_parse(said[_i].config);
    struct hf_config *config = hf_config_read(body, NULL, &errors);
    char text[1024];

    ck_assert_msg(config != NULL, "%s: %s", said[_i].config, errors.at[0].detail);
    describe(hf_config_model(config), text, sizeof text);
    ck_assert_str_eq(text, said[_i].besides);
    hf_config_free(config);
    json_body_free(body);
}
END_TEST

static const struct {
    const char *config, *uses;
    const char *notes[2]; /* all notes, then NULL */
} noted[] = {
    {"{\"model_type\": \"dinov3_vit\", \"hidden_size\": 1024, \"num_attention_heads\": 16, "
     "\"rope_theta\": 100.0}",
     "rope2d-dinov3?dim=64&base=100",
     {NULL}},
    {"{\"model_type\": \"pixtral\", \"hidden_size\": 1024, \"num_attention_heads\": 16, "
     "\"rope_theta\": 10000.0, \"image_size\": 1024, \"patch_size\": 16}",
     "rope2d-pixtral?dim=64&base=10000&image_size=1024&patch_size=16",
     {NULL}},
    {"{\"model_type\": \"mistral\", " WIDE ", \"sliding_window\": 0.5}",
     "rope?dim=64&base=10000&pairing=half",
     {"#/sliding_window is not read: window must be a whole number, -1..9007199254740992; "
      "got 0.5"}},
    {"{\"model_type\": \"llava\", \"text_config\": " TEXT
     ", \"vision_config\": {\"model_type\": \"x\", \"rope_theta\": 1}}",
     "rope?dim=64&base=10000&pairing=half",
     {"vision_config rotates, too, which is not read"}},
};

START_TEST(towers_are_uses_and_what_is_not_read_is_said)
{
    configs_expect(noted[_i].config, noted[_i].uses, noted[_i].notes);
}
END_TEST

START_TEST(a_number_that_is_none_is_refused)
{
    configs_expect_refusal("{\"model_type\": \"llama4_text\", " WIDE
                           ", \"floor_scale\": \"x\"}",
                           "#/floor_scale", "must be a number");
    configs_expect_refusal("{\"model_type\": \"pixtral\", \"hidden_size\": 8, "
                           "\"num_attention_heads\": 0}",
                           "", "must be a number");
}
END_TEST

START_TEST(no_memory_is_told_and_nothing_is_kept)
{
    struct json_body *body = configs_parse(said[10].config);
    bool asked = true;

    for (size_t failing = 0; asked; failing++) {
        static struct pe_errors errors;
        struct buffer text = {0};

        pe_errors_clear(&errors);
        alloc_fail_start(failing);
        struct hf_config *config = hf_config_read(body, NULL, &errors);
        if (config)
            model_text_one(&text, hf_config_model(config), false, NULL, 0);
        bool failed = text.failed;
        bool whole = config && !failed && hf_config_model(config)->beside_count == 3;
        buffer_fini(&text);
        hf_config_free(config);
        asked = alloc_fail_stop();
        ck_assert_msg(whole || asked, "allocation %zu", failing);
        ck_assert_msg(!config || whole || failed || errors.count > 0, "allocation %zu",
                      failing);
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
    json_body_free(body);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(what_stands_besides_is_told, said),
    TEST_EACH(towers_are_uses_and_what_is_not_read_is_said, noted),
    TEST(a_number_that_is_none_is_refused),
    TEST(no_memory_is_told_and_nothing_is_kept),
};

const struct suite hf_beside_suite = {SUITE_TESTS(tests)};
