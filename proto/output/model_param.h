/* SPDX-License-Identifier: Apache-2.0
 * model_param.h - the parameters that belong to all tables of a model together; every other
 * one is an encoding's. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum model_param_id {
    MODEL_PARAM_POS,
    MODEL_PARAM_MASKS,
    MODEL_PARAM_DTYPE,
    MODEL_PARAM_COUNT
};

struct model_param {
    const char *name;
    const char *summary; /* half a sentence, no full stop */
    bool required;
    const char *const *choices; /* ends with NULL, the first is the default; NULL: any value */
    const char *example;        /* NULL: none */
};

const struct model_param *model_param_at(size_t i); /* i < MODEL_PARAM_COUNT */
/* Finds a parameter by its name; NULL if none has it. */
const struct model_param *model_param_find(const char *name, size_t len);
