/* SPDX-License-Identifier: Apache-2.0
 * shape.c - the shape of an output, from the parameters that its axes are named after. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/args.h"

/* Return the length of a parameter's value; `index` picks one of several, -1 the usual one. */
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

/* Return the value of one term of a text of `lengths`: "3", "dim", "w2.0", "2*w", "dim/2". */
static uint64_t read_term(const struct pe_encoding *enc, const void *values, const char *text)
{
    char *rest;
    const uint64_t number = strtoull(text, &rest, 10);
    const char *name = *rest == '*' ? rest + 1 : rest;
    const size_t len = strcspn(name, "./+"), at = args_find(enc, name, len);
    uint64_t length;

    if (rest > text && *rest != '*')
        return number;
    assert(at < enc->param_count); /* else the encoding's own table is wrong */
    length = length_of(&enc->params[at], (const char *)values + enc->params[at].offset,
                       name[len] == '.' ? name[len + 1] - '0' : -1);
    if (*rest == '*' && __builtin_mul_overflow(length, number, &length))
        length = UINT64_MAX;
    return name[len] == '/' ? length / strtoull(name + len + 1, NULL, 10) : length;
}

static uint64_t read_length(const struct pe_encoding *enc, const void *values, const char *text)
{
    uint64_t length = 0;

    for (const char *term = text; term; term = strchr(term, '+')) {
        term += *term == '+';
        if (__builtin_add_overflow(length, read_term(enc, values, term), &length))
            length = UINT64_MAX;
    }
    return length;
}

/* Return the text for the length of an axis: its own name unless `lengths` has another. */
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
