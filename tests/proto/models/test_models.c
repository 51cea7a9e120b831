/* SPDX-License-Identifier: Apache-2.0
 * test_models.c - tests that every embedded model is complete and makes legal requests;
 * models.txt has requests with model=. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/describe/model_urls.h"
#include "proto/models/model_output.h"
#include "proto/models/models.h"
#include "proto/output/encoder.h"
#include "proto/request/request.h"
#include "tests/proto/support/ask.h"
#include "tests/support/suite.h"

enum { ENOUGH = 60 };

static const struct model *find(const char *name)
{
    return models_find(models_embedded(), name, strlen(name));
}

START_TEST(there_are_models_enough_each_with_its_source)
{
    const struct models *all = models_embedded();

    ck_assert_uint_ge(models_count(all), ENOUGH);
    for (size_t i = 0; i < models_count(all); i++) {
        const struct model *model = models_at(all, i);

        ck_assert(i == 0 || strcmp(models_at(all, i - 1)->id, model->id) < 0);
        ck_assert_ptr_eq(find(model->id), model);
        ck_assert_msg(strncmp(model->source->repository, "https://", 8) == 0, "%s", model->id);
        ck_assert_uint_gt(strlen(model->source->path), 0);
        ck_assert_uint_eq(strlen(model->source->commit), 40);
        ck_assert_uint_gt(model->use_count, 0);
    }
}
END_TEST

/* A converter's table has a length of its own where its row names none. These three rows name
 * theirs, and no copy of their models' config.json is known. */
START_TEST(no_length_rests_on_a_converter)
{
    static const char *const named[] = {"falcon3-1b", "phi-4-reasoning", "smollm2-1.7b"};
    const struct model *model = models_at(models_embedded(), (size_t)_i);
    const char *converter = "litgpt/config.py";
    const struct model_source *source = model->source;

    for (size_t i = 0; i < model->source_count; i++)
        if (strcmp(model->sources[i].fact, "max_position_embeddings") == 0)
            source = model->sources[i].source;
    bool known = model->max_position_embeddings == 0 || strcmp(source->path, converter) != 0;

    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        known = known || strcmp(model->id, named[i]) == 0;
    ck_assert_msg(known, "%s: %lld positions", model->id,
                  (long long)model->max_position_embeddings);
}
END_TEST

static const struct {
    const char *id;
    int64_t positions;
} trained[] = {
    {"gemma-2b", 8192},      {"gemma-7b", 8192},
    {"gemma-3-1b", 32768},   {"mistral-large-2411", 131072},
    {"minicpm-2b", 4096},    {"minicpm-2b-128k", 65536},
    {"gemma-3-27b", 131072}, {"llama-2-70b", 4096},
};

START_TEST(lengths_are_those_of_the_models_configurations)
{
    const struct model *model = find(trained[_i].id);

    ck_assert_msg(model != NULL, "%s", trained[_i].id);
    ck_assert_int_eq(model->max_position_embeddings, trained[_i].positions);
}
END_TEST

/* Returns whether the client must bring something for a default output of the use. */
static bool needs_something(const struct model_use *use, const struct pe_encoding *enc)
{
    const char *names[MODEL_OUTPUT_NEEDS_MAX];
    size_t outputs, needs = 0;
    const struct pe_output *output = pe_outputs(enc, &outputs);

    for (size_t i = 0; i < outputs; i++)
        needs += output[i].by_default ? model_output_needs(use, enc, &output[i], names) : 0;
    return needs > 0;
}

START_TEST(every_use_of_every_model_is_answered)
{
    const struct models *all = models_embedded();
    const struct model *model = models_at(all, (size_t)_i);

    for (size_t i = 0; i < model->use_count; i++) {
        const struct pe_encoding *enc = model_output_encoding(&model->uses[i]);

        ck_assert_msg(enc || !model->uses[i].encoding, "%s", model->id);
        for (size_t named = 0; enc && named < 2; named++) {
            struct buffer query[MODEL_URLS_MAX] = {{0}};
            size_t count = model_urls(&model->uses[i], named ? model : NULL, query);

            ck_assert_msg(count > 0 || needs_something(&model->uses[i], enc), "%s", model->id);
            for (size_t j = 0; j < count; j++) {
                struct ask ask;

                ask_query(&ask, pe_name(enc), query[j].bytes, NULL);
                ck_assert_msg(ask.encoder != NULL, "%s: %s: %s %s", model->id, query[j].bytes,
                              ask.errors.at[0].parameter, ask.errors.at[0].detail);
                ask_free(&ask);
                buffer_fini(&query[j]);
            }
        }
    }
}
END_TEST

START_TEST(a_named_model_and_its_settings_are_one_request)
{
    const struct model *model = models_at(models_embedded(), (size_t)_i);

    for (size_t i = 0; i < model->use_count; i++) {
        struct buffer named[MODEL_URLS_MAX] = {{0}}, plain[MODEL_URLS_MAX] = {{0}};
        const struct pe_encoding *enc = model_output_encoding(&model->uses[i]);
        size_t count = !enc ? 0 : model_urls(&model->uses[i], NULL, plain);

        if (count > 0)
            ck_assert_uint_eq(model_urls(&model->uses[i], model, named), count);
        for (size_t j = 0; j < count; j++) {
            struct ask a, b;

            ask_query(&a, pe_name(enc), named[j].bytes, NULL);
            ask_query(&b, pe_name(enc), plain[j].bytes, NULL);
            ck_assert_str_eq(request_canonical(a.request, NULL),
                             request_canonical(b.request, NULL));
            ck_assert_str_eq(request_etag(a.request, CONTENT_CODING_IDENTITY),
                             request_etag(b.request, CONTENT_CODING_IDENTITY));
            ck_assert_ptr_null(strstr(request_canonical(a.request, NULL), "model="));
            ck_assert(request_options(a.request)->named);
            ck_assert(!request_options(b.request)->named);
            ask_free(&a);
            ask_free(&b);
            buffer_fini(&named[j]);
            buffer_fini(&plain[j]);
        }
    }
}
END_TEST

static const char *setting(const struct model_use *use, const char *name)
{
    for (size_t i = 0; i < use->count; i++)
        if (strcmp(use->settings[i].name, name) == 0)
            return use->settings[i].text;
    return "";
}

/* Dynamic scaling makes another theta for every length; that of Qwen keeps the theta up to the
 * trained length, which the URL asks for, and that of Hunyuan (alpha) has one theta. */
START_TEST(torch_s_powers_are_measured_at_the_theta_and_width_of_every_model)
{
    const struct model *model = models_at(models_embedded(), (size_t)_i);

    for (size_t i = 0; i < model->use_count; i++) {
        const struct model_use *use = &model->uses[i];
        struct buffer query[MODEL_URLS_MAX] = {{0}};
        const struct pe_encoding *enc = model_output_encoding(use);
        bool turns = enc && *setting(use, "base") != '\0' && pe_param_find(enc, "powf", 4);
        bool moves = strcmp(setting(use, "scaling"), "dynamic") == 0 &&
                     strcmp(setting(use, "scaling_variant"), "qwen") != 0 &&
                     strcmp(setting(use, "scaling_variant"), "alpha") != 0;
        size_t count = turns ? model_urls(use, NULL, query) : 0;

        for (size_t j = 0; j < count; j++) {
            struct ask ask;
            const char *powf = "&profile=f32-pow&powf=torch-avx2";

            buffer_add(&query[j], powf, strlen(powf));
            ask_query(&ask, use->encoding, query[j].bytes, NULL);
            ck_assert_msg(ask.plan != NULL, "%s: %s", model->id, query[j].bytes);
            ck_assert_msg((pe_plan_warning_count(ask.plan) > 0) == moves, "%s: %s", model->id,
                          query[j].bytes);
            ask_free(&ask);
            buffer_fini(&query[j]);
        }
    }
}
END_TEST

static const struct {
    const char *factor, *trained, *seq_len;
} lengths[] = {
    {"2", "2048", "seq_len=4096&"},
    {"2", "4503599627370496", "seq_len=9007199254740992&"},
    {"4", "4503599627370496", "seq_len=1&"},
    {"1e300", "2048", "seq_len=1&"},
    {"1e300", "1e300", "seq_len=1&"}, /* its theta is infinite */
};

START_TEST(a_length_beyond_all_positions_is_not_asked_for)
{
    const struct model_setting settings[] = {
        {"dim", "8"},
        {"scaling", "dynamic"},
        {"factor", lengths[_i].factor},
        {"max_position_embeddings", lengths[_i].trained},
    };
    const struct model_use use = {.encoding = "rope",
                                  .settings = settings,
                                  .count = sizeof settings / sizeof *settings};
    struct buffer query[MODEL_URLS_MAX] = {{0}};
    size_t count = model_urls(&use, NULL, query);

    ck_assert_uint_ge(count, 1);
    ck_assert_msg(strstr(query[0].bytes, lengths[_i].seq_len) != NULL, "%s", query[0].bytes);
    for (size_t i = 0; i < count; i++)
        buffer_fini(&query[i]);
}
END_TEST

START_TEST(names_are_found_in_any_case_and_by_alias)
{
    const struct model *model = find("llama-3.1-8b");

    ck_assert_ptr_nonnull(model);
    ck_assert_ptr_eq(find("LLAMA-3.1-8B"), model);
    ck_assert_ptr_eq(find("meta-llama/Meta-Llama-3.1-8B"), model);
    ck_assert_ptr_eq(find("Meta-Llama-3.1-8B"), model);
    ck_assert_ptr_null(find("llama-3.1"));
    ck_assert_ptr_null(find(""));
}
END_TEST

START_TEST(a_set_has_the_embedded_models_and_more)
{
    static const struct model_setting settings[] = {{"dim", "8"}};
    static const struct model_use use = {.encoding = "rope", .settings = settings, .count = 1};
    static const struct model mine = {.id = "mine", .uses = &use, .use_count = 1};
    const struct model *more[] = {&mine};
    const char *near[MODELS_NEAR];
    struct models *models = models_new(more, 1);

    ck_assert_ptr_nonnull(models);
    ck_assert_uint_eq(models_count(models), models_count(models_embedded()) + 1);
    ck_assert_ptr_eq(models_find(models, "mine", 4), &mine);
    ck_assert_ptr_nonnull(models_find(models, "phi-2", 5));
    ck_assert_uint_ge(models_nearest(models, "mne", 3, near), 1);
    ck_assert_str_eq(near[0], "mine");
    for (size_t i = 1; i < models_count(models); i++)
        ck_assert_int_lt(strcmp(models_at(models, i - 1)->id, models_at(models, i)->id), 0);
    models_free(models);
    models_free(NULL);
}
END_TEST

static const struct {
    const char *encoding, *preset, *query;
} presets[] = {
    {"rope-axes", "flux", "ids=0,0,0;0,3,1"},
    {"rope-axes", "minimax-h3", "ids=2,3,5&dim=128"},
    {"sinusoidal", "whisper", "pos=0:3&dim=8"},
    {"sinusoidal", "tensor2tensor", "pos=0:3&dim=8"},
};

/* Writes the tensors that the query answers, as JSON; the models may be NULL. */
static char *answer(const struct pe_encoding *enc, const char *query,
                    const struct models *models)
{
    static struct pe_errors errors;
    const struct request_limits limits = {.max_elements = 1000000,
                                          .max_text_elements = 1000000,
                                          .max_prepared = PE_DEFAULT_MAX_PREPARED};
    struct request *request = request_new(enc);
    struct pe_plan *plan = NULL;
    char *text = calloc(1, 1 << 16);

    pe_errors_clear(&errors);
    request_set_models(request, models);
    (void)request_set_query(request, query, strlen(query), &errors);
    (void)request_finish(request, NULL, 0, &errors);
    ck_assert_msg(errors.count == 0, "%s: %s %s", query, errors.at[0].parameter,
                  errors.at[0].detail);
    ck_assert_int_eq(request_plan(request, &plan, NULL, &limits, &errors), PE_OK);
    struct encoder *encoder = encoder_new(request, plan);
    (void)encoder_read(encoder, text, (1 << 16) - 1);
    encoder_free(encoder);
    pe_plan_free(plan);
    request_free(request);
    return text;
}

START_TEST(a_preset_of_a_model_is_the_preset_in_the_request)
{
    const struct pe_encoding *enc = pe_find(presets[_i].encoding, strlen(presets[_i].encoding));
    const struct model_setting settings[] = {{"preset", presets[_i].preset}};
    const struct model_use use = {.encoding = presets[_i].encoding,
                                  .settings = settings,
                                  .count = 1};
    const struct model mine = {.id = "mine", .uses = &use, .use_count = 1};
    const struct model *more[] = {&mine};
    struct models *models = models_new(more, 1);
    char query[128];

    snprintf(query, sizeof query, "model=mine&%s", presets[_i].query);
    char *named = answer(enc, query, models);
    snprintf(query, sizeof query, "preset=%s&%s", presets[_i].preset, presets[_i].query);
    char *plain = answer(enc, query, NULL);
    ck_assert_str_eq(named, plain);
    free(named);
    free(plain);
    struct buffer urls[MODEL_URLS_MAX] = {{0}};
    const size_t count = model_urls(&use, &mine, urls);
    for (size_t i = 0; i < count; i++) {
        free(answer(enc, urls[i].bytes, models));
        buffer_fini(&urls[i]);
    }
    ck_assert(count > 0 || strstr(presets[_i].query, "dim="));
    models_free(models);
}
END_TEST

static size_t embedded_count(void)
{
    return models_count(models_embedded());
}

static const struct suite_test tests[] = {
    TEST(there_are_models_enough_each_with_its_source),
    TEST_COUNTED(no_length_rests_on_a_converter, embedded_count),
    TEST_EACH(lengths_are_those_of_the_models_configurations, trained),
    TEST_COUNTED(every_use_of_every_model_is_answered, embedded_count),
    TEST_COUNTED(a_named_model_and_its_settings_are_one_request, embedded_count),
    TEST_COUNTED(torch_s_powers_are_measured_at_the_theta_and_width_of_every_model,
                 embedded_count),
    TEST_EACH(a_length_beyond_all_positions_is_not_asked_for, lengths),
    TEST(names_are_found_in_any_case_and_by_alias),
    TEST_EACH(a_preset_of_a_model_is_the_preset_in_the_request, presets),
    TEST(a_set_has_the_embedded_models_and_more),
};

const struct suite models_suite = {SUITE_TESTS(tests), .timeout = 30};
