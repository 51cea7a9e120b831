/* SPDX-License-Identifier: Apache-2.0
 * ladder_choices.c - the choices of the parameters of rotary frequencies. */
#include "core/encodings/rotary/ladder.h"

#define END                                                                                    \
    {                                                                                          \
        NULL, NULL, NULL, NULL, NULL                                                           \
    } /* end of a list of choices */

const struct pe_choice ladder_scalings[] = {
#define SCALING(ID, NAME, ALIAS, ALIAS2, SUMMARY, START)                                       \
    [SCALING_##ID] = {NAME, (const char *const[]){ALIAS, ALIAS2, NULL}, SUMMARY, NULL, START},
#include "core/math/scaling/scalings.def"
#undef SCALING
    END};
const struct pe_choice ladder_variants[] = {
    [VARIANT_AWARE] = {"aware", NULL, "for scaling=ntk: base s^(r/(r-2))", NULL,
                       "scaling=ntk&factor=4"},
    [VARIANT_FIXED] = {"fixed", NULL,
                       "for scaling=ntk: frequencies also divided by s^(2/r) (kexue.fm, vLLM)",
                       NULL, "scaling=ntk&factor=4"},
    [VARIANT_MIXED] =
        {"mixed", NULL,
         "for scaling=ntk: pairs stretched by a power of their number, mixed_b (kexue.fm)",
         NULL, "scaling=ntk&factor=4&mixed_b=0.75"},
    [VARIANT_PLAIN] = {"plain", NULL, "for scaling=ntk: base s (ntk_factor of diffusers)", NULL,
                       "scaling=ntk&factor=4"},
    [VARIANT_HF] =
        {"hf", NULL,
         "for scaling=dynamic: s = factor seq_len / max_position_embeddings - (factor - 1) "
         "(Hugging Face)",
         NULL, "scaling=dynamic&factor=4&max_position_embeddings=2048&seq_len=8192"},
    [VARIANT_ALPHA] = {"alpha", NULL,
                       "for scaling=dynamic: s = factor, whatever the length (alpha in vLLM)",
                       NULL, "scaling=dynamic&factor=4&max_position_embeddings=&seq_len="},
    [VARIANT_QWEN] =
        {"qwen", NULL,
         "for scaling=dynamic: s is a whole number that doubles with the length (Qwen 1)", NULL,
         "scaling=dynamic&factor=&max_position_embeddings=2048&seq_len=8192"},
    [VARIANT_YARN] = {"yarn", NULL, "for scaling=ntk-by-parts: one blend, as in YaRN", NULL,
                      "scaling=ntk-by-parts&factor=4&original_max_position_embeddings=4096"},
    [VARIANT_PART_NTK] =
        {"part-ntk", NULL,
         "for scaling=ntk-by-parts: two blends, beta and gamma, as before YaRN", NULL,
         "scaling=ntk-by-parts&factor=4&original_max_position_embeddings=4096"},
    END};
const struct pe_choice ladder_dialects[] = {
    [DIALECT_HF] = {"hf", NULL, "Hugging Face and the YaRN repository", NULL, NULL},
    [DIALECT_VLLM] = {"vllm", NULL, "vLLM's yarn: reads attn_factor, and no mscale", NULL,
                      NULL},
    [DIALECT_DEEPSEEK] =
        {"deepseek", NULL,
         "DeepSeek's own code: part of the attention factor is in its softmax_scale", NULL,
         NULL},
    [DIALECT_VLLM_DEEPSEEK] = {"vllm-deepseek", NULL, "deepseek_yarn of vLLM", NULL, NULL},
    [DIALECT_GPT_OSS] = {"gpt-oss", NULL,
                         "gpt-oss: the bounds of the blend are not rounded to whole pairs",
                         NULL, NULL},
    [DIALECT_LLAMA_CPP] = {"llama.cpp", PE_WORDS("ggml"),
                           "llama.cpp: the blend is at least 0.001 pairs wide", NULL, NULL},
    [DIALECT_MEGATRON] = {"megatron", NULL,
                          "Megatron: mscale is 1 and mscale_all_dim 0 by default", NULL, NULL},
    [DIALECT_TELECHAT3] =
        {"telechat3", NULL,
         "TeleChat 3: attention factor 0.07 ln s + 1 in place of 0.1 ln s + 1", NULL, NULL},
    [DIALECT_CHUNKLLAMA] =
        {"chunkllama", NULL,
         "ChunkLlama: attention factor 0.05 ln s + 1 in place of 0.1 ln s + 1", NULL, NULL},
    [DIALECT_GROK] =
        {"grok", NULL,
         "Grok: blends logarithms of frequencies, without attention factor, trained context "
         "8192",
         NULL, NULL},
    [DIALECT_KERAS_HUB] =
        {"keras-hub", NULL,
         "Keras Hub: the bounds of the blend are not rounded and end at the last pair", NULL,
         NULL},
    END};
const struct pe_choice ladder_flags[] = {{"0", PE_WORDS("false"), "no", NULL, NULL},
                                         {"1", PE_WORDS("true"), "yes", NULL, NULL},
                                         END};
const struct pe_choice ladder_attention_flags[] = {
    {"0", PE_WORDS("false"), "no", NULL,
     "scaling=yarn&factor=4&original_max_position_embeddings=4096"},
    {"1", PE_WORDS("true"), "yes", NULL, NULL},
    END};
const struct pe_choice ladder_lists[] = {
    [LONGROPE_AUTO] =
        {"auto", NULL,
         "long_factor where seq_len, or the largest position + 1, is beyond the trained "
         "length",
         NULL, NULL},
    [LONGROPE_SHORT] = {"short", NULL, "short_factor, whatever the length", NULL, NULL},
    [LONGROPE_LONG] = {"long", NULL, "long_factor, whatever the length", NULL, NULL},
    END};
const struct pe_choice ladder_magnitudes[] = {
    [MAGNITUDE_SU] = {"su", NULL,
                      "sqrt(1 + ln s / ln L), s the factor and L the trained length (Phi-3)",
                      NULL, NULL},
    [MAGNITUDE_YARN] = {"yarn", NULL, "0.1 ln s + 1, s the factor, as in YaRN", NULL, NULL},
    END};
const struct pe_choice ladder_powfs[] = {
    {"correct", NULL, "each power is rounded correctly", NULL, NULL},
    {"torch-avx2", NULL,
     "powers as PyTorch 1.13 computes them with AVX2; warns where base and width were "
     "not measured",
     NULL, NULL},
    {"torch-avx512", NULL,
     "powers as PyTorch 1.13 computes them with AVX-512; warns where base and width were "
     "not measured",
     NULL, NULL},
    END};
const struct pe_choice ladder_targets[] = {
    [TARGET_FREQ] = {"freq", NULL,
                     "the frequencies are divided (the default): Hugging Face, Meta", NULL,
                     NULL},
    [TARGET_POSITION] = {"position", PE_WORDS("pos"),
                         "the positions are divided: linear scaling of vLLM and the YaRN "
                         "repository",
                         NULL, NULL},
    [TARGET_ANGLE] = {"angle", NULL,
                      "the angles are divided: x-transformers, freq_factors of ggml", NULL,
                      NULL},
    END};
const struct pe_choice ladder_profiles[] = {
    [PROFILE_EXACT] = {"exact", NULL, "the exact value, rounded once to the dtype", NULL, NULL},
    [PROFILE_F64] = {"f64", NULL, "every step in float64: Flux, Wan", NULL, NULL},
    [PROFILE_F32_POW] = {"f32-pow", NULL, "the float32 steps of Hugging Face, vLLM and Meta",
                         NULL, NULL},
    [PROFILE_F32_EXP] = {"f32-exp", NULL, "float32, frequencies by exp of a logarithm", NULL,
                         NULL},
    [PROFILE_F32_DIV] = {"f32-div", NULL, "float32, position / base^(2i/r): Gemma in JAX", NULL,
                         NULL},
    [PROFILE_F32_ACC] =
        {"f32-acc", NULL,
         "float32, each frequency is the one before times a constant: ggml, llama.cpp", NULL,
         NULL},
    [PROFILE_BF16_TABLE] = {"bf16-table", NULL,
                            "f32-pow, then rounded to bfloat16: the cache of vLLM", NULL, NULL},
    END};
