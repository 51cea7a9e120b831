/* SPDX-License-Identifier: Apache-2.0
 * mistake_table.c - a table that should be resized: its first rows, or a part of its grid, were
 * taken as they are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/verify/mistake/mistakes.h"

enum { ROWS_MOST = 2048 };
#define OF_ELEMENT 2.0 /* operations to read an element of the table and compare it */

/* Copies of float32 are the same to this, of their size. */
static const double same = 1e-6;

/* The table of the claim, and for each row of the tensor the row of the table that it is. */
struct cut {
    const struct view *table;
    uint64_t rows, cols, *source;
    uint64_t prefix; /* rows before those that are resized, which stay */
    struct row_buffer row, other;
};

/* Returns the table that the encoding resizes; NULL if it resizes none. */
static const struct view *find_table(const struct candidate *base)
{
    size_t number = 0;

    if (!claim_text(base->claim, "interpolation"))
        return NULL;
    for (size_t i = 0; i < base->enc->param_count; i++) {
        const struct pe_param *param = &base->enc->params[i];

        if (param->type != PE_TENSOR)
            continue;
        if (param->table)
            return base->claim->input_view[number];
        number++;
    }
    return NULL;
}

static bool is_row(const struct cut *cut, struct claim *claim, uint64_t row)
{
    uint64_t col = 0;

    claim->operations += OF_ELEMENT * (double)cut->cols;
    view_row(cut->table, row, cut->other);
    while (col < cut->cols &&
           fabs(cut->row.at[col] - cut->other.at[col]) <= same * fabs(cut->other.at[col]))
        col++;
    return col == cut->cols;
}

/* Returns whether so many rows of the tensor, from row `at` on, are those of the table from
 * row `first` on. */
static bool is_run(struct cut *cut, const struct candidate *base, uint64_t at, uint64_t count,
                   uint64_t first)
{
    const uint64_t rows = view_rows(cut->table);

    for (uint64_t i = 0; i < count; i++) {
        if (first >= rows || i >= rows - first)
            return false;
        view_row(&base->view[0], at + i, cut->row);
        if (!is_row(cut, base->claim, first + i))
            return false;
    }
    return true;
}

/* Returns the row of the table where a run of the tensor begins: the expected one, since rows
 * may be equal, or the first from `next` on; the number of rows where there is none. */
static uint64_t find_run(struct cut *cut, const struct candidate *base, uint64_t at,
                         uint64_t count, uint64_t expected, uint64_t next)
{
    const uint64_t rows = view_rows(cut->table);
    uint64_t first = next;

    if (expected >= next && is_run(cut, base, at, count, expected))
        return expected;
    while (first < rows && !is_run(cut, base, at, count, first))
        first++;
    return first;
}

/* Finds the rows of the table for the prefix of the tensor, and for each run of one width
 * behind it; false where one has none. Runs rise, and begin as far from each other as the first
 * two. */
static bool find_rows(struct cut *cut, const struct candidate *base, uint64_t width)
{
    uint64_t next = 0, apart = width;

    for (uint64_t at = 0, count; at < cut->rows; at += count, next += count) {
        const bool prefix = at < cut->prefix;

        count = prefix ? cut->prefix : width;
        if (count > cut->rows - at)
            return false;
        const uint64_t before = at >= cut->prefix + width ? cut->source[at - width] : next;
        next = find_run(cut, base, at, count, at >= cut->prefix + width ? before + apart : next,
                        next);
        if (next == view_rows(cut->table))
            return false;
        for (uint64_t i = 0; i < count; i++)
            cut->source[at + i] = next + i;
        if (at == cut->prefix + width)
            apart = next - before;
    }
    return true;
}

/* Returns the width of the grid of the rows; all rows where they are no grid. */
static uint64_t width_of(const struct candidate *base, uint64_t rows)
{
    for (size_t i = 0; i < base->enc->param_count; i++) {
        const struct pe_param *param = &base->enc->params[i];
        const struct pe_grid *grid = (const void *)(base->args->data + param->offset);

        if (param->type == PE_GRID && claim_text(base->claim, param->name) &&
            (uint64_t)(grid->height * grid->width) == rows)
            return (uint64_t)grid->width;
    }
    return rows;
}

/* Returns whether the sources after the prefix are a run, or a part of a grid: runs of one
 * width, which begin *apart rows of the table from each other. */
static bool is_part(const struct cut *cut, uint64_t width, uint64_t *apart)
{
    const uint64_t *source = cut->source + cut->prefix, rows = cut->rows - cut->prefix;

    for (uint64_t i = 0; i < cut->prefix; i++)
        if (cut->source[i] != i)
            return false;
    *apart = rows > width ? source[width] - source[0] : 0;
    for (uint64_t i = 0; i < rows; i++)
        if (source[i] != source[0] + i / width * *apart + i % width)
            return false;
    return true;
}

static void say(struct candidate *made, const struct cut *cut, uint64_t width, uint64_t apart)
{
    const unsigned long long first = cut->source[cut->prefix] - cut->prefix;
    const unsigned long long rows = cut->rows - cut->prefix;

    if (apart == 0 || apart == width)
        snprintf(
            made->says, sizeof made->says,
            "the rows are the table's own rows %llu:%llu, cut out and not resized: nothing "
            "was interpolated",
            first + cut->prefix, first + cut->prefix + rows);
    else
        snprintf(made->says, sizeof made->says,
                 "the rows are a part of the table as it is, cut out and not resized: rows "
                 "%llu:%llu and columns %llu:%llu of its grid of %llu columns, %s; nothing was "
                 "interpolated",
                 first / apart, first / apart + rows / width, first % apart,
                 first % apart + width, (unsigned long long)apart,
                 first == 0 ? "the top left" : "not the whole");
}

/* Makes the candidate of the rows of the table. */
static struct candidate *make(const struct candidate *base, const struct cut *cut)
{
    struct candidate *made = mistakes_map(base, MAP_NUMBERS);

    if (!made)
        return NULL;
    made->numbers = row_buffer_new(cut->rows * cut->cols, &base->claim->failed);
    for (uint64_t i = 0; made->numbers.at && i < cut->rows; i++)
        view_row(cut->table, cut->source[i],
                 row_buffer_part(made->numbers, i * cut->cols, cut->cols));
    if (made->numbers.at)
        return made;
    candidate_free(made);
    return NULL;
}

struct candidate *mistake_table_cut(const struct candidate *base, size_t variant)
{
    struct cut cut = {.table = find_table(base),
                      .rows = candidate_rows(base, 0),
                      .cols = candidate_cols(base, 0)};
    struct candidate *made = NULL;
    const char *prefix = claim_text(base->claim, "prefix_tokens");
    uint64_t apart;

    cut.prefix = prefix ? strtoull(prefix, NULL, 10) : 0;
    if (!cut.table || view_cols(cut.table) != cut.cols || cut.rows <= cut.prefix ||
        cut.rows > ROWS_MOST || view_rows(cut.table) > ROWS_MOST || base->warped ||
        base->changes.count > 0 || base->rows || base->columns ||
        base->claim->subject_count != 1)
        return NULL;
    const uint64_t width = width_of(base, cut.rows - cut.prefix);
    const struct row_buffer memory = row_buffer_new(2 * cut.cols, &base->claim->failed);
    cut.source = claim_memory(base->claim, cut.rows, sizeof *cut.source);
    if (memory.at && cut.source) {
        cut.row = row_buffer_part(memory, 0, cut.cols);
        cut.other = row_buffer_part(memory, cut.cols, cut.cols);
        if (find_rows(&cut, base, width) && is_part(&cut, width, &apart))
            made = make(base, &cut);
    }
    if (made)
        say(made, &cut, width, apart);
    free(memory.at);
    free(cut.source);
    return made;
}
