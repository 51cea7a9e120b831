/* SPDX-License-Identifier: Apache-2.0
 * option.h - the options that every encoding takes besides its own parameters: how the
 * answer is written. They are rows as the encodings' own, so that parsing, errors, OpenAPI
 * and help derive from them. (`out`, `dtype` and `preset` decide the numbers: they are
 * core's.) */
#ifndef PROTO_OPTION_H
#define PROTO_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"

enum option_id {
    OPTION_DATA,
    OPTION_FORMAT,
    OPTION_IN_DTYPE,
    OPTION_LAYER,
    OPTION_LAYER_TYPE,
    OPTION_MODEL,
    OPTION_PRETTY,
    OPTION_REV,
    OPTION_SHAPE,
    OPTION_COUNT
};

struct option {
    struct pe_param param;   /* PE_CHOICE (no .choices: any word), PE_BOOL, PE_INT, or
                              * PE_REALS: lengths of axes */
    const char *only_format; /* the format it has an effect with; NULL: every one */
    bool canonical;          /* decides bytes: enters the canonical form */
    bool of_tensors;         /* of encodings that take tensors; canonical where .said */
};

enum { OPTION_TEXT_SIZE = 144, OPTION_WORD_SIZE = 96 };

struct option_values {
    int64_t value[OPTION_COUNT]; /* index of the choice, 0 or 1, or the number */
    bool given[OPTION_COUNT];
    bool said[OPTION_COUNT];     /* of tensors: the answer depends on it (inputs.h) */
    uint64_t shape[PE_MAX_RANK]; /* OPTION_SHAPE */
    size_t shape_rank;           /* 0: none */
    char model[OPTION_WORD_SIZE], layer_type[OPTION_WORD_SIZE]; /* their words, or "" */
};

const struct option *option_at(size_t i); /* i < OPTION_COUNT, sorted by name */
/* The option of that name, OPTION_COUNT if there is none. */
enum option_id option_find(const char *name, size_t len);
/* The option of that row, OPTION_COUNT if the row is none of option_at's. */
enum option_id option_of(const struct pe_param *param);

/* Defaults, nothing given. */
void option_init(struct option_values *values);
/* Reads one value, as pe_args_set does for parameters of encodings. */
enum pe_status option_set(struct option_values *values, enum option_id id,
                          const struct pe_given *given, struct pe_errors *errors);
/* The canonical spelling, as in a query ("json", "0"): text, or the choice's own name. */
const char *option_print(const struct option_values *values, enum option_id id,
                         char text[OPTION_TEXT_SIZE]);

#endif
