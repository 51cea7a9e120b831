/* SPDX-License-Identifier: Apache-2.0
 * param_text.c - see param_text.h. */
#include "proto/describe/param_text.h"

#include <float.h>

#include "core/text/float_text.h"
#include "proto/describe/schema.h"

static void add_number(struct buffer *out, double number)
{
    char text[FLOAT_TEXT_F64_MAX];

    buffer_add(out, text, (size_t)(float_text_bound(text, number) - text));
}

static void add_range(struct buffer *out, const struct pe_param *param)
{
    if (param->min <= -DBL_MAX && param->max >= DBL_MAX) {
        buffer_add_text(out, "a number");
        return;
    }
    buffer_add_text(out, param->above_min ? "above " : "");
    add_number(out, param->min);
    buffer_add_text(out, "..");
    add_number(out, param->max);
    if (param->multiple_of > 1)
        buffer_add_format(out, ", a multiple of %lld", (long long)param->multiple_of);
}

void param_text_values(struct buffer *out, const struct pe_param *param)
{
    if (param->type == PE_INT || param->type == PE_REAL) {
        add_range(out, param);
        for (const struct pe_word *w = param->words; w && w->word; w++)
            buffer_add_format(out, " | %s", w->word);
    } else if (param->choices) {
        for (const struct pe_choice *c = param->choices; c->name; c++)
            buffer_add_format(out, "%s%s", c == param->choices ? "" : " | ", c->name);
    } else {
        buffer_add_text(out, param->matrix ? "1,2;3,4" : schema_type_form(param->type));
    }
}

/* Returns the default as text of a query if it is a word or a choice, else NULL. */
static const char *preset_word(const struct pe_param *param)
{
    const struct pe_word *word = param->type == PE_REAL ? param->words : NULL;

    if (param->type == PE_CHOICE)
        return param->choices[(size_t)param->preset].name;
    while (word && word->word && word->value != param->preset)
        word++;
    return word ? word->word : NULL;
}

void param_text_default(struct buffer *out, const char *prefix, const struct pe_param *param)
{
    bool number = param->type == PE_INT || param->type == PE_REAL || param->type == PE_BOOL;

    if (param->required || (param->optional && !param->preset_text))
        return;
    const char *word = param->preset_text ? param->preset_text : preset_word(param);
    if (!word && !number)
        return;
    buffer_add_text(out, prefix);
    if (word)
        buffer_add_text(out, word);
    else
        add_number(out, param->preset);
}
