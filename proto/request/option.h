/* SPDX-License-Identifier: Apache-2.0
 * option.h - the options of every encoding besides its own parameters: they say how the
 * response is written. An option has a row as a parameter has, from which parsing, errors,
 * OpenAPI and help derive. (`out`, `dtype` and `preset` decide the numbers: they are
 * core's.) */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"

enum option_id {
    OPTION_CELL,
    OPTION_CMAP,
    OPTION_DATA,
    OPTION_FORMAT,
    OPTION_IN_DTYPE,
    OPTION_LAYER,
    OPTION_LAYER_TYPE,
    OPTION_MODEL,
    OPTION_PRETTY,
    OPTION_RANGE,
    OPTION_REV,
    OPTION_SHAPE,
    OPTION_COUNT
};

struct option {
    /* The type is PE_CHOICE (any word if .choices is NULL), PE_BOOL, PE_INT or PE_REALS. */
    struct pe_param param;
    const char *const *only_formats; /* with which the option has an effect, NULL-terminated;
                                      * NULL: all */
    bool canonical;                  /* decides bytes, so the canonical form contains it */
    bool of_tensors; /* only for encodings with a tensor_param_unnamed; canonical where .said */
};

enum { OPTION_TEXT_SIZE = 144, OPTION_WORD_SIZE = 96 };

struct option_values {
    int64_t value[OPTION_COUNT]; /* index of the choice, 0 or 1, or the number */
    bool given[OPTION_COUNT];
    bool said[OPTION_COUNT];     /* of_tensors options: the response depends on it (inputs.h) */
    uint64_t shape[PE_MAX_RANK]; /* the value of OPTION_SHAPE */
    size_t shape_rank;           /* 0: no shape was given */
    bool has_range;              /* OPTION_RANGE has two numbers, not "auto" */
    double range[2];
    char model[OPTION_WORD_SIZE], layer_type[OPTION_WORD_SIZE]; /* the words given, or "" */
};

const struct option *option_at(size_t i); /* i < OPTION_COUNT; options are sorted by name */
/* Finds an option by its name; OPTION_COUNT if no option has the name. */
enum option_id option_find(const char *name, size_t len);
/* Finds an option by its row; OPTION_COUNT if the row is not one of option_at's. */
enum option_id option_of(const struct pe_param *param);

/* Returns whether the option has an effect with the format of that name. */
bool option_suits(const struct option *option, const char *format);

/* Sets all options to their defaults, as not given. */
void option_init(struct option_values *values);
/* Reads one value of an option, as pe_args_set reads a parameter's. */
enum pe_status option_set(struct option_values *values, enum option_id id,
                          const struct pe_given *given, struct pe_errors *errors);
/* Returns the canonical spelling of an option's value: "json", "0", in `text` or a literal. */
const char *option_print(const struct option_values *values, enum option_id id,
                         char text[OPTION_TEXT_SIZE]);
