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
    [PE_BOOL] = {"boolean", "\"type\":\"boolean\"", "\"type\":\"boolean\""},
    [PE_CHOICE] = {"choice", "\"type\":\"string\"", "\"type\":\"string\""},
    [PE_REALS] = {"numbers", "\"$ref\":\"#/components/schemas/NumberList\"",
                  "\"$ref\":\"#/components/schemas/Numbers\""},
    [PE_POSITIONS] = {"positions", "\"$ref\":\"#/components/schemas/PositionList\"",
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

static void add_default(struct buffer *out, const struct pe_param *param)
{
    if (param->preset_text)
        add_member(out, "default", param->preset_text);
    if (param->required || param->optional)
        return;
    if (param->type == PE_CHOICE)
        add_member(out, "default", param->choices[(size_t)param->preset].name);
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
    add_default(out, param);
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

/* Writes "enum" with the own names of the choices. */
static void add_enum(struct buffer *out, const struct pe_choice *choices)
{
    buffer_add_text(out, ",\"enum\":[");
    for (const struct pe_choice *choice = choices; choice->name; choice++)
        buffer_add_format(out, "%s\"%s\"", choice == choices ? "" : ",", choice->name);
    buffer_add_text(out, "]");
}

/* Writes the members of a number or one of its words. */
static void add_words(struct buffer *out, const struct pe_param *param)
{
    buffer_add_text(out, "\"oneOf\":[{\"type\":\"number\"");
    add_bounds(out, param);
    buffer_add_text(out, "},{\"type\":\"string\",\"enum\":[");
    for (const struct pe_word *word = param->words; word->word; word++)
        buffer_add_format(out, "%s\"%s\"", word == param->words ? "" : ",", word->word);
    buffer_add_text(out, "]}]");
}

bool schema_is_truth(const struct pe_param *param)
{
    const struct pe_choice *choices = param->choices;

    return param->type == PE_CHOICE && choices && strcmp(choices[0].name, "0") == 0 &&
           choices[1].name && strcmp(choices[1].name, "1") == 0 && !choices[2].name;
}

bool schema_is_list(const struct pe_param *param)
{
    return param->type == PE_REALS || param->type == PE_POSITIONS;
}

const char *schema_shared_name(const struct pe_param *param)
{
    static const struct {
        const char *param, *schema;
    } names[] = {
        {"cell", "Cell"},      {"cmap", "ColourMap"},       {"data", "DataForm"},
        {"dtype", "OutDtype"}, {"format", "Format"},        {"in_dtype", "InDtype"},
        {"layer", "Layer"},    {"layer_type", "LayerType"}, {"model", "ModelName"},
        {"pretty", "Pretty"},  {"range", "Range"},          {"rev", "Revision"},
        {"shape", "Shape"},
    };

    size_t i = 0, count = sizeof names / sizeof names[0];

    while (i < count && strcmp(names[i].param, param->name) != 0)
        i++;
    assert(i < count); /* every shared parameter has a row */
    return names[i].schema;
}

void schema_write(struct buffer *out, const struct pe_param *param, enum schema_place place)
{
    buffer_add_text(out, "{");
    if (param->words) {
        add_words(out, param);
    } else if (schema_is_truth(param)) {
        assert(param->optional); /* so it has no default, which would be a name */
        buffer_add_text(out, types[PE_BOOL].body);
    } else {
        buffer_add_text(out, place == SCHEMA_QUERY ? types[param->type].query
                                                   : types[param->type].body);
        if (param->type != PE_REALS)
            add_bounds(out, param);
        if (param->choices)
            add_enum(out, param->choices);
    }
    add_default(out, param);
    if (place == SCHEMA_BODY)
        add_member(out, "description", pe_param_summary(param));
    buffer_add_text(out, "}");
}

void schema_write_names(struct buffer *out, const struct pe_param *param)
{
    buffer_add_text(out, "{\"oneOf\":[{\"type\":\"string\"");
    add_enum(out, param->choices);
    buffer_add_text(out, "},{\"type\":\"array\",\"minItems\":1,\"items\":{"
                         "\"type\":\"string\"");
    add_enum(out, param->choices);
    buffer_add_text(out, "}}]");
    add_member(out, "description", pe_param_summary(param));
    buffer_add_text(out, "}");
}
