/* SPDX-License-Identifier: Apache-2.0
 * test_rope_dialects.c - rope as its ports have it: packed tables, presets, the attention
 * factor left out, Grok's blend, the least base. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

#define KERAS "dim=8&scaling=yarn&dialect=keras-hub&dtype=f64"

static const struct {
    const char *query, *output, *numbers;
} known[] = {
    /* GPT-J's and RoFormer's rows, vLLM's cache, ggml's cache */
    {"pos=1&dim=4&out=table&order=sin-cos&dtype=f64", "table",
     ".841471 .00999983 .540302 .999950"},
    {"pos=1&dim=4&out=table&dtype=f64", "table", ".540302 .999950 .841471 .00999983"},
    {"pos=1&dim=4&out=table&order=complex&dtype=f64", "table",
     ".540302 .841471 .999950 .00999983"},
    {"dim=128&context=8192&out=min_theta&dtype=f64", "min_theta", "1461.0257"},
    {"dim=128&context=32768&out=min_theta&dtype=f64", "min_theta", "5974.1257"},
    {"dim=128&context=131072&out=min_theta&dtype=f64", "min_theta", "24428.165"},
    {"dim=8&scaling=yarn&factor=4&original_max_position_embeddings=2048&dialect=grok"
     "&out=inv_freq&dtype=f64",
     "inv_freq", "1 .1 .005 .00025"}, /* the third is half kept: .01 / sqrt 4 */
    {KERAS "&factor=4&original_max_position_embeddings=2048&out=inv_freq", "inv_freq",
     "1 .1 .00505697152 .00025"},
    {KERAS "&factor=4&original_max_position_embeddings=2048&truncate=1&out=inv_freq",
     "inv_freq", "1 .1 .00625 .00025"},
    /* the range ends at the last pair, and a factor below 1 has a temperature too */
    {KERAS "&factor=.5&base=10&original_max_position_embeddings=100&out=inv_freq", "inv_freq",
     "1 .749788434 .527046277 .355655882"},
    {KERAS "&factor=.5&original_max_position_embeddings=100&out=attention_factor",
     "attention_factor", ".9306852819"},
};

START_TEST(rows_of_the_ports_are_served)
{
    core_query_prints("rope", known[_i].query, known[_i].output, known[_i].numbers);
}
END_TEST

static const struct {
    const char *preset, *meaning;
} presets[] = {
    {"pos=0:4&dim=8&preset=hf-llama", "pos=0:4&dim=8&pairing=half&profile=f32-pow"},
    {"pos=0:4&dim=8&preset=vllm", "pos=0:4&dim=8&pairing=half&profile=f32-pow"},
    {"pos=0:4&dim=8&preset=torchtune", "pos=0:4&dim=8&pairing=adjacent&profile=f32-pow"},
    {"pos=0:4&dim=8&preset=gpt-j", "pos=0:4&dim=8&pairing=adjacent&profile=f64"},
    {"pos=0:4&dim=8&preset=gemma", "pos=0:4&dim=8&pairing=half&profile=f32-div"},
    {"pos=0:4&dim=8&preset=mlx", "pos=0:4&dim=8&pairing=half"},
    {"pos=0:4&dim=8&preset=ggml&freq_scale=.5",
     "pos=0:4&dim=8&scaling=ggml&profile=f32-acc&freq_scale=.5"},
    {"pos=0:4&dim=8&preset=ggml&profile=exact", "pos=0:4&dim=8&scaling=ggml"},
};

START_TEST(a_preset_is_what_it_stands_for)
{
    const struct pe_encoding *rope = core_query_find("rope");
    struct pe_args *named = core_query_checked(rope, presets[_i].preset),
                   *spelled = core_query_checked(rope, presets[_i].meaning);
    char *one = core_query_canonical(named), *other = core_query_canonical(spelled);

    ck_assert_str_eq(one, other);
    free(one);
    free(other);
    pe_args_free(named);
    pe_args_free(spelled);
}
END_TEST

#define YARN "dim=16&scaling=yarn&factor=4&original_max_position_embeddings=2048"

START_TEST(an_attention_factor_left_out_leaves_plain_cosines)
{
    size_t count;
    double *with =
               core_query_values("rope", "pos=3:5&" YARN "&dtype=f64&out=cos", "cos", &count),
           *without = core_query_values(
               "rope", "pos=3:5&" YARN "&dtype=f64&out=cos&apply_attention_factor=0", "cos",
               NULL),
           *factor = core_query_values("rope", YARN "&out=attention_factor&dtype=f64",
                                       "attention_factor", NULL);

    ck_assert_uint_eq(count, 16);
    for (size_t i = 0; i < count; i++)
        ck_assert_double_eq_tol(with[i], without[i] * *factor, 1e-15);
    free(with);
    free(without);
    free(factor);
}
END_TEST

/* Grok's frequencies lie between the divided and the plain ones, at equal ratios where
 * YaRN's lie at equal differences. */
START_TEST(grok_blends_ratios_where_yarn_blends_differences)
{
    size_t count;
    double *grok = core_query_values("rope", YARN "&dialect=grok&out=kept&dtype=f64", "kept",
                                     &count),
           *yarn = core_query_values("rope", YARN "&out=kept&dtype=f64", "kept", NULL);

    for (size_t i = 0; i < count; i++) {
        double keep = (yarn[i] - 0.25) / 0.75;

        ck_assert_double_eq_tol(grok[i], pow(4, keep - 1), 1e-15);
    }
    free(grok);
    free(yarn);
}
END_TEST

/* With the least base, the slowest pair's wavelength is the context. */
START_TEST(the_least_base_makes_one_turn_in_the_context)
{
    double *wavelengths =
        core_query_values("rope", "dim=128&base=5974.125660567171&out=wavelengths&dtype=f64",
                          "wavelengths", NULL);

    ck_assert_double_eq_tol(wavelengths[63], 32768, 1e-6);
    free(wavelengths);
}
END_TEST

static const struct core_refusal refusals[] = {
    {"pos=1&" YARN "&dialect=grok&profile=f32-pow", PE_CONFLICT, "profile",
     "must be exact or f64 with dialect=grok", ""},
    {"pos=1&" YARN "&dialect=keras-hub&profile=f32-pow", PE_CONFLICT, "profile",
     "must be exact or f64 with dialect=keras-hub", ""},
    {"pos=1&" YARN "&dialect=keras-hub&attn_factor=2", PE_CONFLICT, "attn_factor",
     "has no effect with dialect=keras-hub", ""},
    {"pos=0:2050&" YARN "&dialect=keras-hub&truncate=1", PE_CONFLICT, "truncate",
     "makes Keras Hub clamp positions to original_max_position_embeddings, 2048", ""},
    {"pos=1&dim=8&apply_attention_factor=0", PE_CONFLICT, "apply_attention_factor",
     "has no effect where the attention factor is 1", ""},
    {"dim=8&rotary_dim=2&context=64&out=min_theta", PE_CONFLICT, "dim",
     "must leave at least 4 rotary coordinates for out=min_theta", ""},
    {"dim=8&context=6&out=min_theta", PE_OUT_OF_RANGE, "context", "must be at least 7", ""},
    {"dim=8&out=min_theta", PE_MISSING_PARAMETER, "context", "is required", ""},
    {"pos=1&dim=8&order=sin-cos", PE_CONFLICT, "order", "has no effect", "out=table uses it"},
};

START_TEST(wrong_questions_are_refused)
{
    core_query_refused(core_query_find("rope"), &refusals[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(rows_of_the_ports_are_served, known),
    TEST_EACH(a_preset_is_what_it_stands_for, presets),
    TEST(an_attention_factor_left_out_leaves_plain_cosines),
    TEST(grok_blends_ratios_where_yarn_blends_differences),
    TEST(the_least_base_makes_one_turn_in_the_context),
    TEST_EACH(wrong_questions_are_refused, refusals),
};

const struct suite rope_dialects_suite = {SUITE_TESTS(tests)};
