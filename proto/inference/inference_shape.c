/* SPDX-License-Identifier: Apache-2.0
 * inference_shape.c - see inference_shape.h. An example is planned, never filled, and planned
 * again with each of its values changed in turn. A length is stated only if it stayed the same
 * for every change of every value that a request must have. A change doubles a number or a
 * list, which keeps most values valid; where none is, nothing is known of the shape. */
#include "proto/inference/inference_shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/http/problem.h"
#include "proto/models/model_output.h"
#include "proto/models/model_use.h"
#include "proto/models/param_set.h"
#include "proto/request/option.h"
#include "proto/request/param_names.h"
#include "proto/request/query.h"
#include "proto/request/request.h"

/* A plan of more is not worth the time: metadata is asked for between requests. */
enum { MOST_ELEMENTS = 16 << 20, MOST_PREPARED = 1 << 16, MOST_OPERATIONS = 2000000 };
enum { VALUES_MAX = QUERY_MAX_PARAMETERS, TEXT_SIZE = 512, UNCHANGED = VALUES_MAX, TOGETHER };

struct value {
    const struct pe_param *param; /* NULL: an option, by its name */
    const char *name, *text;
};

/* A request: the values of an example of the encoding that the model's preset does not have. */
struct trial {
    const struct inference_model *model;
    const struct models *models;
    struct query example; /* has the values' names and texts */
    size_t count;
    struct value at[VALUES_MAX];
    bool failed; /* out of memory */
};

/* The types of parameters whose values may change shapes. */
static const struct {
    bool is_input;
    enum pe_dtype dtype;  /* of an input */
    bool twice;           /* changes: all rows twice, and each row twice as long */
    const char *texts[2]; /* or: other values. PE_INT: doubled, and one more */
} types[] = {
    [PE_REALS] = {.is_input = true, .dtype = PE_F64, .twice = true},
    [PE_POSITIONS] = {.is_input = true, .dtype = PE_I64, .texts = {"0:6", "0:1"}},
    [PE_GRID] = {.texts = {"4x6", "6x4"}},
    [PE_TENSOR] = {.is_input = true, .dtype = PE_F32, .twice = true},
    [PE_SEGMENTS] = {.twice = true},
};

/* ---- what requests must have ------------------------------------------------------------- */

enum need { NOT_NEEDED, ALTERNATIVE, REQUIRED };

/* Returns whether every request for a default output must give the parameter, or one of a set
 * that has it. */
static enum need need_of(const struct pe_encoding *enc, const struct pe_param *param)
{
    size_t count;
    const struct pe_output *outputs = pe_outputs(enc, &count);
    enum need need = NOT_NEEDED;

    for (size_t i = 0; i < count; i++) {
        const char *sets = outputs[i].by_default ? outputs[i].one_of : NULL;
        struct param_set set;

        if (outputs[i].by_default && pe_output_requires(&outputs[i], param))
            return REQUIRED;
        while (param_set_next(enc, &sets, &set))
            for (size_t j = 0; j < set.count; j++)
                need = set.at[j] == param ? ALTERNATIVE : need;
    }
    return need;
}

/* Returns use number i, among those of the model's preset that are about its encoding; NULL:
 * there are fewer. */
static const struct model_use *use_at(const struct inference_model *model, size_t i)
{
    const struct model *preset = model->preset;

    for (size_t j = 0; preset && j < preset->use_count; j++)
        if (model_use_is_about(&preset->uses[j], model->enc) && i-- == 0)
            return &preset->uses[j];
    return NULL;
}

/* Returns whether the model's preset gives the parameter a value. */
static bool is_preset(const struct inference_model *model, const char *name)
{
    const struct model_use *use;

    for (size_t i = 0; (use = use_at(model, i)); i++)
        if (model_output_setting(use, name))
            return true;
    return false;
}

/* ---- values ------------------------------------------------------------------------------ */

static void add(struct trial *trial, const struct pe_param *param, const char *name,
                const char *text)
{
    if (trial->count < VALUES_MAX && strlen(text) < TEXT_SIZE)
        trial->at[trial->count++] = (struct value){param, name, text};
}

/* Adds a value of the example, unless the model decides it or the shapes do not need it; all:
 * also one that is not required. */
static void add_example(struct trial *trial, const char *name, const char *text, bool all)
{
    const struct pe_encoding *enc = trial->model->enc;
    const struct pe_param *param = param_names_find(enc, name, strlen(name));
    const enum option_id option = option_find(name, strlen(name));

    if (option == OPTION_SHAPE || option == OPTION_IN_DTYPE)
        add(trial, NULL, name, text);
    if (option != OPTION_COUNT || !param || strcmp(name, "out") == 0 ||
        strcmp(name, "dtype") == 0 || is_preset(trial->model, param->name))
        return;
    if (all || param->type == PE_TENSOR || need_of(enc, param) != NOT_NEEDED)
        add(trial, param, name, text);
}

static void set_values(struct trial *trial, const char *example, bool all)
{
    struct pe_errors errors = {0};
    const struct model_use *use;
    size_t uses = 0;

    query_fini(&trial->example);
    trial->count = 0;
    trial->failed |=
        query_parse(&trial->example, example, strlen(example), &errors) == PE_NO_MEMORY;
    for (size_t i = 0; i < trial->example.count; i++)
        add_example(trial, trial->example.at[i].name, trial->example.at[i].value, all);
    while ((use = use_at(trial->model, uses)))
        uses++;
    if (uses > 1) /* layers differ, so that a request must choose one */
        add(trial, NULL, "layer_type", model_use_group(use_at(trial->model, uses - 1)));
    if (trial->model->preset)
        add(trial, NULL, "model", trial->model->preset->id);
}

/* ---- changes ----------------------------------------------------------------------------- */

static bool print_twice(char text[TEXT_SIZE], const char *rows, unsigned turn)
{
    size_t len = 0;

    if (turn == 0)
        return snprintf(text, TEXT_SIZE, "%s;%s", rows, rows) < TEXT_SIZE;
    for (const char *row = rows; row && len < TEXT_SIZE; row = strchr(row, ';')) {
        row += *row == ';';
        const int size = (int)strcspn(row, ";");
        len += (size_t)snprintf(text + len, TEXT_SIZE - len, "%s%.*s,%.*s",
                                row > rows ? ";" : "", size, row, size, row);
    }
    return len < TEXT_SIZE;
}

/* Writes another text for value i, which may change shapes; `turn` counts from 0. False: there
 * are no more ways to change it. */
static bool change(const struct trial *trial, size_t i, unsigned turn, char text[TEXT_SIZE])
{
    const struct value *value = &trial->at[i];
    const char *other = NULL;

    if (value->param && turn < 2) {
        const int64_t old = strtoll(value->text, NULL, 10);

        if (value->param->type == PE_INT)
            return snprintf(text, TEXT_SIZE, "%" PRId64, turn == 0 ? old * 2 : old + 1) > 0 &&
                   old > 0 && old <= 1 << 20;
        if (types[value->param->type].twice)
            return print_twice(text, value->text, turn);
        other = types[value->param->type].texts[turn];
    } else if (strcmp(value->name, "layer_type") == 0 && use_at(trial->model, turn)) {
        other = model_use_group(use_at(trial->model, turn));
    }
    snprintf(text, TEXT_SIZE, "%s", other ? other : "");
    return other != NULL;
}

/* Plans the request, with another text for value number `changed`, or all tensors TOGETHER with
 * rows twice as long. NULL: it is refused, or too large. */
static struct pe_plan *plan_trial(struct trial *trial, size_t changed, const char *text)
{
    const struct request_limits limits = {.max_elements = MOST_ELEMENTS,
                                          .max_text_elements = MOST_ELEMENTS,
                                          .max_prepared = MOST_PREPARED,
                                          .brief = true,
                                          .max_operations = MOST_OPERATIONS};
    struct pe_errors errors = {0};
    struct request *request = request_new(trial->model->enc);
    struct pe_plan *plan = NULL;

    trial->failed |= !request;
    if (!request)
        return NULL;
    request_set_models(request, trial->models);
    for (size_t i = 0; i < trial->count; i++) {
        const struct value *at = &trial->at[i];
        const bool wide = changed == TOGETHER && at->param && at->param->type == PE_TENSOR;
        char wider[TEXT_SIZE];
        const char *value = wide && change(trial, i, 1, wider) ? wider
                            : i == changed                     ? text
                                                               : at->text;

        (void)request_set_text(request, at->name, strlen(at->name), value, strlen(value),
                               &errors);
    }
    if (request_finish(request, NULL, 0, &errors) == PE_OK &&
        !pe_args_heavy(request_args(request)))
        (void)request_plan(request, &plan, NULL, &limits, &errors);
    trial->failed |= errors.count > 0 && problem_kind_of(&errors) == PROBLEM_OVERLOADED;
    request_free(request);
    return plan;
}

/* ---- inputs ------------------------------------------------------------------------------ */

/* Returns the number of axes that a request's tensor has. The example shows those of a tensor;
 * vectors come in rows. */
static size_t rank_of(const struct pe_param *param, const struct trial *trial)
{
    size_t rank = 0, axes = 0;

    if (param->type != PE_TENSOR)
        return param->type == PE_REALS && param->matrix ? 2 : 1;
    for (size_t i = 0; i < trial->count; i++) {
        const struct value *value = &trial->at[i];

        if (value->param == param)
            rank = strchr(value->text, ';') ? 2 : 1;
        for (const char *c = value->text;
             !value->param && strcmp(value->name, "shape") == 0 && c; c = strchr(c + 1, ','))
            axes++;
    }
    rank = rank > 0 && axes > 0 ? axes : rank;
    return rank < 2 ? 2 : rank;
}

static void list_inputs(struct inference_shape *shape, const struct trial *trial)
{
    const struct inference_model *model = trial->model;
    size_t count;
    const struct pe_param *params = pe_params(model->enc, &count);

    for (size_t i = 0; i < count && shape->input_count < INFERENCE_SHAPE_INPUTS; i++) {
        const struct pe_param *param = &params[i];
        const enum need need = need_of(model->enc, param);

        if (!types[param->type].is_input || is_preset(model, param->name) || need == NOT_NEEDED)
            continue;
        shape->inputs[shape->input_count++] = (struct inference_tensor){
            .name = param->name,
            .dtype = types[param->type].dtype,
            .rank = rank_of(param, trial),
            .dims = {-1, -1, -1, -1, -1, -1},
            .optional = need == ALTERNATIVE,
        };
    }
}

/* ---- outputs ----------------------------------------------------------------------------- */

static void list_outputs(struct inference_shape *shape, const struct pe_plan *plan)
{
    shape->output_count = pe_plan_tensor_count(plan);
    for (size_t i = 0; i < shape->output_count; i++) {
        const struct pe_tensor_info *tensor = pe_plan_tensor(plan, i);

        shape->outputs[i] = (struct inference_tensor){.name = tensor->output->name,
                                                      .dtype = tensor->dtype,
                                                      .rank = tensor->rank};
        for (size_t axis = 0; axis < tensor->rank; axis++)
            shape->outputs[i].dims[axis] = (int64_t)tensor->dims[axis];
    }
}

static void forget_lengths(struct inference_shape *shape)
{
    for (size_t i = 0; i < shape->output_count; i++)
        for (size_t axis = 0; axis < shape->outputs[i].rank; axis++)
            shape->outputs[i].dims[axis] = -1;
}

/* Notes which lengths another plan, which may be NULL, has changed, and frees it. */
static void compare(struct inference_shape *shape, struct pe_plan *other)
{
    const bool same = other && pe_plan_tensor_count(other) == shape->output_count;

    for (size_t i = 0; same && i < shape->output_count; i++) {
        const struct pe_tensor_info *changed = pe_plan_tensor(other, i);
        struct inference_tensor *tensor = &shape->outputs[i];

        for (size_t axis = 0; axis < tensor->rank && tensor->rank == changed->rank; axis++)
            if (tensor->dims[axis] != (int64_t)changed->dims[axis])
                tensor->dims[axis] = -1;
    }
    pe_plan_free(other);
}

/* Changes each value in turn, then all tables. A value that no change keeps valid may decide
 * any length, and so may a matrix that cannot have more rows while other values stay. */
static void vary(struct inference_shape *shape, struct trial *trial)
{
    char text[TEXT_SIZE];

    for (size_t i = 0; i < trial->count; i++) {
        bool decides = false;

        for (unsigned turn = 0; change(trial, i, turn, text); turn++) {
            struct pe_plan *plan = plan_trial(trial, i, text);

            decides = turn == 0 ? !plan : decides && (!plan || strchr(trial->at[i].text, ';'));
            compare(shape, plan); /* which it frees */
        }
        if (decides)
            forget_lengths(shape);
    }
    compare(shape, plan_trial(trial, TOGETHER, NULL));
}

/* Without an example that works, the outputs are listed by their axes. */
static void list_by_axes(struct inference_shape *shape, const struct pe_encoding *enc)
{
    size_t count;
    const struct pe_output *outputs = pe_outputs(enc, &count);

    for (size_t i = 0; i < count; i++) {
        struct inference_tensor *tensor = &shape->outputs[shape->output_count];

        if (!outputs[i].by_default)
            continue;
        *tensor =
            (struct inference_tensor){.name = outputs[i].name, .dtype = outputs[i].natural};
        while (tensor->rank < PE_MAX_RANK && outputs[i].axes[tensor->rank])
            tensor->rank++;
        shape->output_count++;
    }
    forget_lengths(shape);
}

/* An output that has the name of an input has its shape. */
static void follow_inputs(struct inference_shape *shape)
{
    for (size_t i = 0; i < shape->output_count; i++) {
        struct inference_tensor *output = &shape->outputs[i];

        for (size_t j = 0; j < shape->input_count; j++) {
            const struct inference_tensor *input = &shape->inputs[j];

            if (strcmp(output->name, input->name) != 0)
                continue;
            output->rank = input->rank;
            memcpy(output->dims, input->dims, sizeof output->dims);
        }
    }
}

/* Sets the trial to the first example that works, without or with its optional values, and
 * returns its plan; NULL: there is none. */
static struct pe_plan *begin(struct trial *trial)
{
    struct pe_plan *plan = NULL;

    for (int all = 0; all < 2 && !plan; all++)
        for (const char *const *at = pe_examples(trial->model->enc); *at && !plan; at++) {
            set_values(trial, *at, all != 0);
            plan = plan_trial(trial, UNCHANGED, NULL);
        }
    return plan;
}

bool inference_shape_find(struct inference_shape *shape, const struct inference_model *model,
                          const struct models *models)
{
    struct trial trial = {.model = model, .models = models};
    struct pe_plan *plan = begin(&trial);

    *shape = (struct inference_shape){0};
    if (plan) {
        list_outputs(shape, plan);
        vary(shape, &trial);
    } else {
        list_by_axes(shape, model->enc);
    }
    pe_plan_free(plan);
    list_inputs(shape, &trial);
    follow_inputs(shape);
    query_fini(&trial.example);
    return !trial.failed;
}
