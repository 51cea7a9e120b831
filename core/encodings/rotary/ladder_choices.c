/* SPDX-License-Identifier: Apache-2.0
 * ladder_choices.c - the choices of the parameters of rotary frequencies. */
#include "core/encodings/rotary/ladder.h"

#define END                                                                                    \
    {                                                                                          \
        NULL, NULL, NULL, NULL                                                                 \
    } /* end of a list of choices */

const struct pe_choice ladder_scalings[] = {
#define SCALING(ID, NAME, ALIAS, ALIAS2, SUMMARY)                                              \
    [SCALING_##ID] = {NAME, (const char *const[]){ALIAS, ALIAS2, NULL}, SUMMARY, NULL},
#include "core/math/scaling/scalings.def"
#undef SCALING
    END};
const struct pe_choice ladder_variants[] = {
    [VARIANT_AWARE] = {"aware", NULL, "ntk: theta s^(r/(r-2))", NULL},
    [VARIANT_FIXED] = {"fixed", NULL, "ntk: kexue's fixed, vLLM's ntk", NULL},
    [VARIANT_MIXED] = {"mixed", NULL, "ntk: kexue's mixed, with mixed_b", NULL},
    [VARIANT_PLAIN] = {"plain", NULL, "ntk: theta s (diffusers' ntk_factor)", NULL},
    [VARIANT_HF] = {"hf", NULL, "dynamic: Hugging Face's", NULL},
    [VARIANT_ALPHA] = {"alpha", NULL, "dynamic: vLLM's alpha form, no length in it", NULL},
    [VARIANT_QWEN] = {"qwen", NULL, "dynamic: Qwen-1's whole alpha", NULL},
    [VARIANT_YARN] = {"yarn", NULL, "ntk-by-parts: YaRN's blend", NULL},
    [VARIANT_PART_NTK] = {"part-ntk", NULL, "ntk-by-parts: the earlier two blends", NULL},
    END};
const struct pe_choice ladder_dialects[] = {
    [DIALECT_HF] = {"hf", NULL, "Hugging Face, the YaRN repository", NULL},
    [DIALECT_VLLM] = {"vllm", NULL, "vLLM's yarn: no mscale, attn_factor", NULL},
    [DIALECT_DEEPSEEK] = {"deepseek", NULL, "DeepSeek's code: the rest is in softmax_scale",
                          NULL},
    [DIALECT_VLLM_DEEPSEEK] = {"vllm-deepseek", NULL, "vLLM's deepseek_yarn", NULL},
    [DIALECT_GPT_OSS] = {"gpt-oss", NULL, "range not rounded", NULL},
    [DIALECT_LLAMA_CPP] = {"llama.cpp", PE_WORDS("ggml"), "range at least 0.001 wide", NULL},
    [DIALECT_MEGATRON] = {"megatron", NULL, "mscale 1, mscale_all_dim 0", NULL},
    [DIALECT_TELECHAT3] = {"telechat3", NULL, "0.07 in place of 0.1", NULL},
    [DIALECT_CHUNKLLAMA] = {"chunkllama", NULL, "0.05 in place of 0.1", NULL},
    [DIALECT_GROK] = {"grok", NULL, "blends logarithms; A is 1, the context 8192", NULL},
    [DIALECT_KERAS_HUB] = {"keras-hub", NULL, "range not rounded and inside r/2 - 1", NULL},
    END};
const struct pe_choice ladder_flags[] = {
    {"0", PE_WORDS("false"), NULL, NULL}, {"1", PE_WORDS("true"), NULL, NULL}, END};
const struct pe_choice ladder_lists[] = {
    [WHICH_AUTO] = {"auto", NULL, "by seq_len, or the largest position + 1", NULL},
    [WHICH_SHORT] = {"short", NULL, NULL, NULL},
    [WHICH_LONG] = {"long", NULL, NULL, NULL},
    END};
const struct pe_choice ladder_magnitudes[] = {
    [MAGNITUDE_SU] = {"su", NULL, "sqrt(1 + ln F / ln L0)", NULL},
    [MAGNITUDE_YARN] = {"yarn", NULL, "0.1 ln F + 1", NULL},
    END};
const struct pe_choice ladder_powfs[] = {
    {"correct", NULL, "correctly rounded", NULL},
    {"torch-avx2", NULL,
     "PyTorch 1.13 CPU with AVX2; a warning where theta and width were not measured", NULL},
    {"torch-avx512", NULL, "the same with AVX-512", NULL},
    END};
const struct pe_choice ladder_targets[] = {
    [TARGET_FREQ] = {"freq", NULL, "frequencies, the default: Hugging Face, Meta", NULL},
    [TARGET_POSITION] = {"position", PE_WORDS("pos"),
                         "positions: vLLM's and the YaRN repository's linear", NULL},
    [TARGET_ANGLE] = {"angle", NULL, "angles: x-transformers, ggml's freq_factors", NULL},
    END};
const struct pe_choice ladder_profiles[] = {
    [PROFILE_EXACT] = {"exact", NULL, "the real number, rounded once", NULL},
    [PROFILE_F64] = {"f64", NULL, "double throughout: Flux, Wan", NULL},
    [PROFILE_F32_POW] = {"f32-pow", NULL, "the float32 steps of Hugging Face, vLLM, Meta",
                         NULL},
    [PROFILE_F32_EXP] = {"f32-exp", NULL, "frequencies by exp in float32", NULL},
    [PROFILE_F32_DIV] = {"f32-div", NULL, "position / base^(2i/r) in float32: Gemma (JAX)",
                         NULL},
    [PROFILE_F32_ACC] = {"f32-acc", NULL, "multiplied up along the row: ggml, llama.cpp", NULL},
    [PROFILE_BF16_TABLE] = {"bf16-table", NULL, "f32-pow, then bfloat16: vLLM's cache", NULL},
    END};
