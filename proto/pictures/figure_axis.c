/* SPDX-License-Identifier: Apache-2.0
 * figure_axis.c - names of axes from the tables, values from the arguments. */
#include "proto/pictures/figure_axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/args_parse.h"

/* Returns the word of core/axes.def for an axis of the tensor; NULL where the client's tensor
 * has an axis that nobody named. Leading axes of vectors are declared as one, "...". */
static const char *name_of(const struct pe_tensor_info *tensor, size_t axis)
{
    const char *const *axes = tensor->output->axes;
    size_t declared = 0;

    while (declared < PE_MAX_RANK && axes[declared])
        declared++;
    if (declared == tensor->rank && strcmp(axes[0], "...") != 0)
        return axes[axis];
    const size_t from_end = tensor->rank - axis;
    return from_end < declared ? axes[declared - from_end] : NULL;
}

static const struct pe_value *value_of(const struct pe_args *args, const char *name)
{
    for (size_t i = 0; i < pe_args_value_count(args); i++)
        if (strcmp(pe_args_value(args, i)->name, name) == 0)
            return pe_args_value(args, i);
    return NULL;
}

/* Reads the positions of value number i, whose text may be long. */
static enum pe_status read_positions(struct pe_positions **positions,
                                     const struct pe_args *args, size_t i,
                                     const struct pe_param *param)
{
    const size_t len = pe_args_print(args, i, NULL, 0);
    char *text = malloc(len + 1);
    struct pe_errors errors = {.count = 0};

    if (!text)
        return PE_NO_MEMORY;
    (void)pe_args_print(args, i, text, len + 1);
    const enum pe_status status = pe_parse_text(param, positions, text, len, &errors);
    free(text);
    return status;
}

/* Finds the positions that the entries of the axis stand for: those of the parameter of the
 * same name, if it has as many. Tokens stand at `pos`. */
static enum pe_status find_positions(struct figure_axis *axis, const struct pe_args *args,
                                     const char *name)
{
    const char *wanted = strcmp(name, "token") == 0 ? "pos" : name;
    const struct pe_param *param =
        pe_param_find(pe_args_encoding(args), wanted, strlen(wanted));
    enum pe_status status = PE_OK;

    if (!param || param->type != PE_POSITIONS)
        return PE_OK;
    for (size_t i = 0; i < pe_args_value_count(args); i++)
        if (strcmp(pe_args_value(args, i)->name, param->name) == 0)
            status = read_positions(&axis->positions, args, i, param);
    if (axis->positions && pe_positions_count(axis->positions) != axis->count)
        pe_parse_drop(param, &axis->positions);
    return status == PE_NO_MEMORY ? PE_NO_MEMORY : PE_OK;
}

static const char *label_of(const struct pe_args *args, const struct pe_tensor_info *tensor,
                            size_t axis, const char *name)
{
    const struct pe_axis *row = name ? pe_axis_find(name) : NULL;
    const struct pe_value *width = value_of(args, "width");

    if (axis == tensor->rank - 1 && tensor->output->columns == PE_COLUMN_PAIRED && width &&
        width->text && strcmp(width->text, "half") == 0)
        return pe_axis_find("pair") ? "pair" : name;
    return row ? row->label : "";
}

enum pe_status figure_axis_make(struct figure_axis *made, const struct pe_args *args,
                                const struct pe_tensor_info *tensor, size_t axis)
{
    const char *name = name_of(tensor, axis);
    enum pe_status status = PE_OK;

    *made = (struct figure_axis){.label = label_of(args, tensor, axis, name),
                                 .count = tensor->dims[axis],
                                 .even = true,
                                 .step = 1};
    if (name)
        status = find_positions(made, args, name);
    if (!made->positions || made->count == 0)
        return status;
    const struct pe_run run = pe_positions_run(made->positions, 0);
    made->even = run.left == made->count && (run.step != 0 || made->count == 1);
    made->first = run.first;
    made->step = run.step != 0 ? (double)run.step : 1;
    return status;
}

void figure_axis_fini(struct figure_axis *axis)
{
    static const struct pe_param row = {.type = PE_POSITIONS};

    if (axis->positions)
        pe_parse_drop(&row, &axis->positions);
}

size_t figure_axis_marks(const struct figure_axis *axis, double about,
                         struct figure_mark marks[TICK_MAX])
{
    const double last = (double)(axis->count - 1);
    const double ends[] = {axis->first, axis->first + last * axis->step};
    double ticks[TICK_MAX];
    size_t count = axis->even ? tick_linear(fmin(ends[0], ends[1]), fmax(ends[0], ends[1]),
                                            about, floor(axis->first) == axis->first, ticks)
                              : tick_linear(0, last, about, true, ticks);

    for (size_t i = 0; i < count; i++) {
        const double value =
            axis->even ? ticks[i] : pe_positions_at(axis->positions, (uint64_t)ticks[i]);

        marks[i].at = axis->even ? (ticks[i] - axis->first) / axis->step : ticks[i];
        tick_print(value, 9, marks[i].text);
    }
    return count;
}

bool figure_axis_alike(const struct pe_tensor_info *tensor, size_t axis, size_t other)
{
    static const char *const pairs[][2] = {
        {"q", "k"},       {"q_block", "k_block"},   {"pos", "pos"},
        {"dim", "dim"},   {"row", "column"},        {"h", "w"},
        {"dy", "dx"},     {"from_node", "to_node"}, {"token", "token"},
        {"node", "node"},
    };
    const char *first = name_of(tensor, axis), *second = name_of(tensor, other);

    for (size_t i = 0; first && second && i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(first, pairs[i][0]) == 0 && strcmp(second, pairs[i][1]) == 0)
            return true;
    return false;
}
