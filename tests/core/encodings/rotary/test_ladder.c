/* SPDX-License-Identifier: Apache-2.0
 * test_ladder.c - frequencies under every scaling: single pairs as published, and attention
 * factors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* ---- worked numbers ------------------------------------------------------------------ */

#define L4096 "&original_max_position_embeddings=4096"
#define L32768 "&original_max_position_embeddings=32768"
#define M2048 "&max_position_embeddings=2048"
#define W "&out=inv_freq"
#define A "&out=attention_factor"

#define QWEN "dim=128&base=1000000&scaling=yarn&factor=4" L32768
#define OSS "dim=64&base=150000&scaling=yarn&factor=32" L4096
#define LLAMA "dim=128&base=500000&scaling=llama3"

static const struct {
    const char *query, *output;
    size_t index;
    double value, within; /* half a unit of the last digit printed */
} picks[] = {
    {QWEN W, "inv_freq", 23, .00697831, 5e-9},
    {QWEN W, "inv_freq", 24, .00537532, 5e-9},
    {QWEN W, "inv_freq", 31, 8.02960e-4, 5e-10},
    {QWEN W, "inv_freq", 39, 6.49039e-5, 5e-11},
    {QWEN W, "inv_freq", 63, 3.10234e-7, 5e-13},
    {OSS "&truncate=0" W, "inv_freq", 8, .0508133, 5e-8},
    {OSS "&truncate=0" W, "inv_freq", 9, .0317057, 5e-8},
    {OSS "&truncate=0" W, "inv_freq", 17, 1.29319e-4, 5e-10},
    {OSS W, "inv_freq", 9, .0316208, 5e-8},
    {OSS W, "inv_freq", 17, 2.27948e-4, 5e-10},
    {OSS "&dialect=gpt-oss" W, "inv_freq", 9, .0317057, 5e-8},
    {LLAMA W, "inv_freq", 28, .003211446, 5e-10}, /* kept: 500000^(-28/64) */
    {LLAMA W, "inv_freq", 29, .00216657, 5e-9},
    {LLAMA W, "inv_freq", 30, .00137189, 5e-9},
    {LLAMA W, "inv_freq", 34, 1.78508e-4, 5e-10},
    {LLAMA W, "inv_freq", 63, 3.06893e-7, 5e-13},
    {LLAMA "&out=kept", "kept", 28, 1, 0},
    {LLAMA "&out=kept", "kept", 29, 1 / 1.20748, 4e-6},
    {LLAMA "&out=kept", "kept", 30, 1 / 1.55341, 3e-6},
    {LLAMA "&out=kept", "kept", 34, 1 / 5.25733, 2e-7},
    {LLAMA "&out=kept", "kept", 35, .125, 0},
    {"dim=128&scaling=yarn&factor=16" L4096 "&out=kept", "kept", 20, 1, 0},
    {"dim=128&scaling=yarn&factor=16" L4096 "&out=kept", "kept", 46, .0625, 0},
    {"dim=64&scaling=yarn&factor=40" L4096 "&out=kept", "kept", 10, 1, 0},
    {"dim=64&scaling=yarn&factor=40" L4096 "&out=kept", "kept", 23, .025, 4e-18},
    {"dim=512&base=1000000&scaling=proportional&partial_rotary_factor=.25" W, "inv_freq", 63,
     .0333762, 5e-8},
    {"dim=512&base=1000000&scaling=proportional&partial_rotary_factor=.25" W, "inv_freq", 64, 0,
     0},
};

START_TEST(single_pairs_are_as_published)
{
    char query[300];
    double *values;

    snprintf(query, sizeof query, "%s&dtype=f64", picks[_i].query);
    values = core_query_values("rope", query, picks[_i].output, NULL);
    ck_assert_msg(fabs(values[picks[_i].index] - picks[_i].value) <= picks[_i].within,
                  "%s [%zu] is %.10g", query, picks[_i].index, values[picks[_i].index]);
    free(values);
}
END_TEST

/* Qwen-1's alpha is exactly 1 up to M, then 2P - 1. */
START_TEST(qwen_s_alpha_is_a_whole_number_by_powers_of_two)
{
    static const int lengths[] = {1, 2048, 2049, 4096, 4097, 8192, 8193};
    static const double alphas[] = {1, 1, 3, 3, 7, 7, 15};
    char query[200];

    for (size_t i = 0; i < PE_LEN(lengths); i++) {
        double *alpha;

        snprintf(query, sizeof query,
                 "dim=128&scaling=dynamic&scaling_variant=qwen&seq_len=%d" M2048
                 "&out=ntk_alpha",
                 lengths[i]);
        alpha = core_query_values("rope", query, "ntk_alpha", NULL);
        ck_assert_double_eq(alpha[0], alphas[i]);
        free(alpha);
    }
}
END_TEST

/* ---- dialects of YaRN ---------------------------------------------------------------- */

#define S40 "dim=64&scaling=yarn&factor=40" L4096 "&dialect="

static const struct {
    const char *query;
    double factor;
} dialects[] = {
    {S40 "hf", 1.3688879454113936},
    {S40 "hf&mscale=1&mscale_all_dim=.707", 1.0857263992561355},
    {S40 "vllm", 1.3688879454113936},
    {S40 "vllm&attn_factor=.5", 0.6844439727056968},
    {S40 "deepseek", 1.3688879454113936},
    {S40 "deepseek&mscale=1&mscale_all_dim=1", 1},
    {S40 "deepseek&mscale=.707&mscale_all_dim=.707", 1},
    {S40 "vllm-deepseek", 1.3688879454113936},
    {S40 "vllm-deepseek&mscale=.707", 1.2608037774058553}, /* hf: 1.3689 */
    {S40 "vllm-deepseek&mscale=1&mscale_all_dim=1&attn_factor=2", 2},
    {S40 "megatron&mscale=.707", 1.2608037774058553},
    {S40 "telechat3", 1.2582215617879755},
    {S40 "chunkllama", 1.1844439727056968},
    {S40 "llama.cpp", 1.3688879454113936},
    {S40 "llama.cpp&attn_factor=.730519984", 1.0000000003},
    {"dim=64&scaling=yarn&factor=.5" L4096 "&dialect=llama.cpp", 0.9306852819440055},
    {"dim=64&scaling=deepseek_yarn&factor=40&mscale=.707" L4096, 1.2608037774058553},
};

START_TEST(each_dialect_has_its_attention_factor)
{
    char query[300];
    double *factor;

    snprintf(query, sizeof query, "%s" A "&dtype=f64", dialects[_i].query);
    factor = core_query_values("rope", query, "attention_factor", NULL);
    ck_assert_msg(fabs(factor[0] - dialects[_i].factor) <= 1e-9 * dialects[_i].factor,
                  "%s: %.17g", query, factor[0]);
    free(factor);
}
END_TEST

/* Where the whole range lies before pair 0 (L0 small), high < low = 0: HF's ramp is 0 for
 * every pair, ggml's is 0 for pair 0 alone. */
START_TEST(a_range_before_the_first_pair_keeps_all_but_in_llama_cpp)
{
    double *hf = core_query_values(
        "rope", "dim=128&scaling=yarn&factor=4&original_max_position_embeddings=4&out=kept",
        "kept", NULL);
    double *ggml = core_query_values("rope",
                                     "dim=128&scaling=yarn&factor=4&dialect=llama.cpp"
                                     "&original_max_position_embeddings=4&out=kept",
                                     "kept", NULL);

    for (size_t i = 0; i < 64; i++) {
        ck_assert(hf[i] == 1);
        ck_assert(ggml[i] == (i == 0 ? 1 : .25));
    }
    free(hf);
    free(ggml);
}
END_TEST

SUITE(ladder, TEST_EACH(single_pairs_are_as_published, picks),
      TEST(qwen_s_alpha_is_a_whole_number_by_powers_of_two),
      TEST_EACH(each_dialect_has_its_attention_factor, dialects),
      TEST(a_range_before_the_first_pair_keeps_all_but_in_llama_cpp));
