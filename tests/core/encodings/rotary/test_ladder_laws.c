/* SPDX-License-Identifier: Apache-2.0
 * test_ladder_laws.c - which scalings equal which, bounds, canonical forms, and what wrong
 * requests are told. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

#define P "pos=-3:40:3,1000003&dim=16&"
#define L2048 "&original_max_position_embeddings=2048"
#define M2048 "&max_position_embeddings=2048"
#define TWOS "2,2,2,2,2,2,2,2"

/* ---- what equals what ---------------------------------------------------------------- */

static const struct {
    const char *one, *other;
} same[] = {
    {P "scaling=linear&factor=1", P "scaling=none"},
    {P "scaling=ntk&factor=1", P "scaling=none"},
    {P "scaling=ntk&factor=1&scaling_variant=fixed", P "scaling=none"},
    {P "scaling=ntk&factor=1&scaling_variant=mixed&mixed_b=.5", P "scaling=none"},
    {P "scaling=ntk&factor=1&scaling_variant=plain", P "scaling=none"},
    {P "scaling=yarn&factor=1" L2048, P "scaling=none"},
    {P "scaling=ntk-by-parts&factor=1" L2048, P "scaling=none"},
    {P "scaling=ntk-by-parts&scaling_variant=part-ntk&factor=1" L2048, P "scaling=none"},
    {P "scaling=llama3&factor=1", P "scaling=none"},
    {P "scaling=dynamic&factor=3&seq_len=2048" M2048, P "scaling=none"},
    {P "scaling=dynamic&scaling_variant=qwen&seq_len=7" M2048, P "scaling=none"},
    {P "scaling=dynamic&scaling_variant=alpha&factor=5", P "scaling=ntk&factor=5"},
    {P "scaling=dynamic&scaling_variant=qwen&seq_len=2049" M2048, P "scaling=ntk&factor=3"},
    {P "scaling=proportional", P "scaling=none"},
    {P "scaling=proportional&factor=2", P "scaling=linear&factor=2"},
    {P "scaling=factors&freq_factors=" TWOS, P "scaling=linear&factor=2"},
    {P "scaling=ggml", P "scaling=none"},
    {P "scaling=ggml&freq_scale=.125", P "scaling=linear&factor=8"},
    {P "scaling=ggml&freq_factors=" TWOS, P "scaling=linear&factor=2"},
    {P "scaling=ggml&freq_scale=.25&ext_factor=1&attn_factor=2" L2048,
     P "scaling=yarn&dialect=llama.cpp&factor=4&attn_factor=2" L2048},
    {P "scaling=ntk-by-parts&factor=4" L2048,
     P "scaling=yarn&factor=4&attention_factor=1" L2048},
    {P "scaling=yarn&max_position_embeddings=8192" L2048, P "scaling=yarn&factor=4" L2048},
    {P "scaling=yarn&factor=4&beta_fast=32&beta_slow=1&truncate=1" L2048,
     P "scaling=yarn&factor=4&dialect=hf" L2048},
    {P "scaling=yarn&factor=4&extrapolation_factor=0&attention_factor=1" L2048,
     P "scaling=linear&factor=4"},
    {P "scaling=deepseek_yarn&factor=4" L2048,
     P "scaling=yarn&dialect=vllm-deepseek&factor=4" L2048},
    {P "scaling=longrope&which=long&long_factor=" TWOS "&attention_factor=1" L2048,
     P "scaling=linear&factor=2"},
    {P "scaling=longrope&short_factor=" TWOS "&long_factor=1,1,1,1,1,1,1,1&factor=1" L2048,
     P "scaling=none"},
    {"pos=0:40&dim=16&scaling=longrope&short_factor=" TWOS
     "&long_factor=1,1,1,1,1,1,1,1&factor=1" L2048,
     "pos=0:40&dim=16&scaling=linear&factor=2"},
    {"pos=0:2049&dim=16&scaling=longrope&short_factor=" TWOS
     "&long_factor=1,1,1,1,1,1,1,1&factor=1" L2048,
     "pos=0:2049&dim=16"},
};

START_TEST(scalings_that_say_the_same_give_the_same_bytes)
{
    static const char *const dtypes[] = {"f64", "f32", "bf16"};

    for (size_t i = 0; i < PE_LEN(dtypes); i++) {
        for (size_t wave = 0; wave < 2; wave++) {
            const char *name = wave == 0 ? "cos" : "sin";
            char query[600];
            double *one, *other;
            size_t count, others;

            snprintf(query, sizeof query, "%s&dtype=%s", same[_i].one, dtypes[i]);
            one = core_query_values("rope", query, name, &count);
            snprintf(query, sizeof query, "%s&dtype=%s", same[_i].other, dtypes[i]);
            other = core_query_values("rope", query, name, &others);
            ck_assert_uint_eq(count, others);
            ck_assert_mem_eq(one, other, count * sizeof *one);
            free(one);
            free(other);
        }
    }
}
END_TEST

/* ---- bounds -------------------------------------------------------------------------- */

static const struct {
    const char *query;
    double factor;
} blends[] = {
    {"dim=128&base=1000000&scaling=yarn&factor=4&original_max_position_embeddings=32768", 4},
    {"dim=64&base=150000&scaling=yarn&factor=32&truncate=0"
     "&original_max_position_embeddings=4096",
     32},
    {"dim=128&base=500000&scaling=llama3&factor=32", 32},
    {"dim=16&scaling=ntk-by-parts&factor=8" L2048, 8},
};

START_TEST(blends_lie_between_kept_and_divided_and_fall_with_the_pair)
{
    char query[300];
    double *kept, before = 1;
    size_t count;

    snprintf(query, sizeof query, "%s&out=kept&dtype=f64", blends[_i].query);
    kept = core_query_values("rope", query, "kept", &count);
    for (size_t i = 0; i < count; i++) {
        ck_assert(kept[i] <= before);
        ck_assert(kept[i] >= (1 - 0x1p-52) / blends[_i].factor);
        before = kept[i];
    }
    ck_assert(kept[0] == 1);
    ck_assert(kept[count - 1] < 1);
    free(kept);
}
END_TEST

/* Equal factors leave no blend: nothing is divided by zero (Llama 4 Scout). */
START_TEST(llama3_with_equal_factors_only_keeps_and_divides)
{
    size_t count, divided = 0;
    double *kept = core_query_values(
        "rope",
        "dim=128&base=500000&scaling=llama3&factor=16&high_freq_factor=1&out=kept&dtype=f64",
        "kept", &count);

    for (size_t i = 0; i < count; i++) {
        ck_assert(kept[i] == 1 || fabs(kept[i] * 16 - 1) < 1e-15);
        divided += kept[i] != 1;
    }
    ck_assert_uint_eq(divided, 29); /* lambda > 8192: pairs 35..63 */
    free(kept);
}
END_TEST

START_TEST(resonant_tables_repeat_with_whole_periods)
{
    double *cosines =
        core_query_values("rope", "pos=1,7,601,60000001&dim=2&resonance=1", "cos", NULL);

    for (size_t i = 1; i < 4; i++)
        ck_assert(cosines[i] == cosines[0]); /* period 6 */
    free(cosines);
}
END_TEST

START_TEST(facts_tell_the_attention_factor_and_the_base)
{
    struct pe_plan *plan =
        core_query_plan(core_query_find("rope"), "pos=0:2&dim=8&scaling=ntk&factor=.25");

    ck_assert(pe_plan_fact(plan, 0)->number == 1);
    ck_assert(fabs(pe_plan_fact(plan, 1)->number - 1574.90131236859) < 1e-9);
    ck_assert_str_eq(pe_plan_warning(plan, 0), "factor is below 1: it shortens the context");
    pe_plan_free(plan);
}
END_TEST

/* ---- canonical forms ----------------------------------------------------------------- */

static const struct {
    const char *query, *holds, *lacks;
} canonical[] = {
    {"dim=8&scaling=deepseek_llama_scaling&factor=4" L2048 "&out=inv_freq",
     "dialect=vllm-deepseek", "deepseek_yarn"},
    {"dim=8&scaling=yarn&max_position_embeddings=8192" L2048 "&out=inv_freq", "factor=4",
     "&max_position"},
    {"dim=8&scaling=yarn&factor=4&attention_factor=1&mscale=1" L2048 "&out=inv_freq",
     "attention_factor=1", "mscale"},
    {"dim=8&scaling=default&out=inv_freq", "scaling=none", "factor"},
    {"dim=8&scaling=llama3&out=inv_freq", "low_freq_factor=1", "beta"},
    {"dim=8&partial_rotary_factor=.5&out=inv_freq", "rotary_dim=4", "partial"},
    {"dim=8&scaling=longrope&seq_len=9&short_factor=1,1,1,1&factor=2" L2048 "&out=inv_freq",
     "which=short", "seq_len"},
    {"dim=8&resonance=0&out=inv_freq", "dim=8", "resonance"},
};

START_TEST(canonical_forms_say_what_took_effect)
{
    struct pe_args *args = core_query_checked(core_query_find("rope"), canonical[_i].query);
    char *text = core_query_canonical(args);

    ck_assert_msg(strstr(text, canonical[_i].holds) && !strstr(text, canonical[_i].lacks), "%s",
                  text);
    free(text);
    pe_args_free(args);
}
END_TEST

/* ---- wrong requests ------------------------------------------------------------------ */

#define Q "dim=8&out=inv_freq&"

static const struct core_refusal refused[] = {
    {Q "scaling=ntk", PE_MISSING_PARAMETER, "factor", "is required with scaling=ntk", ""},
    {"dim=2&out=inv_freq&scaling=ntk&factor=2", PE_CONFLICT, "rotary_dim",
     "must be at least 4 with scaling=ntk, whose exponent is r/(r-2)", ""},
    {Q "scaling=ntk&factor=2&scaling_variant=qwen", PE_CONFLICT, "scaling_variant",
     "must be aware, fixed, mixed or plain with scaling=ntk", ""},
    {Q "scaling=ntk&factor=2&scaling_variant=mixed", PE_MISSING_PARAMETER, "mixed_b",
     "is required with scaling_variant=mixed", ""},
    {Q "scaling=ntk&factor=2&mixed_b=1", PE_CONFLICT, "mixed_b",
     "has no effect without scaling_variant=mixed", ""},
    {Q "scaling=dynamic&factor=2" M2048, PE_MISSING_PARAMETER, "seq_len",
     "is required with scaling=dynamic: the length that chooses the frequencies", ""},
    {Q "scaling=dynamic&factor=2&seq_len=9", PE_MISSING_PARAMETER, "max_position_embeddings",
     "is required with scaling=dynamic: the trained length", ""},
    {Q "scaling=dynamic&seq_len=9" M2048, PE_MISSING_PARAMETER, "factor",
     "is required with scaling=dynamic", ""},
    {Q "scaling=dynamic&factor=2&scaling_variant=qwen&seq_len=9" M2048, PE_CONFLICT, "factor",
     "has no effect with scaling_variant=qwen, which takes it from seq_len", ""},
    {Q "scaling=dynamic&factor=2&scaling_variant=alpha&seq_len=9", PE_CONFLICT, "seq_len",
     "has no effect with scaling_variant=alpha, which knows no length", ""},
    {Q "scaling=dynamic&factor=2&scaling_variant=alpha" M2048, PE_CONFLICT,
     "max_position_embeddings",
     "has no effect with scaling_variant=alpha, which knows no length", ""},
    {Q "scaling=dynamic&factor=2&scaling_variant=mixed&seq_len=9" M2048, PE_CONFLICT,
     "scaling_variant", "must be hf, alpha or qwen with scaling=dynamic", ""},
    {"dim=2&out=inv_freq&scaling=dynamic&factor=2&seq_len=9" M2048, PE_CONFLICT, "rotary_dim",
     "must be at least 4 with scaling=dynamic, whose exponent is r/(r-2)", ""},
    {Q "scaling=yarn&factor=2", PE_MISSING_PARAMETER, "original_max_position_embeddings",
     "is required with this scaling: the length before it", ""},
    {Q "scaling=yarn" L2048, PE_MISSING_PARAMETER, "factor",
     "is required with this scaling, or max_position_embeddings", ""},
    {Q "scaling=yarn&factor=2&beta_fast=1&beta_slow=2" L2048, PE_CONFLICT, "beta_fast",
     "must be at least beta_slow, 2; got 1", ""},
    {Q "base=1&scaling=yarn&factor=2" L2048, PE_CONFLICT, "base",
     "must not be 1: a range of pairs needs ln(base)", ""},
    {Q "scaling=yarn&factor=2&extrapolation_factor=1.5" L2048, PE_OUT_OF_RANGE,
     "extrapolation_factor", "must be a number, 0..1; got 1.5", ""},
    {Q "scaling=yarn&factor=2&dialect=vllm&mscale=1" L2048, PE_CONFLICT, "mscale",
     "has no effect with dialect=vllm; leave it out", ""},
    {Q "scaling=yarn&factor=2&dialect=vllm&mscale_all_dim=1" L2048, PE_CONFLICT,
     "mscale_all_dim", "has no effect with dialect=vllm; leave it out", ""},
    {Q "scaling=yarn&factor=2&dialect=megatron&attn_factor=2" L2048, PE_CONFLICT, "attn_factor",
     "has no effect with dialect=megatron; leave it out", ""},
    {Q "scaling=yarn&factor=2&dialect=deepseek&attention_factor=2" L2048, PE_CONFLICT,
     "attention_factor", "has no effect with dialect=deepseek; leave it out", ""},
    {Q "scaling=yarn&factor=2&dialect=llama.cpp&truncate=0" L2048, PE_CONFLICT, "truncate",
     "has no effect with dialect=llama.cpp; leave it out", ""},
    {Q "scaling=yarn&factor=2&dialect=gpt-oss&original_max_position_embeddings=64", PE_CONFLICT,
     "dialect",
     "must not be gpt-oss here: it wants the range of pairs inside 0..3, and has "
     "-0.49715..1.008; hf clamps it",
     ""},
    {Q "scaling=deepseek_yarn&factor=2&dialect=hf" L2048, PE_CONFLICT, "dialect",
     "must be vllm-deepseek with scaling=deepseek_yarn; give scaling=yarn for others", ""},
    {Q "scaling=ntk-by-parts&scaling_variant=aware&factor=2" L2048, PE_CONFLICT,
     "scaling_variant", "must be yarn or part-ntk with scaling=ntk-by-parts", ""},
    {Q "scaling=ntk-by-parts&factor=2&beta=2,1" L2048, PE_CONFLICT, "beta",
     "has no effect without scaling_variant=part-ntk", ""},
    {Q "scaling=ntk-by-parts&factor=2&gamma=2,1" L2048, PE_CONFLICT, "gamma",
     "has no effect without scaling_variant=part-ntk", ""},
    {Q "scaling=ntk-by-parts&factor=2&ntk_factor=1" L2048, PE_CONFLICT, "ntk_factor",
     "has no effect without scaling_variant=part-ntk", ""},
    {Q "scaling=ntk-by-parts&scaling_variant=part-ntk&factor=2&beta_slow=1" L2048, PE_CONFLICT,
     "beta_slow", "has no effect with scaling_variant=part-ntk; give beta and gamma", ""},
    {Q "scaling=ntk-by-parts&scaling_variant=part-ntk&factor=2&beta=1" L2048, PE_BAD_VALUE,
     "beta", "must be two numbers, such as 1.25,0.75", ""},
    {Q "scaling=longrope&factor=2&which=long&long_factor=1,1,1,1", PE_MISSING_PARAMETER,
     "original_max_position_embeddings", "is required with scaling=longrope", ""},
    {Q "scaling=longrope&factor=2&which=long&long_factor=1,1,1,1"
       "&original_max_position_embeddings=1",
     PE_OUT_OF_RANGE, "original_max_position_embeddings",
     "must be above 1 with scaling=longrope, which divides by its logarithm", ""},
    {Q "scaling=longrope&factor=2&long_factor=1,1,1,1&short_factor=1,1,1,1" L2048,
     PE_MISSING_PARAMETER, "seq_len",
     "is required where there are no positions, or which=short or which=long", ""},
    {Q "scaling=longrope&factor=2&long_factor=1,1,1,1&which=long&seq_len=4" L2048, PE_CONFLICT,
     "seq_len", "has no effect unless which=auto", ""},
    {Q "scaling=longrope&factor=2&long_factor=1,1,1&which=long" L2048, PE_CONFLICT,
     "long_factor", "must have one factor a pair, 4; got 3", ""},
    {Q "scaling=longrope&factor=2&long_factor=1,1,1,1&which=short" L2048, PE_MISSING_PARAMETER,
     "short_factor", "is required: this answer uses it (which=short)", ""},
    {Q "scaling=longrope&factor=2&short_factor=1,1,1,1&which=long" L2048, PE_MISSING_PARAMETER,
     "long_factor", "is required: this answer uses it (which=long)", ""},
    {Q "scaling=longrope&long_factor=1,1,1,1&which=long" L2048, PE_MISSING_PARAMETER,
     "max_position_embeddings",
     "is required with scaling=longrope, or factor, or attention_factor", ""},
    {Q "scaling=longrope&factor=2&long_factor=1,0,1,1&which=long" L2048, PE_OUT_OF_RANGE,
     "long_factor", "", ""},
    {Q "scaling=llama3&low_freq_factor=4&high_freq_factor=1", PE_CONFLICT, "high_freq_factor",
     "must be at least low_freq_factor, 4; got 1", ""},
    {Q "scaling=factors", PE_MISSING_PARAMETER, "freq_factors",
     "is required with scaling=factors: one divisor a pair", ""},
    {Q "scaling=factors&freq_factors=1,2", PE_CONFLICT, "freq_factors",
     "must have one divisor a pair, 4; got 2", ""},
    {Q "scaling=ggml&freq_factors=1,2", PE_CONFLICT, "freq_factors",
     "must have one divisor a pair, 4; got 2", ""},
    {Q "scaling=ggml&ext_factor=1", PE_MISSING_PARAMETER, "original_max_position_embeddings",
     "is required with ext_factor other than 0 (n_ctx_orig)", ""},
    {Q "base=1&scaling=ggml&ext_factor=1" L2048, PE_CONFLICT, "base",
     "must not be 1: a range of pairs needs ln(base)", ""},
    {Q "scaling=ggml&ext_factor=1&beta_fast=1&beta_slow=2" L2048, PE_CONFLICT, "beta_fast",
     "must be at least beta_slow, 2; got 1", ""},
    {Q "scaling=proportional&rotary_dim=4", PE_CONFLICT, "rotary_dim",
     "has no effect with scaling=proportional, which turns pairs of the whole head; give "
     "partial_rotary_factor",
     ""},
    {Q "scaling=llama3&mscale=1", PE_CONFLICT, "mscale",
     "has no effect with scaling=llama3; leave it out, or choose a scaling that uses it", ""},
    {Q "scaling=llama3&beta=2,1", PE_CONFLICT, "beta",
     "has no effect with scaling=llama3; leave it out, or choose a scaling that uses it", ""},
    {Q "scaling=llama3&dialect=hf", PE_CONFLICT, "dialect",
     "has no effect with scaling=llama3; leave it out, or choose a scaling that uses it", ""},
    {Q "powf=torch-avx2", PE_CONFLICT, "powf",
     "has no effect without profile=f32-pow or bf16-table", ""},
    {Q "profile=f32-div&scaling=llama3", PE_CONFLICT, "profile",
     "must be exact, f64, f32-pow or bf16-table with scaling=llama3", ""},
    {Q "profile=f32-exp&scaling=ntk&factor=2", PE_CONFLICT, "profile",
     "must be exact, f64, f32-pow or bf16-table with scaling=ntk", ""},
    {Q "profile=f32-acc&scaling=llama3", PE_CONFLICT, "profile",
     "f32-acc goes with scaling=ggml, factors, linear or none, as ggml computes", ""},
    {Q "profile=f32-pow&scaling=ggml", PE_CONFLICT, "profile",
     "must be exact, f64 or f32-acc with scaling=ggml", ""},
    {Q "profile=f32-pow&resonance=1", PE_CONFLICT, "resonance",
     "goes with profile=exact or f64", ""},
    {Q "base=.5&allow_base_below_one=1&resonance=1", PE_CONFLICT, "resonance",
     "needs wavelengths of at least one position: a base of 1 or more", ""},
    {Q "scaling=linear&factor=.05&resonance=1", PE_CONFLICT, "resonance",
     "needs wavelengths of more than half a position; the scaling makes one of 0.314159", ""},
    {"dim=8&out=turns", PE_CONFLICT, "out",
     "cannot be turns without a scaling that has original_max_position_embeddings", ""},
    {"dim=8&out=ntk_alpha", PE_CONFLICT, "out",
     "cannot be ntk_alpha without scaling=dynamic&scaling_variant=qwen", ""},
};

START_TEST(wrong_scalings_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("rope"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(scalings_that_say_the_same_give_the_same_bytes, same),
    TEST_EACH(blends_lie_between_kept_and_divided_and_fall_with_the_pair, blends),
    TEST(llama3_with_equal_factors_only_keeps_and_divides),
    TEST(resonant_tables_repeat_with_whole_periods),
    TEST(facts_tell_the_attention_factor_and_the_base),
    TEST_EACH(canonical_forms_say_what_took_effect, canonical),
    TEST_EACH(wrong_scalings_are_told_what_would_be_right, refused),
};

const struct suite ladder_laws_suite = {SUITE_TESTS(tests)};
