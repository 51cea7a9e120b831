/* SPDX-License-Identifier: Apache-2.0
 * csv.c - writes one tensor as comma-separated values (RFC 4180, lines end with LF) with a
 * header row: the last axis is columns (cos_0, cos_1, ...), the other axes are columns of
 * indices from 0 (pos_index 0 is the first requested position, whatever its value is). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/output/text_rows.h"

struct csv {
    uint64_t named; /* column names written so far */
    bool titled;    /* the header row is complete */
    struct text_rows cells;
};

/* Returns the index along axis `axis` of row `row`, in C order without the last axis. */
static uint64_t index_of(const struct pe_tensor_info *tensor, uint64_t row, size_t axis)
{
    for (size_t i = tensor->rank - 2; i > axis; i--)
        row /= tensor->dims[i];
    return row % tensor->dims[axis];
}

static size_t index_columns(const struct pe_tensor_info *tensor)
{
    return tensor->rank > 0 ? tensor->rank - 1 : 0;
}

/* Returns whether the axes have names; those of a client's tensor ("...", "dim") have none. */
static bool has_names(const struct pe_tensor_info *tensor)
{
    const char *const *axes = tensor->output->axes;
    size_t count = 0;

    while (count < PE_MAX_RANK && axes[count])
        count++;
    return count == tensor->rank && count > 0 && strcmp(axes[0], "...") != 0;
}

/* Counts the rows, also without columns: the plan's checks have limited their number. */
static uint64_t count_rows(const struct pe_tensor_info *tensor)
{
    uint64_t rows = 1;

    for (size_t i = 0; i < index_columns(tensor); i++)
        rows *= tensor->dims[i];
    return rows;
}

static char *open_row(const struct text_rows *cells, char *out)
{
    const struct pe_tensor_info *tensor = cells->context;

    for (size_t i = 0; i < index_columns(tensor); i++)
        out +=
            snprintf(out, 24, "%s%" PRIu64, i == 0 ? "" : ",", index_of(tensor, cells->row, i));
    if (index_columns(tensor) > 0 && cells->cols > 0)
        *out++ = ',';
    return out;
}

static char *close_row(const struct text_rows *cells, char *out)
{
    *out++ = '\n';
    return out;
}

static enum pe_status begin(struct encoder *encoder)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, 0);
    struct csv *csv = calloc(1, sizeof *csv);

    if (!csv)
        return PE_NO_MEMORY;
    csv->cells = (struct text_rows){.rows = count_rows(tensor),
                                    .cols = tensor->cols,
                                    .open = open_row,
                                    .close = close_row,
                                    .context = tensor};
    encoder->state = csv;
    bool named = has_names(tensor);
    for (size_t i = 0; i < index_columns(tensor); i++) {
        buffer_add_text(&encoder->head, i == 0 ? "" : ",");
        if (named)
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

static uint64_t size(const struct encoder *encoder)
{
    return FORMAT_UNKNOWN;
}

/* Writes the names of the value columns: "cos_0,cos_1"; a scalar's is "cos". */
static size_t name_columns(struct csv *csv, const struct pe_tensor_info *tensor, char *out,
                           size_t capacity)
{
    char *at = out;
    bool separate = index_columns(tensor) > 0;

    while (csv->named < csv->cells.cols && (size_t)(at - out) + TEXT_ROWS_EDGE_MAX < capacity) {
        at += snprintf(at, TEXT_ROWS_EDGE_MAX, "%s%s", separate || csv->named > 0 ? "," : "",
                       tensor->output->name);
        if (tensor->rank > 0)
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
    .wire_version = 1,
    .single = true,
    .size = size,
    .read = read,
    .begin = begin,
    .end = end,
};
