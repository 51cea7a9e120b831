/* SPDX-License-Identifier: Apache-2.0
 * inference_shape.c - see inference_shape.h. A length is stated only if it stayed the same for
 * every change of every value that a request must have. */
#include "proto/inference/inference_shape.h"

#include <stdlib.h>
#include <string.h>

#include "proto/inference/inference_trial.h"

/* ---- inputs
 * --------------------------------------------------------------------------------- */

static bool takes_tensor(const struct pe_param *param)
{
    return param->type == PE_POSITIONS || param->type == PE_REALS || param->type == PE_TENSOR;
}

/* The example shows how many axes a tensor has; vectors come in rows. */
static size_t rank_of(const struct pe_param *param, const struct inference_trial *trial)
{
    size_t rank = inference_trial_rank(trial, param);

    if (param->type == PE_TENSOR)
        return rank < 2 ? 2 : rank;
    return param->type == PE_REALS && param->matrix ? 2 : 1;
}

static void list_inputs(struct inference_shape *shape, const struct inference_trial *trial)
{
    const struct inference_model *model = trial->model;
    size_t count;
    const struct pe_param *params = pe_params(model->enc, &count);

    for (size_t i = 0; i < count && shape->input_count < INFERENCE_SHAPE_INPUTS; i++) {
        const struct pe_param *param = &params[i];
        bool required = inference_trial_requires(model->enc, param);

        if (!takes_tensor(param) || inference_trial_is_preset(model, param->name) ||
            !(required || inference_trial_is_alternative(model->enc, param)))
            continue;
        shape->inputs[shape->input_count++] = (struct inference_tensor){
            .name = param->name,
            .dtype = param->type == PE_POSITIONS ? PE_I64
                     : param->type == PE_REALS   ? PE_F64
                                                 : PE_F32,
            .rank = rank_of(param, trial),
            .dims = {-1, -1, -1, -1, -1, -1},
            .optional = !required,
        };
    }
}

/* ---- outputs
 * -------------------------------------------------------------------------------- */

static void set_output(struct inference_tensor *tensor,
                       const struct inference_trial_output *output)
{
    *tensor = (struct inference_tensor){.name = output->output->name,
                                        .dtype = output->dtype,
                                        .rank = output->rank};
    for (size_t i = 0; i < output->rank; i++)
        tensor->dims[i] = (int64_t)output->dims[i];
}

static void forget_lengths(struct inference_shape *shape)
{
    for (size_t i = 0; i < shape->output_count; i++)
        for (size_t axis = 0; axis < shape->outputs[i].rank; axis++)
            shape->outputs[i].dims[axis] = -1;
}

/* Notes which lengths another trial has changed. */
static void compare(struct inference_shape *shape, const struct inference_trial_output *others,
                    size_t count)
{
    for (size_t i = 0; i < shape->output_count && count == shape->output_count; i++) {
        struct inference_tensor *tensor = &shape->outputs[i];

        for (size_t axis = 0; axis < tensor->rank && tensor->rank == others[i].rank; axis++)
            if (tensor->dims[axis] != (int64_t)others[i].dims[axis])
                tensor->dims[axis] = -1;
    }
}

/* Changes each value in turn. A value that no change keeps valid may decide any length. */
static void vary(struct inference_shape *shape, const struct inference_trial *trial,
                 struct inference_trial *changed)
{
    struct inference_trial_output outputs[PE_MAX_OUTPUTS];

    for (size_t i = 0; i < trial->count; i++) {
        bool changes = false, valid = false;
        size_t count;

        for (unsigned turn = 0;; turn++) {
            *changed = *trial;
            if (!inference_trial_change(changed, i, turn))
                break;
            changes = true;
            if (!inference_trial_run(changed, outputs, &count))
                continue;
            valid = true;
            compare(shape, outputs, count);
        }
        if (changes && !valid)
            forget_lengths(shape);
    }
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

/* Sets the trial to the first example that works, without or with its optional values. */
static bool begin(struct inference_trial *trial,
                  struct inference_trial_output outputs[PE_MAX_OUTPUTS], size_t *count)
{
    for (int all = 0; all < 2; all++) {
        for (const char *const *example = pe_examples(trial->model->enc); *example; example++) {
            inference_trial_begin(trial, *example, all != 0);
            if (inference_trial_run(trial, outputs, count))
                return true;
        }
    }
    return false;
}

bool inference_shape_find(struct inference_shape *shape, const struct inference_model *model,
                          const struct models *models)
{
    struct inference_trial *trials = calloc(2, sizeof *trials);
    struct inference_trial_output outputs[PE_MAX_OUTPUTS];

    *shape = (struct inference_shape){0};
    if (!trials)
        return false;
    trials[0].model = model;
    trials[0].models = models;
    if (begin(&trials[0], outputs, &shape->output_count)) {
        for (size_t i = 0; i < shape->output_count; i++)
            set_output(&shape->outputs[i], &outputs[i]);
        vary(shape, &trials[0], &trials[1]);
    } else {
        list_by_axes(shape, model->enc);
    }
    list_inputs(shape, &trials[0]);
    follow_inputs(shape);
    free(trials);
    return true;
}
