/* SPDX-License-Identifier: Apache-2.0
 * figure_words.c - see figure_words.h. */
#include "proto/output/figure_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text/float_text.h"

#define MINUS "\xe2\x88\x92"

enum { VALUE_MAX = 40 }; /* a longer value of a parameter is cut */

/* Returns whether a value is the one of a request without it, as far as the row tells: optional
 * values that few requests give are mostly derived from others. */
static bool is_preset(const struct pe_param *param, const struct pe_value *value)
{
    if (param->required || param->optional)
        return param->optional && pe_param_level(param) == PE_ADVANCED;
    if (value->kind == PE_VALUE_NUMBER || value->kind == PE_VALUE_BOOL)
        return (value->kind == PE_VALUE_NUMBER ? value->number : value->flag) == param->preset;
    if (value->kind != PE_VALUE_TEXT || !value->text)
        return false;
    if (param->type == PE_CHOICE)
        return strcmp(value->text, param->choices[(size_t)param->preset].name) == 0;
    return param->preset_text && strcmp(value->text, param->preset_text) == 0;
}

void figure_words_query(struct buffer *out, const struct pe_args *args)
{
    const struct pe_encoding *enc = pe_args_encoding(args);
    char text[VALUE_MAX + 1];

    buffer_add_text(out, pe_name(enc));
    for (size_t i = 0; i < pe_args_value_count(args); i++) {
        const struct pe_value *value = pe_args_value(args, i);
        const struct pe_param *param = pe_param_find(enc, value->name, strlen(value->name));

        if (!param || strcmp(value->name, "out") == 0 || strcmp(value->name, "dtype") == 0 ||
            is_preset(param, value))
            continue;
        const size_t len = pe_args_print(args, i, text, sizeof text);
        buffer_add_format(out, " %s=%.*s%s", value->name, VALUE_MAX, text,
                          len > VALUE_MAX ? "\xe2\x80\xa6" : "");
    }
}

void figure_words_tiles(char text[FIGURE_TILES_SIZE], uint64_t tiles, const char *label)
{
    snprintf(text, FIGURE_TILES_SIZE, "%" PRIu64 " tiles%s%s", tiles,
             *label ? ", one for each " : "", label);
}

void figure_words_number(char text[FIGURE_NUMBER_SIZE], struct encoder *encoder, size_t index)
{
    const enum pe_dtype dtype = pe_plan_tensor(encoder->plan, index)->dtype;
    char plain[FLOAT_TEXT_F64_MAX + 1];
    double value;

    (void)encoder_fill(encoder, index, 0, 1, encoder->block);
    pe_dtype_to_f64(dtype, &value, encoder->block, 1);
    if (!isfinite(value)) {
        tick_print(value, 1, text);
    } else if (dtype == PE_BOOL8) {
        snprintf(text, FIGURE_NUMBER_SIZE, "%s", value != 0 ? "true" : "false");
    } else {
        const double size = fabs(value);

        *(dtype == PE_F64 || dtype > PE_BF16 ? float_text_f64(plain, size)
                                             : float_text_f32(plain, (float)size)) = '\0';
        snprintf(text, FIGURE_NUMBER_SIZE, "%s%s", value < 0 ? MINUS : "", plain);
    }
}
