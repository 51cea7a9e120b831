/* SPDX-License-Identifier: Apache-2.0
 * args_canonical.c - prints checked arguments as a list of names and canonical texts, sorted by
 * name. The cache key, the ETag and the `params` of an answer are made from it. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/args.h"
#include "core/args/number.h"
#include "core/args/positions.h"
#include "core/args/segments.h"
#include "core/args/when.h"

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
    for (const struct pe_word *w = p->words; w && w->word; w++)
        if (w->value == value)
            return w->word;
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
        if (len < size)
            copy_text(text + len, size - len, i ? number : number + 1);
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

size_t args_print_param(const struct pe_args *args, size_t i, char *text, size_t size)
{
    const struct pe_param *p = &args->enc->params[i];
    const struct args_spelling *spelling = args->spellings;

    while (spelling && spelling->param != i)
        spelling = spelling->next;
    return spelling ? copy_text(text, size, spelling->text)
                    : print_value(p, args->data + p->offset, text, size);
}

size_t args_print_given(const struct pe_args *args, size_t i, char *text, size_t size)
{
    const void *field = args_given_field(args, i);

    return field == args->data + args->enc->params[i].offset
               ? args_print_param(args, i, text, size)
               : print_value(&args->enc->params[i], field, text, size);
}

/* ---- long lists -------------------------------------------------------------------------- */

/* Counts the items of a list and finds the bytes that identify it; 0 if it is no list. */
static size_t find_items(const struct pe_param *p, const void *field, const void **bits,
                         size_t *bits_len)
{
    const struct pe_reals *reals = field;

    if (p->type == PE_POSITIONS)
        return positions_runs(*(struct pe_positions *const *)field, bits, bits_len);
    if (p->type != PE_REALS)
        return 0;
    *bits = reals->values;
    *bits_len = reals->rows * reals->cols * sizeof *reals->values;
    return reals->rows * reals->cols;
}

/* Finds the parameters of `said` that are long lists, whose text is not printed. */
static uint64_t find_long(const struct pe_args *args, uint64_t said)
{
    uint64_t found = 0;
    const void *bits;
    size_t len;

    for (size_t i = 0; i < args->enc->param_count; i++) {
        const struct pe_param *p = &args->enc->params[i];

        if (args_bit(said, i) &&
            find_items(p, args->data + p->offset, &bits, &len) > PE_LONG_LIST)
            found |= UINT64_C(1) << i;
    }
    return found;
}

/* ---- which values are said --------------------------------------------------------------- */

bool args_says(const struct pe_args *args, size_t i)
{
    const struct pe_param *p = &args->enc->params[i];

    return args_bit(args->used, i) && !p->expanded &&
           !args_is_absent(p, args->data + p->offset) && when_holds(args, i);
}

/* Returns the name of the dtype that all wanted outputs share, or NULL when their natural
 * dtypes differ. */
static const char *shared_dtype(const struct pe_args *args)
{
    size_t wanted[PE_MAX_OUTPUTS], count = pe_args_wanted(args, wanted);

    for (size_t i = 1; i < count; i++)
        if (pe_args_dtype(args, wanted[i]) != pe_args_dtype(args, wanted[0]))
            return NULL;
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

/* ---- all of them ------------------------------------------------------------------------- */

enum { PARAMS_MAX = 64, FEW = 1024 };

/* The texts of the parameters one after the other, in the encoding's order. Text that does not
 * fit is not written, but counted in len. */
struct texts {
    char *bytes;
    size_t size, len;
    size_t at[PARAMS_MAX + 1]; /* at[i]: offset of the text of parameter i; the last: of out */
};

static void print_all(const struct pe_args *args, uint64_t printed, struct texts *texts)
{
    enum { OUT_MAX = 512 };
    char out[OUT_MAX];

    texts->len = 0;
    for (size_t i = 0; i <= args->enc->param_count; i++) {
        bool fits = texts->len < texts->size, last = i == args->enc->param_count;
        char *text = fits ? texts->bytes + texts->len : NULL;
        size_t size = fits ? texts->size - texts->len : 0;

        texts->at[i] = texts->len;
        if (last)
            args_print_wanted(args, out, sizeof out);
        if (last || args_bit(printed, i))
            texts->len +=
                (last ? copy_text(text, size, out) : args_print_param(args, i, text, size)) + 1;
    }
}

/* Most names differ in their first letter. */
static bool is_after(const char *name, const char *other)
{
    return *name == *other ? strcmp(name, other) > 0 : *name > *other;
}

/* Insert the value by its name; few values are out of order. */
static void insert(struct pe_args *args, const struct pe_value *value)
{
    size_t at = args->value_count++;

    while (at > 0 && is_after(args->values[at - 1].name, value->name)) {
        args->values[at] = args->values[at - 1];
        at--;
    }
    args->values[at] = *value;
}

bool args_canonical_build(struct pe_args *args)
{
    const struct pe_encoding *enc = args->enc;
    const char *dtype = shared_dtype(args);
    char few[FEW];            /* nearly always large enough to print everything once */
    struct texts texts;       /* not initialised: most places are not needed */
    size_t count = 2;         /* out and dtype */
    uint64_t said = 0, lists; /* said: parameters in the list; lists: the long lists among
                               * them */
    char *bytes;

    assert(enc->param_count <= PARAMS_MAX);
    texts.bytes = few;
    texts.size = sizeof few;
    for (size_t i = 0; i < enc->param_count; i++) {
        said |= (uint64_t)args_says(args, i) << i;
        count += args_bit(said, i);
    }
    lists = find_long(args, said);
    print_all(args, said & ~lists, &texts);
    args->values = malloc(count * sizeof *args->values + texts.len);
    if (!args->values)
        return false;
    bytes = (char *)(args->values + count); /* one block: values, then their texts */
    if (texts.len <= sizeof few) {
        memcpy(bytes, few, texts.len);
    } else {
        texts.bytes = bytes;
        texts.size = texts.len;
        print_all(args, said & ~lists, &texts);
    }
    for (size_t i = 0; i < enc->param_count; i++) {
        const struct pe_param *p = &enc->params[i];
        struct pe_value value = {.name = p->name, .text = bytes + texts.at[i]};

        if (!args_bit(said, i))
            continue;
        describe_kind(&value, p, args->data + p->offset);
        if (args_bit(lists, i)) {
            find_items(p, args->data + p->offset, &value.bits, &value.bits_len);
            value.text = NULL;
        }
        insert(args, &value);
    }
    insert(args, &(struct pe_value){.name = "out",
                                    .kind = PE_VALUE_TEXT,
                                    .text = bytes + texts.at[enc->param_count]});
    if (dtype)
        insert(args, &(struct pe_value){.name = "dtype", .kind = PE_VALUE_TEXT, .text = dtype});
    return true;
}

void args_canonical_free(struct pe_args *args)
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

size_t pe_args_print(const struct pe_args *args, size_t i, char *text, size_t size)
{
    const struct pe_value *value = &args->values[i];

    return value->text
               ? copy_text(text, size, value->text)
               : args_print_param(args, args_find(args->enc, value->name, strlen(value->name)),
                                  text, size);
}
