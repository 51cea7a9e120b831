/* SPDX-License-Identifier: Apache-2.0
 * option.c - the rows of the options. Their values are read as encodings' parameters are,
 * except free words (model) and lengths of axes. */
#include "proto/request/option.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/args/args_parse.h"
#include "core/text/float_text.h"
#include "proto/text/word.h"

static const struct pe_choice format_choices[] = {
#define FORMAT(NAME, ALIAS) {.name = #NAME, .aliases = (const char *const[]){ALIAS, NULL}},
#include "proto/http/formats.def"
#undef FORMAT
    {.name = NULL},
};

static const struct pe_choice cmap_choices[] = {
    {.name = "auto",
     .summary = "diverging for real numbers, its half where they have one sign; viridis for "
                "whole numbers and logarithmic outputs; mask for truth values"},
#define COLOUR_MAP(ID, NAME, KIND, SUMMARY, ...) {.name = NAME, .summary = SUMMARY},
#include "proto/pictures/colour_maps.def"
#undef COLOUR_MAP
    {.name = NULL},
};

static const struct pe_choice data_choices[] = {
    {.name = "nested", .summary = "arrays in arrays, as the shape says"},
    {.name = "flat", .summary = "one array in row-major order"},
    {.name = "base64", .summary = "little-endian bytes in row-major order"},
    {.name = NULL},
};

/* The order is that of enum pe_dtype: a choice's index is its type's number. */
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

static const char *const json_alone[] = {"json", NULL};
static const char *const png_alone[] = {"png", NULL};
static const char *const pictures[] = {"png", "svg", "card", NULL};

/* The rows are sorted by name, as enum option_id is. */
static const struct option options[OPTION_COUNT] = {
    [OPTION_CELL] =
        {
            .param = {.name = "cell",
                      .type = PE_INT,
                      .min = 1,
                      .max = 64,
                      .preset = 1,
                      .unit = "pixels",
                      .summary = "side of the square of a picture that an element has"},
            .only_formats = png_alone,
            .canonical = true,
        },
    [OPTION_CMAP] =
        {
            .param = {.name = "cmap",
                      .type = PE_CHOICE,
                      .choices = cmap_choices,
                      .summary = "colours of a picture"},
            .only_formats = pictures,
            .canonical = true,
        },
    [OPTION_DATA] =
        {
            .param = {.name = "data",
                      .type = PE_CHOICE,
                      .choices = data_choices,
                      .summary = "how JSON carries the numbers"},
            .only_formats = json_alone,
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
                      .summary =
                          "element type of tensors whose body does not say it; f64 where "
                          "dtype=f64 is asked"},
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
            .only_formats = json_alone,
            .canonical = true,
        },
    [OPTION_RANGE] =
        {
            .param = {.name = "range",
                      .type = PE_REALS,
                      .min = -0x1p1023,
                      .max = 0x1p1023,
                      .optional = true,
                      .summary =
                          "lowest and highest value of a picture's colours, as -1,1; numbers "
                          "beyond have the colour of its end, and Posenc-Warning tells how "
                          "many; auto (the default): those of the numbers"},
            .only_formats = pictures,
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
                      .multiple_of = 1,
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

bool option_suits(const struct option *option, const char *format)
{
    const char *const *suited = option->only_formats;

    while (suited && *suited && strcmp(*suited, format) != 0)
        suited++;
    return !suited || *suited;
}

enum option_id option_of(const struct pe_param *param)
{
    size_t i = 0;

    while (i < OPTION_COUNT && param != &options[i].param)
        i++;
    return (enum option_id)i;
}

void option_init(struct option_values *values)
{
    *values = (struct option_values){0};
    for (size_t i = 0; i < OPTION_COUNT; i++)
        values->value[i] = (int64_t)options[i].param.preset;
}

/* Returns the field of an option that takes any word, NULL for other options. */
static char *word_of(struct option_values *values, enum option_id id)
{
    return id == OPTION_MODEL        ? values->model
           : id == OPTION_LAYER_TYPE ? values->layer_type
                                     : NULL;
}

static enum pe_status set_word(const struct pe_param *param, const struct pe_given *given,
                               char *word, struct pe_errors *errors)
{
    const char *other = given->kind == PE_GIVEN_REALS ? "an array" : "a number";

    if (given->kind != PE_GIVEN_TEXT || given->len == 0 || given->len >= OPTION_WORD_SIZE)
        return pe_fail(errors, PE_BAD_VALUE, param->name,
                       "must be a name of at most %d characters; got %s", OPTION_WORD_SIZE - 1,
                       given->kind != PE_GIVEN_TEXT ? other
                       : given->len == 0            ? "nothing"
                                                    : "a longer one");
    memcpy(word, given->text, given->len);
    word[given->len] = '\0';
    return PE_OK;
}

static enum pe_status set_shape(struct option_values *values, const struct pe_reals *lengths,
                                struct pe_errors *errors)
{
    if (lengths->cols > PE_MAX_RANK)
        return pe_fail(errors, PE_BAD_VALUE, "shape", "must have at most %d lengths; got %zu",
                       PE_MAX_RANK, lengths->cols);
    for (size_t i = 0; i < lengths->cols; i++)
        values->shape[i] = (uint64_t)lengths->values[i];
    values->shape_rank = lengths->cols;
    return PE_OK;
}

static enum pe_status set_range(struct option_values *values, const struct pe_reals *ends,
                                struct pe_errors *errors)
{
    if (ends->rows != 1 || ends->cols != 2 || !(ends->values[0] < ends->values[1]))
        return pe_fail(errors, PE_BAD_VALUE, "range",
                       "must be auto, or two numbers, the lower one first, as -1,1");
    values->has_range = true;
    values->range[0] = ends->values[0];
    values->range[1] = ends->values[1];
    return PE_OK;
}

/* Returns the value with the name that we use in place of another spelling of a dtype:
 * "F32". */
static struct pe_given named_dtype(const struct pe_given *given)
{
    struct pe_given named = *given;
    enum pe_dtype dtype;

    if (given->kind == PE_GIVEN_TEXT && pe_dtype_find(given->text, given->len, &dtype)) {
        named.text = pe_dtype_name(dtype);
        named.len = strlen(named.text);
    }
    return named;
}

enum pe_status option_set(struct option_values *values, enum option_id id,
                          const struct pe_given *given, struct pe_errors *errors)
{
    const struct pe_param *param = &option_at(id)->param;
    char *word = word_of(values, id);
    union {
        int64_t whole;
        int choice;
        bool flag;
        struct pe_reals reals;
    } field = {0};

    values->given[id] = true;
    if (word)
        return set_word(param, given, word, errors);
    if (id == OPTION_RANGE && given->kind == PE_GIVEN_TEXT &&
        word_is("auto", given->text, given->len))
        return PE_OK;
    const struct pe_given as_named = id == OPTION_IN_DTYPE ? named_dtype(given) : *given;
    enum pe_status status = pe_parse(param, &field, &as_named, errors);
    if (status != PE_OK)
        return status;
    if (param->type == PE_REALS) {
        status = id == OPTION_SHAPE ? set_shape(values, &field.reals, errors)
                                    : set_range(values, &field.reals, errors);
        pe_parse_drop(param, &field);
        return status;
    }
    values->value[id] = param->type == PE_INT      ? field.whole
                        : param->type == PE_CHOICE ? field.choice
                                                   : field.flag;
    return PE_OK;
}

static void print_range(const struct option_values *values, char text[OPTION_TEXT_SIZE])
{
    char *end = text;

    if (!values->has_range) {
        memcpy(text, "auto", sizeof "auto");
        return;
    }
    end = float_text_f64(end, values->range[0]);
    *end++ = ',';
    *float_text_f64(end, values->range[1]) = '\0';
}

const char *option_print(const struct option_values *values, enum option_id id,
                         char text[OPTION_TEXT_SIZE])
{
    const struct pe_param *param = &option_at(id)->param;

    assert(param->type != PE_CHOICE || param->choices); /* free words are not canonical */
    if (param->type == PE_CHOICE)
        return param->choices[values->value[id]].name;
    if (param->type == PE_BOOL)
        return values->value[id] ? "1" : "0";
    if (id == OPTION_RANGE) {
        print_range(values, text);
    } else if (param->type == PE_REALS) {
        size_t used = 0;

        text[0] = '\0';
        for (size_t i = 0; i < values->shape_rank; i++)
            used += (size_t)snprintf(text + used, OPTION_TEXT_SIZE - used, "%s%" PRIu64,
                                     i == 0 ? "" : ",", values->shape[i]);
    } else {
        snprintf(text, OPTION_TEXT_SIZE, "%" PRId64, values->value[id]);
    }
    return text;
}
