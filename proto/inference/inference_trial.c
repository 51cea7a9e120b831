/* SPDX-License-Identifier: Apache-2.0
 * inference_trial.c - see inference_trial.h. A change doubles a number or a list, which
 * keeps most values valid; where none is, the caller knows nothing of the shape. */
#include "proto/inference/inference_trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/models/model_use.h"
#include "proto/models/param_set.h"
#include "proto/request/option.h"
#include "proto/request/param_names.h"
#include "proto/request/query.h"
#include "proto/request/request.h"
#include "proto/text/word.h"

/* A plan of more is not worth the time: metadata is asked for between requests. */
enum { MOST_ELEMENTS = 16 << 20, MOST_PREPARED = 1 << 16, MOST_OPERATIONS = 2000000 };

/* ---- what requests must have
 * --------------------------------------------------------------- */

bool inference_trial_requires(const struct pe_encoding *enc, const struct pe_param *param)
{
    size_t count;
    const struct pe_output *outputs = pe_outputs(enc, &count);

    for (size_t i = 0; i < count; i++)
        if (outputs[i].by_default && pe_output_requires(&outputs[i], param))
            return true;
    return false;
}

bool inference_trial_is_alternative(const struct pe_encoding *enc, const struct pe_param *param)
{
    size_t count;
    const struct pe_output *outputs = pe_outputs(enc, &count);

    for (size_t i = 0; i < count; i++) {
        const char *sets = outputs[i].by_default ? outputs[i].one_of : NULL;
        struct param_set set;

        while (param_set_next(enc, &sets, &set))
            for (size_t j = 0; j < set.count; j++)
                if (set.at[j] == param)
                    return true;
    }
    return false;
}

bool inference_trial_is_preset(const struct inference_model *model, const char *name)
{
    const struct model *preset = model->preset;

    for (size_t i = 0; preset && i < preset->use_count; i++) {
        const struct model_use *use = &preset->uses[i];

        for (size_t j = 0; model_use_is_about(use, model->enc) && j < use->count; j++)
            if (strcmp(use->settings[j].name, name) == 0)
                return true;
    }
    return false;
}

/* ---- values
 * -------------------------------------------------------------------------------- */

static void add(struct inference_trial *trial, const struct pe_param *param, const char *name,
                const char *text)
{
    struct inference_trial_value *value = &trial->at[trial->count];

    if (trial->count == INFERENCE_TRIAL_VALUES || strlen(text) >= sizeof value->text)
        return;
    value->param = param;
    snprintf(value->name, sizeof value->name, "%s", name);
    snprintf(value->text, sizeof value->text, "%s", text);
    trial->count++;
}

/* Adds a value of the example, unless the model decides it or the shapes do not need it. */
static void add_example(struct inference_trial *trial, const char *name, const char *text,
                        bool all)
{
    const struct pe_encoding *enc = trial->model->enc;
    const struct pe_param *param = param_names_find(enc, name, strlen(name));
    const enum option_id option = option_find(name, strlen(name));

    if (option != OPTION_COUNT) {
        if (option == OPTION_SHAPE || option == OPTION_IN_DTYPE)
            add(trial, NULL, name, text);
        return;
    }
    if (!param || strcmp(name, "out") == 0 || strcmp(name, "dtype") == 0 ||
        inference_trial_is_preset(trial->model, param->name))
        return;
    if (all || param->type == PE_TENSOR || inference_trial_requires(enc, param) ||
        inference_trial_is_alternative(enc, param))
        add(trial, param, name, text);
}

/* Where layers of the preset differ, a request must choose one. */
static void add_layers(struct inference_trial *trial)
{
    const struct model *preset = trial->model->preset;
    const char *type = NULL;
    size_t count = 0;

    for (size_t i = 0; preset && i < preset->use_count; i++) {
        if (model_use_is_about(&preset->uses[i], trial->model->enc)) {
            type = model_use_group(&preset->uses[i]);
            count++;
        }
    }
    if (count > 1)
        add(trial, NULL, "layer_type", type);
}

void inference_trial_begin(struct inference_trial *trial, const char *example, bool all)
{
    struct pe_errors errors = {0};
    struct query query;

    trial->count = 0;
    (void)query_parse(&query, example, strlen(example), &errors);
    for (size_t i = 0; i < query.count; i++)
        add_example(trial, query.at[i].name, query.at[i].value, all);
    query_fini(&query);
    add_layers(trial);
}

/* ---- changes
 * -------------------------------------------------------------------------------- */

/* Doubles a text by writing it twice with a mark between. */
static bool repeat(char text[INFERENCE_TRIAL_TEXT], char mark)
{
    size_t len = strlen(text);

    if (2 * len + 2 > INFERENCE_TRIAL_TEXT)
        return false;
    text[len] = mark;
    memcpy(text + len + 1, text, len);
    text[2 * len + 1] = '\0';
    return true;
}

static bool change_layer(struct inference_trial *trial, struct inference_trial_value *value,
                         unsigned turn)
{
    const struct model *preset = trial->model->preset;

    for (size_t i = 0; i < preset->use_count; i++) {
        const struct model_use *use = &preset->uses[i];

        if (!model_use_is_about(use, trial->model->enc) || turn-- > 0)
            continue;
        snprintf(value->text, sizeof value->text, "%s", model_use_group(use));
        return true;
    }
    return false;
}

/* How values of a type change. */
static const struct {
    const char *texts[4]; /* other values, NULL-terminated if there are fewer */
    const char *marks;    /* or: between two copies of the value, one mark a turn */
    bool larger;          /* or: a number doubled, tripled, and one more */
} changes[] = {
    [PE_INT] = {.larger = true},
    [PE_REALS] = {.marks = ",,"},
    [PE_POSITIONS] = {.texts = {"0:6", "0:12", "0:9", "0:2"}},
    [PE_GRID] = {.texts = {"4x6", "8x8", "6x4"}},
    [PE_TENSOR] = {.marks = ";,"},
    [PE_SEGMENTS] = {.marks = ","},
};

static bool change_integer(char text[INFERENCE_TRIAL_TEXT], unsigned turn)
{
    int64_t number = strtoll(text, NULL, 10);

    if (number <= 0 || number > 1 << 20 || turn > 2)
        return false;
    snprintf(text, INFERENCE_TRIAL_TEXT, "%" PRId64,
             turn < 2 ? number * (turn + 2) : number + 1);
    return true;
}

bool inference_trial_change(struct inference_trial *trial, size_t i, unsigned turn)
{
    struct inference_trial_value *value = &trial->at[i];

    if (!value->param)
        return strcmp(value->name, "layer_type") == 0 && change_layer(trial, value, turn);
    const enum pe_type type = value->param->type;
    if (changes[type].larger)
        return change_integer(value->text, turn);
    if (changes[type].marks)
        return turn < strlen(changes[type].marks) &&
               repeat(value->text,
                      value->param->matrix ? ";,"[turn] : changes[type].marks[turn]);
    if (turn >= sizeof changes[type].texts / sizeof(char *) || !changes[type].texts[turn])
        return false;
    snprintf(value->text, sizeof value->text, "%s", changes[type].texts[turn]);
    return true;
}

size_t inference_trial_rank(const struct inference_trial *trial, const struct pe_param *param)
{
    size_t rank = 0, axes = 0;

    for (size_t i = 0; i < trial->count; i++) {
        const struct inference_trial_value *value = &trial->at[i];

        if (value->param == param)
            rank = strchr(value->text, ';') ? 2 : 1;
        for (const char *c = value->text;
             !value->param && strcmp(value->name, "shape") == 0 && c; c = strchr(c + 1, ','))
            axes++;
    }
    return rank > 0 && axes > 0 ? axes : rank;
}

/* ---- running
 * -------------------------------------------------------------------------------- */

static struct request *make(const struct inference_trial *trial, struct pe_errors *errors)
{
    struct request *request = request_new(trial->model->enc);

    if (!request)
        return NULL;
    request_set_models(request, trial->models);
    for (size_t i = 0; i < trial->count; i++) {
        const struct inference_trial_value *value = &trial->at[i];

        (void)request_set_text(request, value->name, strlen(value->name), value->text,
                               strlen(value->text), errors);
    }
    if (trial->model->preset) {
        const char *id = trial->model->preset->id;

        (void)request_set_text(request, "model", strlen("model"), id, strlen(id), errors);
    }
    return request;
}

bool inference_trial_run(const struct inference_trial *trial,
                         struct inference_trial_output outputs[PE_MAX_OUTPUTS], size_t *count)
{
    const struct request_limits limits = {.max_elements = MOST_ELEMENTS,
                                          .max_text_elements = MOST_ELEMENTS,
                                          .max_prepared = MOST_PREPARED,
                                          .brief = true,
                                          .max_operations = MOST_OPERATIONS};
    struct pe_errors errors = {0};
    struct request *request = make(trial, &errors);
    struct pe_plan *plan = NULL;

    *count = 0;
    if (request && request_finish(request, NULL, 0, &errors) == PE_OK &&
        !pe_args_heavy(request_args(request)) &&
        request_plan(request, &plan, NULL, &limits, &errors) == PE_OK)
        *count = pe_plan_tensor_count(plan);
    for (size_t i = 0; i < *count; i++) {
        const struct pe_tensor_info *tensor = pe_plan_tensor(plan, i);

        outputs[i] = (struct inference_trial_output){.output = tensor->output,
                                                     .dtype = tensor->dtype,
                                                     .rank = tensor->rank};
        memcpy(outputs[i].dims, tensor->dims, sizeof outputs[i].dims);
    }
    pe_plan_free(plan);
    request_free(request);
    return *count > 0;
}
