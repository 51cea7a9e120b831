/* SPDX-License-Identifier: Apache-2.0
 * option.c - the rows of the options, and the three types of value they have. */
#include "proto/request/option.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "proto/text/word.h"

static const struct pe_choice format_choices[] = {
#define FORMAT(NAME, ALIAS) {.name = #NAME, .aliases = (const char *const[]){ALIAS, NULL}},
#include "proto/http/formats.def"
#undef FORMAT
    {.name = NULL},
};

static const struct pe_choice data_choices[] = {
    {.name = "nested", .summary = "arrays in arrays, as the shape says"},
    {.name = "flat", .summary = "one array in row-major order"},
    {.name = "base64", .summary = "little-endian bytes in row-major order"},
    {.name = NULL},
};

/* In the order of enum pe_dtype, whose numbers they are. */
static const char *const f64_words[] = {"float64", "fp64", "double", NULL};
static const char *const f32_words[] = {"float32", "fp32", "float", NULL};
static const char *const f16_words[] = {"float16", "fp16", "half", NULL};
static const char *const bf16_words[] = {"bfloat16", NULL};
static const struct pe_choice in_dtype_choices[] = {
    {.name = "f64", .aliases = f64_words},
    {.name = "f32", .aliases = f32_words},
    {.name = "f16", .aliases = f16_words},
    {.name = "bf16", .aliases = bf16_words},
    {.name = NULL},
};
_Static_assert(PE_F64 == 0 && PE_F32 == 1 && PE_F16 == 2 && PE_BF16 == 3, "one order");

/* Sorted by name, as enum option_id. */
static const struct option options[OPTION_COUNT] = {
    [OPTION_DATA] =
        {
            .param = {.name = "data",
                      .type = PE_CHOICE,
                      .choices = data_choices,
                      .summary = "how JSON carries the numbers"},
            .only_format = "json",
            .canonical = true,
        },
    [OPTION_FORMAT] =
        {
            .param = {.name = "format",
                      .type = PE_CHOICE,
                      .choices = format_choices,
                      .summary = "how the answer is written; beats the Accept header"},
            .canonical = true,
        },
    [OPTION_IN_DTYPE] =
        {
            .param = {.name = "in_dtype",
                      .type = PE_CHOICE,
                      .choices = in_dtype_choices,
                      .preset = PE_F32,
                      .summary = "element type of tensors whose body does not say it"},
            .canonical = true,
            .of_tensors = true,
        },
    [OPTION_LAYER] =
        {
            .param = {.name = "layer",
                      .type = PE_INT,
                      .min = 0,
                      .max = 1e6,
                      .optional = true,
                      .summary = "which layer of the model, from 0, where they differ"},
        },
    [OPTION_LAYER_TYPE] =
        {
            .param = {.name = "layer_type",
                      .type = PE_CHOICE,
                      .optional = true,
                      .summary = "which layers of the model, as sliding_attention, where they "
                                 "differ"},
        },
    [OPTION_MODEL] =
        {
            .param = {.name = "model",
                      .type = PE_CHOICE,
                      .optional = true,
                      .summary = "parameters of a published model (/v1/models); those that are "
                                 "given too stay"},
        },
    [OPTION_PRETTY] =
        {
            .param = {.name = "pretty",
                      .type = PE_BOOL,
                      .summary = "JSON with line breaks and indentation"},
            .only_format = "json",
            .canonical = true,
        },
    [OPTION_REV] =
        {
            .param = {.name = "rev",
                      .type = PE_INT,
                      .min = 1,
                      .max = 1e9,
                      .optional = true,
                      .summary = "pins the numeric revision, which makes the answer immutable"},
        },
    [OPTION_SHAPE] =
        {
            .param = {.name = "shape",
                      .type = PE_REALS,
                      .max = 0x1p53,
                      .optional = true,
                      .summary = "lengths of the axes of tensors whose body does not say them, "
                                 "8,128"},
            .canonical = true,
            .of_tensors = true,
        },
};

const struct option *option_at(size_t i)
{
    assert(i < OPTION_COUNT);
    return &options[i];
}

enum option_id option_find(const char *name, size_t len)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (word_is(options[i].param.name, name, len))
            return (enum option_id)i;
    return OPTION_COUNT;
}

void option_init(struct option_values *values)
{
    *values = (struct option_values){0};
    for (size_t i = 0; i < OPTION_COUNT; i++)
        values->value[i] = (int64_t)options[i].param.preset;
}

/* "must be one of json, npy; got nyp". */
static enum pe_status refuse(const struct pe_param *param, const char *text, size_t len,
                             struct pe_errors *errors)
{
    enum { ECHO_MAX = 40 };
    char right[160] = "0, 1, true or false";
    const char *names[16];
    size_t count = 0, used = 0;
    if (param->type == PE_CHOICE && !param->choices) {
        snprintf(right, sizeof right, "a name of at most %d characters", OPTION_WORD_SIZE - 1);
    } else if (param->type == PE_REALS) {
        snprintf(right, sizeof right, "1 to %d whole numbers such as 8,128", PE_MAX_RANK);
    } else if (param->type == PE_INT) {
        snprintf(right, sizeof right, "a whole number, %.0f..%.0f", param->min, param->max);
    } else if (param->type == PE_CHOICE) {
        for (const struct pe_choice *c = param->choices; c->name; c++) {
            assert(count < sizeof names / sizeof names[0] && used < sizeof right);
            used += (size_t)snprintf(right + used, sizeof right - used, "%s%s",
                                     count == 0 ? "one of " : ", ", c->name);
            names[count++] = c->name;
        }
    }
    pe_fail(errors, PE_BAD_VALUE, param->name, "must be %s; got %.*s%s", right,
            (int)(len < ECHO_MAX ? len : ECHO_MAX), len > 0 ? text : "",
            len == 0         ? "nothing"
            : len > ECHO_MAX ? "..."
                             : "");
    const char *near = len > 0 ? pe_suggest(text, len, names, count) : NULL;
    if (near)
        pe_hint(errors, "did you mean %s?", near);
    return PE_BAD_VALUE;
}

/* Digits only, within the row's range. */
static bool parse_whole(const struct pe_param *param, const char *text, size_t len,
                        int64_t *value)
{
    int64_t number = 0;

    for (size_t i = 0; i < len; i++) {
        if (i == 18 || text[i] < '0' || text[i] > '9')
            return false;
        number = number * 10 + (text[i] - '0');
    }
    *value = number;
    return len > 0 && (double)number >= param->min && (double)number <= param->max;
}

static bool parse_choice(const struct pe_param *param, const char *text, size_t len,
                         int64_t *value)
{
    for (int64_t i = 0; param->choices[i].name; i++) {
        const char *const *alias = param->choices[i].aliases;
        bool found = word_is(param->choices[i].name, text, len);

        for (; alias && *alias; alias++)
            found |= word_is(*alias, text, len);
        if (found) {
            *value = i;
            return true;
        }
    }
    return false;
}

/* "8,128": one to PE_MAX_RANK lengths. */
static bool parse_shape(const struct pe_param *param, const char *text, size_t len,
                        struct option_values *values)
{
    size_t rank = 0;

    for (const char *at = text, *end = text + len; at <= end; rank++) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        int64_t length;

        if (rank == PE_MAX_RANK || !parse_whole(param, at, (size_t)(stop - at), &length))
            return false;
        values->shape[rank] = (uint64_t)length;
        at = stop + 1;
    }
    values->shape_rank = rank;
    return true;
}

static bool parse_bool(const char *text, size_t len, int64_t *value)
{
    *value = word_is("1", text, len) || word_is("true", text, len);
    return *value || word_is("0", text, len) || word_is("false", text, len);
}

/* Where an option that takes any word keeps it; NULL: it does not. */
static char *word_of(struct option_values *values, enum option_id id)
{
    return id == OPTION_MODEL        ? values->model
           : id == OPTION_LAYER_TYPE ? values->layer_type
                                     : NULL;
}

static bool parse_word(char *word, const char *text, size_t len)
{
    if (len == 0 || len >= OPTION_WORD_SIZE)
        return false;
    memcpy(word, text, len);
    word[len] = '\0';
    return true;
}

enum pe_status option_set(struct option_values *values, enum option_id id, const char *text,
                          size_t len, struct pe_errors *errors)
{
    const struct pe_param *param = &option_at(id)->param;
    int64_t value = 0;
    char *word = word_of(values, id);
    bool fits = word                       ? parse_word(word, text, len)
                : param->type == PE_CHOICE ? parse_choice(param, text, len, &value)
                : param->type == PE_REALS  ? parse_shape(param, text, len, values)
                : param->type == PE_BOOL   ? parse_bool(text, len, &value)
                                           : parse_whole(param, text, len, &value);

    values->given[id] = true;
    if (!fits)
        return refuse(param, text, len, errors);
    values->value[id] = value;
    return PE_OK;
}

const char *option_print(const struct option_values *values, enum option_id id,
                         char text[OPTION_TEXT_SIZE])
{
    const struct pe_param *param = &option_at(id)->param;

    assert(param->type != PE_CHOICE || param->choices); /* words are not canonical */
    if (param->type == PE_CHOICE)
        return param->choices[values->value[id]].name;
    if (param->type == PE_BOOL)
        return values->value[id] ? "1" : "0";
    if (param->type == PE_REALS) {
        size_t used = 0;

        text[0] = '\0';
        for (size_t i = 0; i < values->shape_rank; i++) {
            used += (size_t)snprintf(text + used, OPTION_TEXT_SIZE - used, "%s%" PRIu64,
                                     i == 0 ? "" : ",", values->shape[i]);
        }
    } else {
        snprintf(text, OPTION_TEXT_SIZE, "%" PRId64, values->value[id]);
    }
    return text;
}
