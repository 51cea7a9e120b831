/* SPDX-License-Identifier: Apache-2.0
 * test_hf_no_rope.c - tests configurations whose model does not rotate, with keys of RoPE or
 * without; and configurations that look so but rotate. */

#include "tests/proto/support/configs.h"
#include "tests/support/suite.h"

#define WIDE "\"hidden_size\": 1280, \"num_attention_heads\": 20"

static const struct {
    const char *config, *parameter, *detail;
} still[] = {
    {"{\"model_type\": \"nemotron_h\", \"head_dim\": 128, \"rope_theta\": 10000}", "",
     "nemotron_h has no positional encoding that can be computed: its attention does not "
     "rotate, whatever the configuration says of RoPE"},
    {"{\"model_type\": \"kimi_k3\", \"text_config\": {\"model_type\": \"kimi_linear\", "
     "\"mla_use_nope\": true, \"qk_rope_head_dim\": 64}}",
     "", "kimi_linear has no positional encoding"},
    {"{\"mla_use_nope\": true, \"qk_rope_head_dim\": 64}", "",
     "this model has no positional encoding"},
    /* ibm-granite/granite-4.0-h-small, facebook/esm1b, and their classes' defaults */
    {"{\"model_type\": \"granitemoehybrid\", " WIDE ", \"rope_theta\": 10000, "
     "\"position_embedding_type\": \"nope\"}",
     "#/position_embedding_type", "granitemoehybrid has no positional encoding"},
    {"{\"model_type\": \"granitemoehybrid\", " WIDE ", \"rope_theta\": 10000}", "",
     "granitemoehybrid has no positional encoding"},
    {"{\"model_type\": \"esm\", " WIDE ", \"position_embedding_type\": \"absolute\"}",
     "#/position_embedding_type", "esm has no positional encoding"},
    {"{\"model_type\": \"esm\", " WIDE "}", "", "esm has no positional encoding"},
    {"{\"model_type\": \"ernie\", " WIDE ", \"position_embedding_type\": \"absolute\", "
     "\"rope_theta\": 10000}",
     "#/position_embedding_type", "ernie has no positional encoding"},
    {"{\"model_type\": \"ernie\", " WIDE ", \"position_embedding_type\": 3}",
     "#/position_embedding_type", "ernie has no positional encoding"},
    {"{\"model_type\": \"mystery\", " WIDE ", \"rope_theta\": 10000, \"use_rope\": false}",
     "#/use_rope", "mystery has no positional encoding"},
    {"{\"model_type\": \"zamba2\", " WIDE ", \"use_mem_rope\": false}", "#/use_mem_rope",
     "zamba2 has no positional encoding"},
    {"{\"model_type\": \"wav2vec2-conformer\", " WIDE
     ", \"position_embeddings_type\": \"relative\"}",
     "#/position_embeddings_type",
     "/v1/transformer-xl?order=conformer&out=table&dim=1280&len=16 answers for its positions"},
    {"{\"model_type\": \"gptj\", " WIDE ", \"rotary\": false}", "#/rotary",
     "gptj has no positional encoding"},
    {"{\"model_type\": \"mystery\", " WIDE ", \"rope_interleave\": false}", "",
     "says nothing of positions that can be computed"},
    {"{\"model_type\": \"mpt\", \"d_model\": 4096, \"n_heads\": 32, \"learned_pos_emb\": true, "
     "\"attn_config\": {\"alibi\": false}}",
     "", "mpt has positions that can be computed only where attn_config has \"alibi\": true"},
};

START_TEST(what_does_not_rotate_is_given_no_rotation)
{
    configs_expect_refusal(still[_i].config, still[_i].parameter, still[_i].detail);
}
END_TEST

static const struct {
    const char *config, *uses;
    const char *notes[3]; /* all notes, then NULL */
} turning[] = {
    /* ibm-granite/granite-4.0-micro, facebook/esm2_t33_650M_UR50D */
    {"{\"model_type\": \"granitemoehybrid\", " WIDE ", \"rope_theta\": 10000000, "
     "\"position_embedding_type\": \"rope\", \"layer_types\": [\"mamba\", \"attention\"]}",
     "mamba: -; attention: rope?dim=64&base=10000000&pairing=half",
     {NULL}},
    {"{\"model_type\": \"esm\", " WIDE ", \"position_embedding_type\": \"rotary\"}",
     "rope?dim=64&base=10000&pairing=half",
     {"rope_theta is absent: 10000 is taken, as for every esm"}},
    /* Zyphra/Zamba2-7B: heads of 160, twice hidden_size / num_attention_heads */
    {"{\"model_type\": \"zamba2\", \"hidden_size\": 2560, \"num_attention_heads\": 32, "
     "\"attention_head_dim\": 160, \"rope_theta\": 10000, \"use_mem_rope\": true}",
     "rope?dim=160&base=10000&pairing=half",
     {NULL}},
    {"{\"model_type\": \"wav2vec2-conformer\", \"hidden_size\": 1024, "
     "\"num_attention_heads\": 16, \"position_embeddings_type\": \"rotary\", "
     "\"rotary_embedding_base\": 20000}",
     "rope?dim=64&base=20000&pairing=half",
     {NULL}},
    /* answerdotai/ModernBERT-base has "absolute", which its code does not read */
    {"{\"model_type\": \"modernbert\", \"hidden_size\": 768, \"num_attention_heads\": 12, "
     "\"global_rope_theta\": 160000, \"local_rope_theta\": 10000, "
     "\"position_embedding_type\": \"absolute\"}",
     "full_attention: rope?dim=64&base=160000&pairing=half; "
     "sliding_attention: rope?dim=64&base=10000&pairing=half",
     {"position_embedding_type is not read: every modernbert rotates"}},
    {"{\"model_type\": \"mystery\", " WIDE ", \"use_rope\": true}",
     "rope?dim=64&base=10000&pairing=half",
     {"rope_theta is absent: 10000 is assumed",
      "model_type mystery is not known: pairing half is assumed"}},
    {"{\"model_type\": \"mystery\", " WIDE ", \"rope_theta\": 10000, "
     "\"position_embedding_type\": \"rotary\"}",
     "rope?dim=64&base=10000&pairing=half",
     {"model_type mystery is not known: pairing half is assumed"}},
};

START_TEST(what_rotates_is_read)
{
    configs_expect(turning[_i].config, turning[_i].uses, turning[_i].notes);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(what_does_not_rotate_is_given_no_rotation, still),
    TEST_EACH(what_rotates_is_read, turning),
};

const struct suite hf_no_rope_suite = {SUITE_TESTS(tests)};
