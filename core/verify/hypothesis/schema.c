/* SPDX-License-Identifier: Apache-2.0
 * schema.c - the values that a parameter is tried with, by its type alone: every other
 * choice, the other truth value, multiples and neighbours of a number, and lists
 * (hypothesis_list.h). */
#include "core/verify/hypothesis/schema.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/args/number.h"
#include "core/args/when.h"
#include "core/verify/hypothesis/hypothesis_axes.h"
#include "core/verify/hypothesis/hypothesis_list.h"

static void add_number(struct hypotheses *list, struct claim *claim,
                       const struct pe_param *param, double value, double price)
{
    char text[NUMBER_TEXT_MAX];

    if (!isfinite(value) || value < param->min || value > param->max ||
        (param->above_min && value == param->min) ||
        (param->type == PE_INT && value != floor(value)))
        return;
    number_print(text, value);
    hypothesis_add_text(list, claim, param, text, price);
}

static void add_choices(struct hypotheses *list, struct claim *claim,
                        const struct pe_param *param)
{
    for (const struct pe_choice *choice = param->choices; choice && choice->name; choice++)
        if (!choice->stands_for)
            hypothesis_add_text(list, claim, param, choice->name, 0.8);
}

/* Whole numbers may be sides of a grid, or these times another whole number: pixels. */
static void add_sides(struct hypotheses *list, struct claim *claim,
                      const struct pe_param *param)
{
    double other;

    for (size_t i = 0; i < claim->enc->param_count; i++) {
        const struct pe_grid *grid =
            (const void *)(claim->args->data + claim->enc->params[i].offset);

        if (claim->enc->params[i].type != PE_GRID || !claim->text[i])
            continue;
        add_number(list, claim, param, (double)grid->height, 1.1);
        add_number(list, claim, param, (double)grid->width, 1.1);
        for (size_t j = 0; j < claim->enc->param_count; j++) {
            if (claim->enc->params[j].type != PE_INT || &claim->enc->params[j] == param ||
                !claim_number(claim, j, &other))
                continue;
            add_number(list, claim, param, other * (double)grid->height, 1.15);
            add_number(list, claim, param, other * (double)grid->width, 1.15);
        }
    }
}

/* A whole number is one of its neighbours: a distance, a count of buckets. */
static void add_neighbours(struct hypotheses *list, struct claim *claim,
                           const struct pe_param *param, double value)
{
    char text[NUMBER_TEXT_MAX];

    for (int step = 3; step <= 8; step++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            const double near = value + sign * step;

            if (!(near >= param->min && near <= param->max))
                continue; /* and where there is no value yet */
            number_print(text, near);
            hypothesis_add_lone(list, claim, param, text, 1.05);
        }
    }
}

/* Columns that turn at the end of a head begin after those that stay: the head's width less
 * that of the turned columns. */
static void add_last_columns(struct hypotheses *list, struct claim *claim,
                             const struct pe_param *param)
{
    const struct pe_param *width =
        pe_param_find(claim->enc, "rotary_dim", strlen("rotary_dim"));
    double turned;

    if (!width || strcmp(param->name, "offset_dims") != 0 ||
        !claim_number(claim, claim_index(claim, width), &turned))
        return;
    for (size_t i = 0; i < claim->subject_count; i++)
        add_number(list, claim, param, (double)view_cols(&claim->subject[i].whole) - turned, 1);
}

/* The length of a sequence is a few times the length of the context. */
static void add_lengths(struct hypotheses *list, struct claim *claim,
                        const struct pe_param *param)
{
    const struct pe_param *context =
        pe_param_find(claim->enc, "max_position_embeddings", strlen("max_position_embeddings"));
    double length;

    if (strcmp(param->name, "seq_len") != 0 || !context ||
        !claim_number(claim, claim_index(claim, context), &length))
        return;
    for (int times = 1; times <= 4; times++)
        add_number(list, claim, param, times * length, 0.95);
}

static void add_numbers(struct hypotheses *list, struct claim *claim,
                        const struct pe_param *param, const char *own)
{
    static const double multiples[] = {2, 0.5, 4, 0.25, 8, 0.125, 16, 0.0625};
    static const double round[] = {0,
                                   1,
                                   2,
                                   4,
                                   8,
                                   16,
                                   20,
                                   32,
                                   64,
                                   100,
                                   1000,
                                   10000,
                                   100000,
                                   500000,
                                   1000000,
                                   -1e4,
                                   -1e9,
                                   0x1.921fb54442d18p+1,
                                   0x1.921fb54442d18p+2};
    /* Numbers that are all the same tell of no number by itself. */
    const double price = claim->least < claim->most ? 1.1 : 1.3;
    double value = NAN;

    for (const struct pe_word *word = param->words; word && word->word; word++)
        hypothesis_add_text(list, claim, param, word->word, 1);
    if (own)
        add_lengths(list, claim, param);
    if (own && claim_number(claim, claim_index(claim, param), &value)) {
        for (size_t i = 0; i < PE_LEN(multiples); i++)
            add_number(list, claim, param, value * multiples[i], 1);
        for (int step = 1; step <= 2; step++) {
            add_number(list, claim, param, value + step, 1);
            add_number(list, claim, param, value - step, 1);
        }
        add_number(list, claim, param, value * value, 1.1);
        add_number(list, claim, param, -value, 1);
        if (param->type == PE_REAL && value > 0)
            add_number(list, claim, param, sqrt(value), 1.1);
        if (param->type == PE_REAL && value != 0)
            add_number(list, claim, param, 1 / value, 1.1);
    }
    for (size_t i = 0; i < PE_LEN(round); i++)
        add_number(list, claim, param, round[i], price);
    add_number(list, claim, param, claim->least, price); /* what masked elements hold, say */
    add_number(list, claim, param, claim->most, price);
    if (param->type == PE_INT) {
        add_sides(list, claim, param);
        add_last_columns(list, claim, param);
        add_neighbours(list, claim, param, value);
        hypothesis_axes_add(list, claim, param);
    }
}

static void add_values(struct hypotheses *list, struct claim *claim,
                       const struct pe_param *param)
{
    const char *own = claim->text[claim_index(claim, param)];

    switch (param->type) {
    case PE_CHOICE:
        add_choices(list, claim, param);
        break;
    case PE_BOOL:
        hypothesis_add_text(list, claim, param, own && strcmp(own, "1") == 0 ? "0" : "1", 0.75);
        break;
    case PE_INT:
    case PE_REAL:
        add_numbers(list, claim, param, own);
        break;
    case PE_POSITIONS:
    case PE_GRID:
    case PE_REALS:
        hypothesis_list_add(list, claim, param);
        break;
    case PE_TENSOR:
    case PE_SEGMENTS:
        break;
    }
    if (param->optional && param->type != PE_BOOL &&
        args_bit(claim->set, claim_index(claim, param)))
        hypothesis_add_text(list, claim, param, "", 0.7); /* it was left out */
}

static bool is_judged(struct claim *claim, const struct pe_param *param)
{
    for (size_t i = 0; i < claim->enc->output_count; i++)
        if (claim->outputs >> i & 1 && pe_output_uses(&claim->enc->outputs[i], param->name))
            return !param->expanded || args_bit(claim->replaced, claim_index(claim, param));
    return false;
}

/* Returns whether values say how numbers are rounded, which is no mistake. */
static bool say_arithmetic(const struct pe_encoding *enc, const char *values)
{
    for (size_t i = 0; i < enc->param_count; i++)
        if (hypothesis_is_arithmetic(&enc->params[i]) && strstr(values, enc->params[i].name))
            return true;
    return false;
}

/* The values of a preset that the claim leaves open. */
struct open_values {
    size_t count;
    const struct pe_param *param; /* the last one, */
    char text[CHANGE_TEXT];       /* and its value */
};

static struct open_values read_open(const struct claim *claim, const char *values)
{
    struct open_values open = {.count = 0};

    for (const char *pair = values, *end; *pair; pair = *end ? end + 1 : end) {
        const char *equals = strchr(pair, '=');

        end = strchrnul(pair, '&');
        assert(equals && equals < end); /* a preset has values */
        const size_t param = args_find(claim->enc, pair, (size_t)(equals - pair));
        if (args_bit(claim->args->given, param))
            continue;
        open.count++;
        open.param = &claim->enc->params[param];
        snprintf(open.text, sizeof open.text, "%.*s", (int)(end - equals - 1), equals + 1);
    }
    return open;
}

/* The values of a library, which stand for several parameters, before pairs of these. Where the
 * claim leaves one of them open, it is that parameter which differs, and no library is told. */
static void add_presets(struct hypotheses *list, struct claim *claim,
                        const struct pe_param *param)
{
    for (const struct pe_choice *choice = param->choices; choice && choice->name; choice++) {
        if (!choice->stands_for || say_arithmetic(claim->enc, choice->stands_for))
            continue;
        const struct open_values open = read_open(claim, choice->stands_for);
        if (open.count == 1)
            hypothesis_add_text(list, claim, open.param, open.text, 1.2);
        else if (open.count > 1)
            hypothesis_add_text(list, claim, param, choice->name, 1.2);
    }
}

void schema_add_values(struct hypotheses *list, struct claim *claim)
{
    for (size_t i = 0; i < claim->enc->param_count; i++) {
        const struct pe_param *param = &claim->enc->params[i];

        if (is_judged(claim, param) && !hypothesis_is_arithmetic(param) &&
            when_holds(claim->args, i))
            add_values(list, claim, param);
        else if (param->expanded)
            add_presets(list, claim, param);
    }
}

void schema_add_profiles(struct hypotheses *list, struct claim *claim)
{
    for (size_t i = 0; i < claim->enc->param_count; i++) {
        const struct pe_param *param = &claim->enc->params[i];

        if (is_judged(claim, param) && hypothesis_is_arithmetic(param) &&
            param->type == PE_CHOICE)
            add_choices(list, claim, param);
    }
}

size_t schema_values_of_missing(const struct pe_param *param, double values[8])
{
    static const double lengths[] = {2048, 4096, 8192, 32768, 131072};
    static const double factors[] = {2, 4, 8, 16, 32};
    bool is_length = param->unit && strcmp(param->unit, "positions") == 0;
    size_t count = 0;

    if (param->type != PE_INT && param->type != PE_REAL)
        return 0;
    for (size_t i = 0; i < 5; i++) {
        double value = is_length ? lengths[i] : factors[i];

        if (value >= param->min && value <= param->max)
            values[count++] = value;
    }
    return count;
}
