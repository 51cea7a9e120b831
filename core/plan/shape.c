/* SPDX-License-Identifier: Apache-2.0
 * shape.c - the shape of an output, from the parameters that its axes are named after. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/args.h"

/* Returns the length of a parameter's value; `index` picks one of several, -1 the usual one. */
static uint64_t length_of(const struct pe_param *p, const void *field, int index)
{
    const struct pe_grid *grid;

    switch (p->type) {
    case PE_BOOL:
        return *(const bool *)field;
    case PE_INT:
        return (uint64_t) * (const int64_t *)field;
    case PE_POSITIONS:
        return pe_positions_count(*(const struct pe_positions *const *)field);
    case PE_GRID:
        grid = field;
        return (uint64_t)(index == 1 ? 1 : grid->height) *
               (uint64_t)(index == 0 ? 1 : grid->width);
    case PE_REALS:
        return index == 0 ? ((const struct pe_reals *)field)->rows
                          : ((const struct pe_reals *)field)->cols;
    default:
        assert(p->type == PE_TENSOR && index >= 0 && index < PE_MAX_RANK);
        return ((const struct pe_tensor *)field)->dims[index];
    }
}

/* Returns the value of a factor of a text of `lengths`: "3", "dim", "w2.0", "dim/2". */
static uint64_t read_factor(const struct pe_encoding *enc, const void *values, const char *text)
{
    char *rest;
    const uint64_t number = strtoull(text, &rest, 10);
    const size_t len = strcspn(text, "./*+-|");
    size_t at;
    uint64_t length;

    if (rest > text)
        return number;
    at = args_find(enc, text, len);
    assert(at < enc->param_count); /* else the encoding's own table is wrong */
    length = length_of(&enc->params[at], (const char *)values + enc->params[at].offset,
                       text[len] == '.' ? text[len + 1] - '0' : -1);
    return text[len] == '/' ? length / strtoull(text + len + 1, NULL, 10) : length;
}

/* Returns a product: "dim", "2*w", "arity*depth". */
static uint64_t read_term(const struct pe_encoding *enc, const void *values, const char *text)
{
    uint64_t product = read_factor(enc, values, text);

    for (text += strcspn(text, "*+-|"); *text == '*'; text += strcspn(text, "*+-|"))
        if (__builtin_mul_overflow(product, read_factor(enc, values, ++text), &product))
            product = UINT64_MAX;
    return product;
}

/* Returns a sum: "dim", "grid+cls_token", "2*window.0-1". */
static uint64_t read_sum(const struct pe_encoding *enc, const void *values, const char *text)
{
    uint64_t sum = read_term(enc, values, text);

    for (text += strcspn(text, "+-|"); *text == '+' || *text == '-';
         text += strcspn(text, "+-|")) {
        const bool minus = *text++ == '-';
        const uint64_t term = read_term(enc, values, text);

        if (minus)
            sum -= term;
        else if (__builtin_add_overflow(sum, term, &sum))
            sum = UINT64_MAX;
    }
    return sum;
}

/* Returns the first of several sums that is not 0: "sets", "anchors.0|sets". */
static uint64_t read_length(const struct pe_encoding *enc, const void *values, const char *text)
{
    const char *other = strchr(text, '|');
    const uint64_t length = read_sum(enc, values, text);

    return length == 0 && other ? read_length(enc, values, other + 1) : length;
}

/* Returns the text for the length of an axis: its own name unless `lengths` has another. */
static const char *text_of(const struct pe_encoding *enc, const char *axis)
{
    const size_t len = strlen(axis);

    for (const char *const *row = enc->lengths; row && *row; row++)
        if (strncmp(*row, axis, len) == 0 && (*row)[len] == '=')
            return *row + len + 1;
    return axis;
}

size_t pe_output_shape(const struct pe_encoding *enc, const struct pe_args *args,
                       const void *values, size_t output, uint64_t dims[PE_MAX_RANK])
{
    const char *const *axes = enc->outputs[output].axes;
    size_t rank = 0;

    if (enc->shape)
        return enc->shape(args, values, output, dims);
    for (; rank < PE_MAX_RANK && axes[rank]; rank++)
        dims[rank] = read_length(enc, values, text_of(enc, axes[rank]));
    return rank;
}
