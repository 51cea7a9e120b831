/* SPDX-License-Identifier: Apache-2.0
 * schema.c - writes types, bounds, choices and defaults of a row as JSON. */
#include "proto/describe/schema.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/text/float_text.h"
#include "proto/text/json_write.h"

static const struct {
    const char *name;           /* the catalog's name for the type */
    const char *form;           /* how a text has a value; NULL: as the row says */
    const char *type, *pattern; /* of JSON Schema */
    const char *query, *body;   /* components that are the schema instead; NULL: none is */
} types[] = {
    [PE_INT] = {"integer", .type = "integer"},
    [PE_REAL] = {"number", .type = "number"},
    [PE_BOOL] = {"boolean", "0 | 1", .type = "boolean"},
    [PE_CHOICE] = {"choice", "a name", .type = "string"},
    [PE_REALS] = {"numbers", "1,2.5,4", .query = "NumberList", .body = "Numbers"},
    [PE_POSITIONS] = {"positions", "0:128 | 0:128:4 | 5,9,12", .query = "PositionList",
                      .body = "Positions"},
    [PE_GRID] = {"grid", "14x14", .type = "string", .pattern = "^[0-9]+x[0-9]+$"},
    [PE_TENSOR] = {"tensor", "a tensor", .type = "string", .body = "TensorIn"},
    [PE_SEGMENTS] = {"segments", "text:3,image:1x4x6,video:4x4x6@0.5", .type = "string"},
};

const char *schema_type_form(enum pe_type type)
{
    return types[type].form;
}

/* Writes a bound, if there is one. */
static void add_bound(struct buffer *out, const char *name, double bound)
{
    char text[FLOAT_TEXT_F64_MAX];

    if (fabs(bound) < DBL_MAX) {
        json_write_key(out, name);
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
    json_write_text(out, "default", param->preset_text);
    if (param->required || param->optional)
        return;
    if (param->type == PE_CHOICE)
        json_write_text(out, "default", param->choices[(size_t)param->preset].name);
    else if (param->type == PE_BOOL)
        json_write_flag(out, "default", param->preset != 0);
    else if (param->type == PE_REAL && word_of(param, param->preset))
        json_write_text(out, "default", word_of(param, param->preset));
    else if (param->type == PE_INT || param->type == PE_REAL)
        add_bound(out, "default", param->preset);
}

static void add_choices(struct buffer *out, const struct pe_choice *choices)
{
    json_write(out, "'choices':[");
    for (const struct pe_choice *choice = choices; choice->name; choice++) {
        json_write(out, "{'name':'%s'", choice->name);
        if (choice->aliases)
            json_write_texts(out, "aliases", choice->aliases, SIZE_MAX);
        json_write_text(out, "stands_for", choice->stands_for);
        json_write_text(out, "start", choice->start);
        json_write_text(out, "doc", choice->summary);
        json_write(out, "}");
    }
    json_write(out, "]");
}

/* Writes where a form shows the row. */
static void add_place(struct buffer *out, const struct pe_param *param)
{
    if (pe_param_group(param) != PE_GROUP_UNSET)
        json_write_text(out, "group", pe_group_name(pe_param_group(param)));
    if (pe_param_level(param) != PE_LEVEL_UNSET)
        json_write_text(out, "level", pe_level_name(pe_param_level(param)));
    json_write_text(out, "when", param->when);
    json_write_text(out, "start", param->start);
    json_write_text(out, "origin", param->origin);
}

/* Writes a list of the words that stand for numbers. */
static void add_words(struct buffer *out, const char *name, const struct pe_word *words)
{
    json_write(out, "'%s':[", name);
    for (const struct pe_word *word = words; word->word; word++)
        json_write_text(out, NULL, word->word);
    json_write(out, "]");
}

void schema_write_row(struct buffer *out, const struct pe_param *param, bool required)
{
    bool any_word = param->type == PE_CHOICE && !param->choices;

    json_write(out, "{'name':'%s','type':'%s'", param->name,
               any_word ? "word" : types[param->type].name);
    json_write_flag(out, "required", required);
    add_place(out, param);
    add_bounds(out, param);
    add_default(out, param);
    if (param->type == PE_POSITIONS)
        json_write_flag(out, "fractions", param->fractions);
    if (param->type == PE_REALS)
        json_write_flag(out, "matrix", param->matrix);
    if (param->choices)
        add_choices(out, param->choices);
    if (param->words)
        add_words(out, "words", param->words);
    json_write_text(out, "unit", param->unit);
    json_write_text(out, "doc", pe_param_summary(param));
    json_write(out, "}");
}

/* Writes "enum" with the own names of the choices. */
static void add_enum(struct buffer *out, const struct pe_choice *choices)
{
    json_write(out, "'enum':[");
    for (const struct pe_choice *choice = choices; choice->name; choice++)
        json_write_text(out, NULL, choice->name);
    json_write(out, "]");
}

/* Writes the members of a number or one of its words. */
static void add_number_or_word(struct buffer *out, const struct pe_param *param)
{
    json_write(out, "'oneOf':[{'type':'number'");
    add_bounds(out, param);
    json_write(out, "},{'type':'string'");
    add_words(out, "enum", param->words);
    json_write(out, "}]");
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

static void add_type(struct buffer *out, enum pe_type type, enum schema_place place)
{
    const char *component = place == SCHEMA_QUERY ? types[type].query : types[type].body;

    if (component)
        json_write(out, "'$ref':'#/components/schemas/%s'", component);
    else
        json_write_text(out, "type", types[type].type);
    json_write_text(out, "pattern", types[type].pattern);
}

void schema_write(struct buffer *out, const struct pe_param *param, enum schema_place place)
{
    json_write(out, "{");
    if (param->words) {
        add_number_or_word(out, param);
    } else if (schema_is_truth(param)) {
        assert(param->optional); /* so it has no default, which would be a name */
        json_write(out, "'type':'boolean'");
    } else {
        add_type(out, param->type, place);
        if (param->type != PE_REALS)
            add_bounds(out, param);
        if (param->choices)
            add_enum(out, param->choices);
    }
    add_default(out, param);
    if (place == SCHEMA_BODY)
        json_write_text(out, "description", pe_param_summary(param));
    json_write(out, "}");
}

void schema_write_names(struct buffer *out, const struct pe_param *param)
{
    json_write(out, "{'oneOf':[{'type':'string'");
    add_enum(out, param->choices);
    json_write(out, "},{'type':'array','minItems':1,'items':{'type':'string'");
    add_enum(out, param->choices);
    json_write(out, "}}]");
    json_write_text(out, "description", pe_param_summary(param));
    json_write(out, "}");
}
