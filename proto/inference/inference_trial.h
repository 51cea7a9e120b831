/* SPDX-License-Identifier: Apache-2.0
 * inference_trial.h - requests that are only planned, never filled, to learn the shapes of a
 * model's outputs: an example of the encoding, and the same with one value changed. */
#pragma once

#include "proto/inference/inference_model.h"

enum { INFERENCE_TRIAL_VALUES = 32, INFERENCE_TRIAL_TEXT = 512 };

struct inference_trial_value {
    const struct pe_param *param; /* NULL: an option, by its name */
    char name[48], text[INFERENCE_TRIAL_TEXT];
};

struct inference_trial {
    const struct inference_model *model;
    const struct models *models;
    size_t count;
    struct inference_trial_value at[INFERENCE_TRIAL_VALUES];
};

/* Sets the values of the encoding's example that the model's preset does not have; with all,
 * also those that are not required. */
void inference_trial_begin(struct inference_trial *trial, const char *example, bool all);
/* Changes value i into another one that may change shapes; `turn` counts from 0. False:
 * there are no more ways to change it. */
bool inference_trial_change(struct inference_trial *trial, size_t i, unsigned turn);

/* Returns the number of axes that the value of a tensor has; 0: the trial has no such value. */
size_t inference_trial_rank(const struct inference_trial *trial, const struct pe_param *param);

struct inference_trial_output {
    const struct pe_output *output;
    enum pe_dtype dtype;
    size_t rank;
    uint64_t dims[PE_MAX_RANK];
};
/* Plans the request. False: it is refused, or too large. */
bool inference_trial_run(const struct inference_trial *trial,
                         struct inference_trial_output outputs[PE_MAX_OUTPUTS], size_t *count);
/* Returns whether every request for a default output must give the parameter. */
bool inference_trial_requires(const struct pe_encoding *enc, const struct pe_param *param);
/* Returns whether the parameter is one of a set of which a default output needs one. */
bool inference_trial_is_alternative(const struct pe_encoding *enc,
                                    const struct pe_param *param);
/* Returns whether the model's preset gives the parameter a value. */
bool inference_trial_is_preset(const struct inference_model *model, const char *name);
