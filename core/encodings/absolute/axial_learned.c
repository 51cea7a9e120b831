/* SPDX-License-Identifier: Apache-2.0
 * axial_learned.c - two learned tables, one for the rows of a grid, one for its columns.
 *
 *     reformer:   [ R[floor(p / n)] | C[p mod n] ],  n rows of C
 *     detr:       [ C[x] | R[y] ],  x first
 *     pix2struct: R[y] + C[x]       (NaViT's factorised embedding too)
 *
 * Kitaev et al. 2020, Reformer, and transformers modeling_reformer.py; facebookresearch/detr
 * models/position_encoding.py, PositionEmbeddingLearned; transformers modeling_pix2struct.py;
 * Dehghani et al. 2023, NaViT.
 */
#include "core/encoding.h"
#include "core/encodings/absolute/combine.h"
#include "core/math/tensor_row.h"

enum { ROWS };
enum { REFORMER, DETR, PIX2STRUCT };
enum { ROW_TABLE, COL_TABLE }; /* indices of the input tensors */
enum { CHUNK = 128 };

struct axial_learned {
    struct combine combine; /* parameters of axial-learned/apply */
    struct pe_tensor row_table, col_table;
    int method;
    const struct pe_positions *pos;
    struct pe_grid grid;
};

/* The parameters of the /apply twin come last. */
static const struct pe_param params[] = {
    {PE_FIELD(struct axial_learned, row_table), .type = PE_TENSOR, .table = true,
     .required = true, PE_OWN("posenc", WEIGHTS, BASIC),
     .summary = "the learned table of the grid's rows, a vector a row: 1,2;3,5"},
    {PE_FIELD(struct axial_learned, col_table), .type = PE_TENSOR, .table = true,
     .required = true, PE_OWN("posenc", WEIGHTS, BASIC),
     .summary = "the learned table of the grid's columns, a vector a column: 1,2;3,5"},
    {PE_FIELD(struct axial_learned, method),
     PE_CHOICES(
         PE_ONE_AT(
             REFORMER, "reformer",
             "[row vector | column vector] of a position p: row p / n and column p mod n, n "
             "the rows of col_table"),
         PE_ONE_AT_WITH(DETR, "detr", "[column vector | row vector] of each cell of a grid",
                        "pos=&grid=2x2"),
         [PIX2STRUCT] = {"pix2struct", PE_WORDS("navit", "factorised"),
                         "row vector + column vector of each cell of a grid", NULL,
                         "pos=&grid=2x2&x=1,0;0,1;1,0;0,1"}),
     .summary = "model whose rule joins the two vectors: side by side or added"},
    {PE_FIELD(struct axial_learned, pos), .type = PE_POSITIONS, .required = true,
     .unit = "positions", .when = "method=reformer",
     .summary = "positions on the grid of both tables, counted row by row, as 0:128"},
    {PE_FIELD(struct axial_learned, grid), .type = PE_GRID, .required = true,
     .when = "!method=reformer", .summary = "cells that are wanted, HEIGHTxWIDTH, as 14x14"},
    COMBINE_ROWS_ALONE(struct axial_learned),
};

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_F32, "pos", "dim"), .label = "Rows", .one_of = "pos|grid",
              .summary = "a row a position, or a cell of the grid, row by row",
              .by_default = true, .bound = "0.501 ULP of the tables' numbers; f64 1 ULP"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static void check_places(const struct axial_learned *v, struct pe_errors *errors)
{
    uint64_t rows = v->row_table.dims[0], cols = v->col_table.dims[0];
    double low, high, most = (double)rows * (double)cols - 1;

    if (v->method != REFORMER && (uint64_t)v->grid.height <= rows &&
        (uint64_t)v->grid.width <= cols)
        return;
    if (v->method != REFORMER) {
        pe_fail(errors, PE_OUT_OF_RANGE, "grid",
                "must be at most %llux%llu, the rows of the tables; got %lldx%lld",
                (unsigned long long)rows, (unsigned long long)cols, (long long)v->grid.height,
                (long long)v->grid.width);
        return;
    }
    pe_positions_range(v->pos, &low, &high);
    if (low >= 0 && high <= most)
        return;
    pe_fail(errors, PE_OUT_OF_RANGE, "pos",
            "must be 0..%.0f, rows of row_table times rows of col_table; got %.0f", most,
            low < 0 ? low : high);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct axial_learned *v = values;

    tensor_row_check(&v->row_table, "row_table", "rows,dim", errors);
    if (errors->count == 0)
        tensor_row_check(&v->col_table, "col_table", "rows,dim", errors);
    if (errors->count > 0)
        return;
    if (v->method == PIX2STRUCT && v->row_table.dims[1] != v->col_table.dims[1])
        pe_fail(errors, PE_CONFLICT, "col_table",
                "must be as wide as row_table, %llu, to be added to it; got %llu",
                (unsigned long long)v->row_table.dims[1],
                (unsigned long long)v->col_table.dims[1]);
    else
        check_places(v, errors);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct axial_learned *v = values;

    dims[0] = v->method == REFORMER ? pe_positions_count(v->pos)
                                    : (uint64_t)v->grid.height * (uint64_t)v->grid.width;
    dims[1] = v->row_table.dims[1] + (v->method == PIX2STRUCT ? 0 : v->col_table.dims[1]);
    return 2;
}

/* ---- a row ------------------------------------------------------------------------------- */

/* Finds the row and the column of place number i. */
static void locate(const struct axial_learned *v, uint64_t i, uint64_t *row, uint64_t *col)
{
    uint64_t width = v->method == REFORMER ? v->col_table.dims[0] : (uint64_t)v->grid.width;
    uint64_t place = v->method == REFORMER ? (uint64_t)pe_positions_at(v->pos, i) : i;

    *row = place / width;
    *col = place % width;
}

struct part { /* one table's half of a row */
    const struct pe_tensor *table;
    const void *data;
    uint64_t row;
};

/* Writes columns [col, col + cols) of a row whose two halves stand side by side. */
static void fill_beside(const struct part *first, const struct part *second, uint64_t col,
                        uint64_t cols, double *out)
{
    uint64_t width = first->table->dims[1];
    uint64_t left = col >= width ? 0 : width - col < cols ? width - col : cols;

    if (left > 0)
        tensor_row(first->table, first->data, first->row, col, left, out);
    if (left < cols)
        tensor_row(second->table, second->data, second->row, col + left - width, cols - left,
                   out + left);
}

static void fill_sum(const struct part *first, const struct part *second, uint64_t col,
                     uint64_t cols, double *out)
{
    double more[CHUNK];

    tensor_row(first->table, first->data, first->row, col, cols, out);
    for (uint64_t done = 0; done < cols; done += CHUNK) {
        uint64_t some = cols - done < CHUNK ? cols - done : CHUNK;

        tensor_row(second->table, second->data, second->row, col + done, some, more);
        for (uint64_t i = 0; i < some; i++)
            out[done + i] += more[i];
    }
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct axial_learned *v = state;

    for (uint64_t i = 0; out[0] && i < rect->rows; i++) {
        struct part row = {&v->row_table, input[ROW_TABLE], 0};
        struct part col = {&v->col_table, input[COL_TABLE], 0};
        double *to = out[0] + i * rect->cols;

        locate(v, rect->row + i, &row.row, &col.row);
        if (v->method == PIX2STRUCT)
            fill_sum(&row, &col, rect->col, rect->cols, to);
        else if (v->method == DETR)
            fill_beside(&col, &row, rect->col, rect->cols, to);
        else
            fill_beside(&row, &col, rect->col, rect->cols, to);
    }
}

static const struct pe_filler filler = {.reference = fill, .ns_per_element = 2};

const struct pe_encoding pe_encoding_axial_learned = {
    .name = "axial-learned",
    .title = "Axial learned embeddings",
    .formula =
        "reformer: rows[p] = [row_table[p / n] | col_table[p mod n]], n = rows of col_table\n"
        "detr: rows[y, x] = [col_table[x] | row_table[y]]\n"
        "pix2struct: rows[y, x] = row_table[y] + col_table[x]",
    .when_to_use =
        "Tables of height + width vectors in place of height * width: long texts in "
        "Reformer, images in DETR with learned positions, images of any shape in Pix2Struct "
        "and NaViT. For one table a position take learned.",
    .what_goes_wrong =
        "DETR puts the column before the row, unlike its sines, where the row comes first. "
        "Reformer cuts positions by the length of its second table, so that a table of "
        "another length moves all positions. NaViT and Pix2Struct add the two vectors: side "
        "by side, the width would double.",
    .picture =
        "row_table=0,1,0,-1;1,1,-1,0;2,0,-1,1;3,-1,0,1&col_table=0,0,2,1;0,1,1,2;0,2,0,3;1,3,"
        "1,2;1,2,2,1;1,1,3,0;2,0,2,1;2,1,1,2&pos=0:32",
    .summary = "two learned tables, of rows and of columns: Reformer, DETR, Pix2Struct",
    .source = "Kitaev et al. 2020, Reformer; facebookresearch/detr position_encoding.py, "
              "PositionEmbeddingLearned; transformers modeling_pix2struct.py",
    .examples = PE_WORDS("row_table=1;2&col_table=3;5;7&pos=0:6",
                         "row_table=1;2&col_table=3;5;7&method=detr&grid=2x3",
                         "row_table=1;2&col_table=3;5;7&method=pix2struct&grid=2x3"),
    .family = PE_ABSOLUTE,
    .kind = PE_INPUT,
    PE_TABLES_PART(struct axial_learned, params, 0, PE_LEN(params) - COMBINE_COUNT_ALONE,
                   outputs),
    .check = check,
    .shape = shape,
    .filler = &filler,
};

const struct pe_encoding pe_encoding_axial_learned_apply = {
    .name = "axial-learned/apply",
    .title = "Vectors with axial learned embeddings",
    .picture = "row_table=1,0;0,1&col_table=2,0;0,2&pos=0:4&x=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1",
    .summary = "embeddings with the rows of two learned tables added, put beside or multiplied",
    .source = "Kitaev et al. 2020, Reformer; transformers modeling_reformer.py",
    .examples = PE_WORDS("row_table=1;2&col_table=3;5&pos=1&x=1,2",
                         "row_table=1;2&col_table=3;5&grid=1x1&method=detr&x=1,2&"
                         "combine=concat"),
    COMBINE_APPLY(struct axial_learned, pe_encoding_axial_learned, PE_ABSOLUTE, 0, NULL),
};
