/* SPDX-License-Identifier: Apache-2.0
 * shape.c - the shape of an output, from the parameters that its axes are named after, and the
 * largest value of an integer one. */
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
        return args_is_absent(p, field) ? 0 : (uint64_t) * (const int64_t *)field;
    case PE_POSITIONS:
        return args_is_absent(p, field)
                   ? 0
                   : pe_positions_count(*(const struct pe_positions *const *)field);
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

/* Returns the value of a number or a parameter in a text of `lengths`: "3", "dim", "w2.0",
 * "dim/2". */
static uint64_t read_value(const struct pe_encoding *enc, const void *values, const char *text)
{
    char *rest;
    const uint64_t number = strtoull(text, &rest, 10);
    const size_t len = strcspn(text, "./*+-|?");
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

/* Returns a factor: of values with a bar between them, "anchors.0|sets", the first that is not
 * 0. */
static uint64_t read_factor(const struct pe_encoding *enc, const void *values, const char *text)
{
    uint64_t length = read_value(enc, values, text);

    for (text += strcspn(text, "*+-|"); length == 0 && *text == '|';
         text += strcspn(text, "*+-|"))
        length = read_value(enc, values, ++text);
    return length;
}

/* Returns a product: "dim", "2*w", "arity*depth". */
static uint64_t read_term(const struct pe_encoding *enc, const void *values, const char *text)
{
    uint64_t product = read_factor(enc, values, text);

    for (text += strcspn(text, "*+-"); *text == '*'; text += strcspn(text, "*+-"))
        if (__builtin_mul_overflow(product, read_factor(enc, values, ++text), &product))
            product = UINT64_MAX;
    return product;
}

/* Returns a sum: "dim", "grid+cls_token", "2*window.0-1". */
static uint64_t read_length(const struct pe_encoding *enc, const void *values, const char *text)
{
    uint64_t sum = read_term(enc, values, text);

    for (text += strcspn(text, "+-"); *text; text += strcspn(text, "+-")) {
        const bool minus = *text++ == '-';
        const uint64_t term = read_term(enc, values, text);

        if (minus)
            sum -= term;
        else if (__builtin_add_overflow(sum, term, &sum))
            sum = UINT64_MAX;
    }
    return sum;
}

/* Returns what follows a name and a sign; NULL: the text begins with another name. */
static const char *after(const char *text, const char *name, char sign)
{
    const size_t len = strlen(name);

    return strncmp(text, name, len) == 0 && text[len] == sign ? text + len + 1 : NULL;
}

/* Returns the text for the length of an output's axis: its own name unless `lengths` has
 * another for the output, or for all. */
static const char *text_of(const struct pe_encoding *enc, size_t output, const char *axis)
{
    const char *found = axis, *own;

    for (const char *const *row = enc->lengths; row && *row; row++) {
        if ((own = after(*row, enc->outputs[output].name, '.')) && after(own, axis, '='))
            return after(own, axis, '=');
        if (after(*row, axis, '='))
            found = after(*row, axis, '=');
    }
    return found;
}

/* Returns whether the axis is left out: "pos?" without pos. */
static bool is_left_out(const struct pe_encoding *enc, const void *values, const char *text)
{
    const char *mark = strchr(text, '?');
    const size_t at = mark ? args_find(enc, text, (size_t)(mark - text)) : SIZE_MAX;

    return at != SIZE_MAX &&
           args_is_absent(&enc->params[at], (const char *)values + enc->params[at].offset);
}

size_t pe_output_shape(const struct pe_encoding *enc, const struct pe_args *args,
                       const void *values, size_t output, uint64_t dims[PE_MAX_RANK])
{
    const char *const *axes = enc->outputs[output].axes;
    size_t rank = 0;

    if (enc->shape)
        return enc->shape(args, values, output, dims);
    if (axes[0] && strcmp(axes[0], "...") == 0) {
        const struct pe_param *param = args_tensor(args, output);
        const struct pe_tensor *tensor = (const void *)((const char *)values + param->offset);

        memcpy(dims, tensor->dims, tensor->rank * sizeof *dims);
        return tensor->rank;
    }
    for (size_t axis = 0; axis < PE_MAX_RANK && axes[axis]; axis++) {
        const char *text = text_of(enc, output, axes[axis]);

        if (!is_left_out(enc, values, text))
            dims[rank++] = read_length(enc, values, text);
    }
    return rank;
}

bool pe_output_most(const struct pe_encoding *enc, const void *values, size_t output,
                    double *most)
{
    for (const char *const *row = enc->most; row && *row; row++) {
        const char *text = after(*row, enc->outputs[output].name, '=');

        if (text) {
            *most = (double)read_length(enc, values, text);
            return true;
        }
    }
    return false;
}
