/* SPDX-License-Identifier: Apache-2.0
 * schema.c - writes types, bounds, choices and defaults of a row as JSON. */
#include "proto/describe/schema.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/text/float_text.h"

static const struct {
    const char *name;         /* the catalog's name for the type */
    const char *query, *body; /* JSON Schemas without bounds and braces */
} types[] = {
    [PE_INT] = {"integer", "\"type\":\"integer\"", "\"type\":\"integer\""},
    [PE_REAL] = {"number", "\"type\":\"number\"", "\"type\":\"number\""},
    [PE_BOOL] = {"boolean", "\"type\":\"string\",\"enum\":[\"0\",\"1\",\"false\",\"true\"]",
                 "\"type\":\"boolean\""},
    [PE_CHOICE] = {"choice", "\"type\":\"string\"", "\"type\":\"string\""},
    [PE_REALS] = {"numbers", "\"type\":\"string\"",
                  "\"$ref\":\"#/components/schemas/Numbers\""},
    [PE_POSITIONS] = {"positions", "\"$ref\":\"#/components/schemas/PositionText\"",
                      "\"$ref\":\"#/components/schemas/Positions\""},
    [PE_GRID] = {"grid", "\"type\":\"string\",\"pattern\":\"^[0-9]+x[0-9]+$\"",
                 "\"type\":\"string\",\"pattern\":\"^[0-9]+x[0-9]+$\""},
    [PE_TENSOR] = {"tensor", "\"type\":\"string\"",
                   "\"$ref\":\"#/components/schemas/TensorIn\""},
    [PE_SEGMENTS] = {"segments", "\"type\":\"string\"", "\"type\":\"string\""},
};

const char *schema_type_name(enum pe_type type)
{
    assert((size_t)type < sizeof types / sizeof types[0]);
    return types[type].name;
}

static void add_member(struct buffer *out, const char *name, const char *text)
{
    buffer_add_format(out, ",\"%s\":", name);
    buffer_add_json(out, text, strlen(text));
}

static void add_bound(struct buffer *out, const char *name, double bound)
{
    char text[FLOAT_TEXT_F64_MAX];

    if (fabs(bound) < DBL_MAX) {
        buffer_add_format(out, ",\"%s\":", name);
        buffer_add(out, text, (size_t)(float_text_bound(text, bound) - text));
    }
}

static void add_bounds(struct buffer *out, const struct pe_param *param)
{
    if (param->type == PE_INT || param->type == PE_REAL || param->type == PE_REALS) {
        add_bound(out, param->above_min ? "exclusiveMinimum" : "minimum", param->min);
        add_bound(out, "maximum", param->max);
    }
    if (param->type == PE_INT && param->multiple_of > 1)
        add_bound(out, "multipleOf", (double)param->multiple_of);
}

/* Returns the word for a number, NULL if the parameter has none. */
static const char *word_of(const struct pe_param *param, double number)
{
    for (const struct pe_word *word = param->words; word && word->word; word++)
        if (word->value == number)
            return word->word;
    return NULL;
}

static void add_default(struct buffer *out, const struct pe_param *param,
                        enum schema_place place)
{
    if (param->preset_text)
        add_member(out, "default", param->preset_text);
    if (param->required || param->optional)
        return;
    if (param->type == PE_CHOICE)
        add_member(out, "default", param->choices[(size_t)param->preset].name);
    else if (param->type == PE_BOOL && place == SCHEMA_QUERY)
        add_member(out, "default", param->preset != 0 ? "1" : "0");
    else if (param->type == PE_BOOL)
        buffer_add_format(out, ",\"default\":%s", param->preset != 0 ? "true" : "false");
    else if (param->type == PE_REAL && word_of(param, param->preset))
        add_member(out, "default", word_of(param, param->preset));
    else if (param->type == PE_INT || param->type == PE_REAL)
        add_bound(out, "default", param->preset);
}

static void add_choices(struct buffer *out, const struct pe_choice *choices)
{
    buffer_add_text(out, ",\"choices\":[");
    for (const struct pe_choice *choice = choices; choice->name; choice++) {
        buffer_add_format(out, "%s{\"name\":\"%s\"", choice == choices ? "" : ",",
                          choice->name);
        if (choice->aliases) {
            const char *comma = "";

            buffer_add_text(out, ",\"aliases\":[");
            for (const char *const *alias = choice->aliases; *alias; alias++) {
                buffer_add_format(out, "%s\"%s\"", comma, *alias);
                comma = ",";
            }
            buffer_add_text(out, "]");
        }
        if (choice->stands_for)
            add_member(out, "stands_for", choice->stands_for);
        if (choice->summary)
            add_member(out, "doc", choice->summary);
        buffer_add_text(out, "}");
    }
    buffer_add_text(out, "]");
}

/* Writes where a form shows the row. */
static void add_place(struct buffer *out, const struct pe_param *param)
{
    if (pe_param_group(param) != PE_GROUP_UNSET)
        add_member(out, "group", pe_group_name(pe_param_group(param)));
    if (pe_param_level(param) != PE_LEVEL_UNSET)
        add_member(out, "level", pe_level_name(pe_param_level(param)));
    if (param->when)
        add_member(out, "when", param->when);
    if (param->origin)
        add_member(out, "origin", param->origin);
}

void schema_write_row(struct buffer *out, const struct pe_param *param, bool required)
{
    bool any_word = param->type == PE_CHOICE && !param->choices;

    buffer_add_format(out, "{\"name\":\"%s\",\"type\":\"%s\",\"required\":%s", param->name,
                      any_word ? "word" : schema_type_name(param->type),
                      required ? "true" : "false");
    add_place(out, param);
    add_bounds(out, param);
    add_default(out, param, SCHEMA_BODY);
    if (param->type == PE_POSITIONS)
        buffer_add_format(out, ",\"fractions\":%s", param->fractions ? "true" : "false");
    if (param->type == PE_REALS)
        buffer_add_format(out, ",\"matrix\":%s", param->matrix ? "true" : "false");
    if (param->choices)
        add_choices(out, param->choices);
    if (param->words) {
        buffer_add_text(out, ",\"words\":[");
        for (const struct pe_word *word = param->words; word->word; word++)
            buffer_add_format(out, "%s\"%s\"", word == param->words ? "" : ",", word->word);
        buffer_add_text(out, "]");
    }
    if (param->unit)
        add_member(out, "unit", param->unit);
    if (pe_param_summary(param))
        add_member(out, "doc", pe_param_summary(param));
    buffer_add_text(out, "}");
}

/* Writes "enum" with every spelling of the choices. */
static void add_enum(struct buffer *out, const struct pe_choice *choices)
{
    const char *comma = "";

    buffer_add_text(out, ",\"enum\":[");
    for (const struct pe_choice *choice = choices; choice->name; choice++) {
        buffer_add_format(out, "%s\"%s\"", comma, choice->name);
        for (const char *const *alias = choice->aliases; alias && *alias; alias++)
            buffer_add_format(out, ",\"%s\"", *alias);
        comma = ",";
    }
    buffer_add_text(out, "]");
}

/* Writes the schema of a number or one of its words. */
static void write_words(struct buffer *out, const struct pe_param *param,
                        enum schema_place place)
{
    buffer_add_text(out, "{\"oneOf\":[{\"type\":\"number\"");
    add_bounds(out, param);
    buffer_add_text(out, "},{\"type\":\"string\",\"enum\":[");
    for (const struct pe_word *word = param->words; word->word; word++)
        buffer_add_format(out, "%s\"%s\"", word == param->words ? "" : ",", word->word);
    buffer_add_text(out, "]}]");
    add_default(out, param, place);
    buffer_add_text(out, "}");
}

void schema_write(struct buffer *out, const struct pe_param *param, enum schema_place place)
{
    if (param->words) {
        write_words(out, param, place);
        return;
    }
    const char *inside =
        place == SCHEMA_QUERY ? types[param->type].query : types[param->type].body;
    buffer_add_format(out, "{%s", inside);
    if (param->type != PE_REALS)
        add_bounds(out, param);
    add_default(out, param, place);
    if (param->choices)
        add_enum(out, param->choices);
    buffer_add_text(out, "}");
}

void schema_write_list(struct buffer *out, const struct pe_param *param)
{
    struct buffer names = {0};

    for (const struct pe_choice *choice = param->choices; choice->name; choice++)
        buffer_add_format(&names, "%s%s", choice == param->choices ? "" : "|", choice->name);
    if (names.failed)
        buffer_fail(out);
    else
        buffer_add_format(out, "{\"type\":\"string\",\"pattern\":\"^(%s)(,(%s))*$\"}",
                          names.bytes, names.bytes);
    buffer_fini(&names);
}
