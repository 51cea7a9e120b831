/* SPDX-License-Identifier: Apache-2.0
 * values.c - checked arguments as a sorted list of names and canonical texts: the cache key,
 * the ETag's input and the `params` of an answer are made from it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args.h"
#include "core/number.h"
#include "core/positions.h"
#include "core/segments.h"

/* ---- one value as text, like snprintf: the length is always the whole text's ------------- */

static size_t copy_text(char *text, size_t size, const char *from)
{
    size_t len = strlen(from), kept = len < size ? len : size - 1;

    if (size > 0) {
        memcpy(text, from, kept);
        text[kept] = '\0';
    }
    return len;
}

static const char *word_of(const struct pe_param *p, double value)
{
    for (const struct pe_word *w = p->words; w && w->word; w++) {
        if (w->value == value)
            return w->word;
    }
    return NULL;
}

static size_t print_real(const struct pe_param *p, double value, char *text, size_t size)
{
    char number[NUMBER_TEXT_MAX];
    const char *word = word_of(p, value);

    if (!word)
        number_print(number, value);
    return copy_text(text, size, word ? word : number);
}

static size_t print_reals(const struct pe_reals *reals, char *text, size_t size)
{
    size_t len = 0;

    for (size_t i = 0; i < reals->rows * reals->cols; i++) {
        char number[NUMBER_TEXT_MAX + 1];
        size_t more = number_print(number + 1, reals->values[i]);

        number[0] = i % reals->cols ? ',' : ';';
        if (size > 0)
            copy_text(text + (len < size ? len : size - 1), len < size ? size - len : 1,
                      i ? number : number + 1);
        len += more + (i > 0);
    }
    return len;
}

static size_t print_tensor(const struct pe_tensor *tensor, char *text, size_t size)
{
    char shape[PE_MAX_RANK * 24 + 8] = "";
    size_t len = 0;

    for (size_t i = 0; i < tensor->rank; i++)
        len += (size_t)snprintf(shape + len, sizeof shape - len, "%s%llu", i ? "," : "",
                                (unsigned long long)tensor->dims[i]);
    return (size_t)snprintf(text, size, "%s[%s]", pe_dtype_name(tensor->dtype), shape);
}

static size_t print_value(const struct pe_param *p, const void *field, char *text, size_t size)
{
    const struct pe_grid *grid = field;
    char number[NUMBER_TEXT_MAX];

    switch (p->type) {
    case PE_INT:
        number_print(number, (double)*(const int64_t *)field);
        return copy_text(text, size, number);
    case PE_REAL:
        return print_real(p, *(const double *)field, text, size);
    case PE_BOOL:
        return copy_text(text, size, *(const bool *)field ? "1" : "0");
    case PE_CHOICE:
        return copy_text(text, size, p->choices[*(const int *)field].name);
    case PE_REALS:
        return print_reals(field, text, size);
    case PE_POSITIONS:
        return positions_print(*(struct pe_positions *const *)field, text, size);
    case PE_GRID:
        return (size_t)snprintf(text, size, "%lldx%lld", (long long)grid->height,
                                (long long)grid->width);
    case PE_TENSOR:
        return print_tensor(field, text, size);
    case PE_SEGMENTS:
        return segments_print(field, text, size);
    }
    return 0;
}

/* The value of parameter i. */
static size_t print_param(const struct pe_args *args, size_t i, char *text, size_t size)
{
    const struct pe_param *p = &args->enc->params[i];
    const struct args_spelling *spelling = args->spellings;

    while (spelling && spelling->param != i)
        spelling = spelling->next;
    return spelling ? copy_text(text, size, spelling->text)
                    : print_value(p, args->data + p->offset, text, size);
}

/* ---- which values are said --------------------------------------------------------------- */

static bool is_absent(const struct pe_param *p, const void *field)
{
    switch (p->type) {
    case PE_INT:
        return *(const int64_t *)field == PE_ABSENT_INT;
    case PE_REAL:
        return isnan(*(const double *)field);
    case PE_BOOL:
        return p->optional && !*(const bool *)field;
    case PE_CHOICE:
        return *(const int *)field < 0;
    case PE_REALS:
        return ((const struct pe_reals *)field)->rows == 0;
    case PE_POSITIONS:
        return !*(struct pe_positions *const *)field;
    case PE_GRID:
        return ((const struct pe_grid *)field)->height == 0;
    case PE_TENSOR:
        return ((const struct pe_tensor *)field)->rank == 0;
    case PE_SEGMENTS:
        return ((const struct pe_segments *)field)->count == 0;
    }
    return true;
}

static bool is_said(const struct pe_args *args, const struct pe_param *p)
{
    return !p->expanded && args_uses(args, p) && !is_absent(p, args->data + p->offset);
}

/* The dtype all wanted outputs share, or NULL when their natural ones differ. */
static const char *shared_dtype(const struct pe_args *args)
{
    size_t wanted[PE_MAX_OUTPUTS], count = pe_args_wanted(args, wanted);

    for (size_t i = 1; i < count; i++) {
        if (pe_args_dtype(args, wanted[i]) != pe_args_dtype(args, wanted[0]))
            return NULL;
    }
    return pe_dtype_name(pe_args_dtype(args, wanted[0]));
}

static void describe_kind(struct pe_value *value, const struct pe_param *p, const void *field)
{
    value->kind = PE_VALUE_TEXT;
    if (p->type == PE_INT) {
        value->kind = PE_VALUE_NUMBER;
        value->number = (double)*(const int64_t *)field;
    } else if (p->type == PE_REAL && !word_of(p, *(const double *)field)) {
        value->kind = PE_VALUE_NUMBER;
        value->number = *(const double *)field;
    } else if (p->type == PE_BOOL) {
        value->kind = PE_VALUE_BOOL;
        value->flag = *(const bool *)field;
    } else if (p->type == PE_REALS) {
        value->kind = PE_VALUE_REALS;
        value->reals = *(const struct pe_reals *)field;
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct pe_value *)a)->name, ((const struct pe_value *)b)->name);
}

/* Bytes of all texts with their NULs. Sets a bit of *said for each parameter that is. */
static size_t text_size(const struct pe_args *args, const char *out, uint64_t *said)
{
    size_t size = strlen(out) + 1 + 8; /* dtype names are short */

    *said = 0;
    for (size_t i = 0; i < args->enc->param_count; i++) {
        if (!is_said(args, &args->enc->params[i]))
            continue;
        *said |= UINT64_C(1) << i;
        size += print_param(args, i, NULL, 0) + 1;
    }
    return size;
}

bool values_build(struct pe_args *args)
{
    enum { OUT_MAX = 512 };
    const char *dtype = shared_dtype(args);
    size_t room = args->enc->param_count + 2, left;
    char out[OUT_MAX], *text;
    uint64_t said;

    args_print_wanted(args, out, sizeof out);
    left = text_size(args, out, &said);
    args->values = calloc(1, room * sizeof *args->values + left);
    if (!args->values)
        return false;
    text = (char *)(args->values + room); /* one block: values, then their texts */
    for (size_t i = 0; i < args->enc->param_count; i++) {
        const struct pe_param *p = &args->enc->params[i];
        struct pe_value *value = &args->values[args->value_count];
        size_t len;

        if (!args_bit(said, i))
            continue;
        *value = (struct pe_value){.name = p->name, .text = text};
        describe_kind(value, p, args->data + p->offset);
        len = print_param(args, i, text, left) + 1;
        text += len;
        left -= len;
        args->value_count++;
    }
    args->values[args->value_count++] =
        (struct pe_value){.name = "out", .kind = PE_VALUE_TEXT, .text = text};
    memcpy(text, out, strlen(out) + 1);
    if (dtype)
        args->values[args->value_count++] =
            (struct pe_value){.name = "dtype", .kind = PE_VALUE_TEXT, .text = dtype};
    qsort(args->values, args->value_count, sizeof *args->values, by_name);
    return true;
}

void values_free(struct pe_args *args)
{
    free(args->values);
}

size_t pe_args_value_count(const struct pe_args *args)
{
    return args->value_count;
}

const struct pe_value *pe_args_value(const struct pe_args *args, size_t i)
{
    return &args->values[i];
}
