/* SPDX-License-Identifier: Apache-2.0
 * csv.c - writes one tensor as comma-separated values (RFC 4180, lines end with LF) with a
 * header row: the last axis is columns (cos_0, cos_1, ...) unless it is the only one. The other
 * axes are columns of their own: of positions where a parameter has them (pos), else of indices
 * from 0 (heads_index). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/output/text_rows.h"
#include "proto/text/elements.h"

struct csv {
    uint64_t named; /* column names written so far */
    bool titled;    /* the header row is complete */
    const struct pe_tensor_info *tensor;
    const struct pe_positions *positions[PE_MAX_RANK]; /* of each axis that has some, or NULL */
    struct text_rows cells;
};

/* Returns the number of axes that are columns of their own. */
static size_t index_columns(const struct pe_tensor_info *tensor)
{
    return tensor->rank > 1 ? tensor->rank - 1 : tensor->rank;
}

/* Returns the index along axis `axis` of row `row`, in C order of these axes. */
static uint64_t index_of(const struct pe_tensor_info *tensor, uint64_t row, size_t axis)
{
    for (size_t i = index_columns(tensor) - 1; i > axis; i--)
        row /= tensor->dims[i];
    return row % tensor->dims[axis];
}

/* Returns whether the output has as many axes as its row declares. */
static bool has_all_axes(const struct pe_tensor_info *tensor)
{
    size_t count = 0;

    while (count < PE_MAX_RANK && tensor->output->axes[count])
        count++;
    return count == tensor->rank && count > 0;
}

/* Returns whether the axes have names; "...", which stands for some axes, is none. */
static bool has_names(const struct pe_tensor_info *tensor)
{
    return has_all_axes(tensor) && strcmp(tensor->output->axes[0], "...") != 0;
}

/* Returns whether the output has the shape of a tensor of the client, which has its name. */
static bool is_of_client(const struct encoder *encoder, const struct pe_tensor_info *tensor)
{
    const char *name = tensor->output->name;

    return pe_param_find(pe_args_encoding(pe_plan_args(encoder->plan)), name, strlen(name));
}

/* Returns the name of the positions that an axis may have; NULL: none. A table that is looked
 * up has a row for each position of `pos` where "..." is one axis. */
static const char *positions_name(const struct encoder *encoder,
                                  const struct pe_tensor_info *tensor, size_t axis)
{
    if (has_names(tensor))
        return tensor->output->axes[axis];
    return axis == 0 && has_all_axes(tensor) && !is_of_client(encoder, tensor) ? "pos" : NULL;
}

/* Counts the rows, also without columns: the plan's checks have limited their number. */
static uint64_t count_rows(const struct pe_tensor_info *tensor)
{
    uint64_t rows = 1;

    for (size_t i = 0; i < index_columns(tensor); i++)
        rows *= tensor->dims[i];
    return rows;
}

static char *print_position(char *out, double position)
{
    bool nonfinite = false;

    return position == trunc(position) /* within 2^53 */
               ? out + snprintf(out, 24, "%" PRId64, (int64_t)position)
               : elements_print(out, PE_F64, &position, 1, false, &nonfinite);
}

static char *open_row(const struct text_rows *cells, char *out)
{
    const struct csv *csv = cells->context;
    const struct pe_tensor_info *tensor = csv->tensor;

    for (size_t i = 0; i < index_columns(tensor); i++) {
        const uint64_t index = index_of(tensor, cells->row, i);

        if (i > 0)
            *out++ = ',';
        out = csv->positions[i] ? print_position(out, pe_positions_at(csv->positions[i], index))
                                : out + snprintf(out, 24, "%" PRIu64, index);
    }
    if (index_columns(tensor) > 0 && cells->cols > 0)
        *out++ = ',';
    return out;
}

static char *close_row(const struct text_rows *cells, char *out)
{
    *out++ = '\n';
    return out;
}

/* Finds the positions along an axis. */
static const struct pe_positions *positions_of(const struct encoder *encoder,
                                               const struct pe_tensor_info *tensor, size_t axis)
{
    const char *name = positions_name(encoder, tensor, axis);
    const struct pe_positions *positions =
        name ? pe_args_positions(pe_plan_args(encoder->plan), name) : NULL;

    return positions && pe_positions_count(positions) == tensor->dims[axis] ? positions : NULL;
}

static enum pe_status begin(struct encoder *encoder)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, 0);
    struct csv *csv = calloc(1, sizeof *csv);

    if (!csv)
        return PE_NO_MEMORY;
    csv->cells = (struct text_rows){.rows = count_rows(tensor),
                                    .cols = tensor->rank > 1 ? tensor->cols : 1,
                                    .open = open_row,
                                    .close = close_row,
                                    .context = csv};
    csv->tensor = tensor;
    encoder->state = csv;
    bool named = has_names(tensor);
    for (size_t i = 0; i < index_columns(tensor); i++) {
        csv->positions[i] = positions_of(encoder, tensor, i);
        buffer_add_text(&encoder->head, i == 0 ? "" : ",");
        if (csv->positions[i])
            buffer_add_text(&encoder->head, positions_name(encoder, tensor, i));
        else if (named)
            buffer_add_format(&encoder->head, "%s_index", tensor->output->axes[i]);
        else
            buffer_add_format(&encoder->head, "axis_%zu_index", i);
    }
    return PE_OK;
}

static void end(struct encoder *encoder)
{
    free(encoder->state);
}

/* Writes the names of the value columns: "cos_0,cos_1"; the only one is "cos". */
static size_t name_columns(struct csv *csv, const struct pe_tensor_info *tensor, char *out,
                           size_t capacity)
{
    char *at = out;
    bool separate = index_columns(tensor) > 0;

    while (csv->named < csv->cells.cols && (size_t)(at - out) + TEXT_ROWS_EDGE_MAX < capacity) {
        at += snprintf(at, TEXT_ROWS_EDGE_MAX, "%s%s", separate || csv->named > 0 ? "," : "",
                       tensor->output->name);
        if (tensor->rank > 1)
            at += snprintf(at, 24, "_%" PRIu64, csv->named);
        csv->named++;
    }
    if (csv->named == csv->cells.cols && (size_t)(at - out) < capacity) {
        *at++ = '\n';
        csv->titled = true;
    }
    return (size_t)(at - out);
}

static size_t read(struct encoder *encoder, char *out, size_t capacity)
{
    struct csv *csv = encoder->state;
    size_t used = 0;

    if (encoder->at < encoder->head.len)
        used = encoder_read_head(encoder, out, capacity);
    if (!csv->titled && encoder->at == encoder->head.len)
        used +=
            name_columns(csv, pe_plan_tensor(encoder->plan, 0), out + used, capacity - used);
    return csv->titled
               ? used + text_rows_read(&csv->cells, encoder, out + used, capacity - used)
               : used;
}

static const char *const accepts[] = {"text/csv", NULL};

const struct format format_csv = {
    .name = "csv",
    .media_type = "text/csv; charset=utf-8; header=present",
    .accepts = accepts,
    .extension = "csv",
    .summary = "one tensor as a table with a header row",
    .readable = true,
    .wire_version = 3,
    .single = true,
    .read = read,
    .begin = begin,
    .end = end,
};
