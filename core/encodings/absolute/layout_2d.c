/* SPDX-License-Identifier: Apache-2.0
 * layout_2d.c - learned vectors of the boxes that words have on a page.
 *
 *     version 1: X[x0] + Y[y0] + X[x1] + Y[y1] + H[y1 - y0] + W[x1 - x0]
 *     version 3: [ X[x0] | Y[y0] | X[x1] | Y[y1] | H[y1 - y0] | W[x1 - x0] ], sides 0..1023
 *     patches of an image: lines g[k] = floor(1000 k / size); the first box is (1, 1, 999, 999)
 *
 * Xu et al. 2019, LayoutLM; Huang et al. 2022, LayoutLMv3; transformers modeling_layoutlm.py
 * and modeling_layoutlmv3.py (visual_bbox).
 */
#include "core/encoding.h"
#include "core/math/number/elementary.h"
#include "core/math/tensor_row.h"

enum { ROWS };
enum { SUMMED, BESIDE };
enum { X, Y, H, W, TABLES };
enum { PARTS = 6, PAGE = 1000, LAST_SIDE = 1023, CHUNK = 128 };

struct layout_2d {
    struct pe_tensor x_position_embeddings, y_position_embeddings, h_position_embeddings,
        w_position_embeddings;
    struct pe_reals boxes;
    struct pe_grid patches;
    int version;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct layout_2d, x_position_embeddings), .type = PE_TENSOR, .table = true,
     .required = true, PE_OWN("transformers", WEIGHTS, BASIC),
     .summary = "learned table of left and right edges: a vector for each place from 0 on"},
    {PE_FIELD(struct layout_2d, y_position_embeddings), .type = PE_TENSOR, .table = true,
     .required = true, PE_OWN("transformers", WEIGHTS, BASIC),
     .summary = "learned table of upper and lower edges: a vector for each place from 0 on"},
    {PE_FIELD(struct layout_2d, h_position_embeddings), .type = PE_TENSOR, .table = true,
     .required = true, PE_OWN("transformers", WEIGHTS, BASIC),
     .summary = "learned table of heights of boxes, a vector for each height from 0 on"},
    {PE_FIELD(struct layout_2d, w_position_embeddings), .type = PE_TENSOR, .table = true,
     .required = true, PE_OWN("transformers", WEIGHTS, BASIC),
     .summary = "learned table of widths of boxes, a vector for each width from 0 on"},
    {PE_FIELD(struct layout_2d, boxes), .type = PE_REALS, .matrix = true, .required = true,
     .min = 0, .max = PAGE, .multiple_of = 1, .when = "!patches",
     .summary = "boxes as rows of x0,y0,x1,y1 (left, top, right, bottom), one a token, in "
                "thousandths of the page"},
    {PE_FIELD(struct layout_2d, patches), .type = PE_GRID, .optional = true,
     PE_OWN("posenc", POSITIONS, BASIC),
     .summary =
         "patches of an image, HEIGHTxWIDTH, as 14x14, whose boxes take the place of boxes; "
         "the class token comes first"},
    {PE_FIELD(struct layout_2d, version),
     PE_CHOICES(
         PE_ONE_AT(SUMMED, "1", "the six vectors of a box are added (LayoutLM)"),
         PE_ONE_AT(
             BESIDE, "3",
             "the six vectors of a box stand side by side (LayoutLMv2, LayoutLMv3), sides "
             "cut to 0..1023 as in LayoutLMv3")),
     .summary = "version of LayoutLM whose rule joins the six vectors"},
};

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_F32, "box", "dim"), .label = "Rows",
              .one_of = "boxes|patches", .summary = "the encoding of each box",
              .by_default = true, .bound = "0.501 ULP of the tables' numbers; f64 1 ULP"},
};

/* ---- boxes ------------------------------------------------------------------------------- */

static const struct pe_tensor *table_of(const struct layout_2d *v, size_t table)
{
    const struct pe_tensor *tables[TABLES] = {
        [X] = &v->x_position_embeddings,
        [Y] = &v->y_position_embeddings,
        [H] = &v->h_position_embeddings,
        [W] = &v->w_position_embeddings,
    };

    return tables[table];
}

static uint64_t count_boxes(const struct layout_2d *v)
{
    if (v->patches.height == 0)
        return v->boxes.rows;
    return 1 + (uint64_t)v->patches.height * (uint64_t)v->patches.width;
}

struct box {
    int64_t x0, y0, x1, y1;
};

static struct box box_at(const struct layout_2d *v, uint64_t i)
{
    int64_t x, y;

    if (v->patches.height == 0) {
        const double *given = v->boxes.values + i * v->boxes.cols;

        return (struct box){(int64_t)given[0], (int64_t)given[1], (int64_t)given[2],
                            (int64_t)given[3]};
    }
    if (i == 0)
        return (struct box){1, 1, PAGE - 1, PAGE - 1};
    y = (int64_t)(i - 1) / v->patches.width;
    x = (int64_t)(i - 1) % v->patches.width;
    return (struct box){x * PAGE / v->patches.width, y * PAGE / v->patches.height,
                        (x + 1) * PAGE / v->patches.width, (y + 1) * PAGE / v->patches.height};
}

static int64_t side(const struct layout_2d *v, int64_t low, int64_t high)
{
    int64_t length = high - low;

    if (v->version == BESIDE)
        length = length < 0 ? 0 : length > LAST_SIDE ? LAST_SIDE : length;
    return length;
}

/* One term of an output row: a table and the row that is looked up in it. */
struct part {
    size_t table;
    int64_t row;
};

static void list_parts(const struct layout_2d *v, const struct box *box,
                       struct part parts[PARTS])
{
    const struct part list[PARTS] = {
        {X, box->x0},
        {Y, box->y0},
        {X, box->x1},
        {Y, box->y1},
        {H, side(v, box->y0, box->y1)},
        {W, side(v, box->x0, box->x1)},
    };

    for (size_t i = 0; i < PARTS; i++)
        parts[i] = list[i];
}

/* ---- rules ------------------------------------------------------------------------------- */

static enum pe_status check_tables(const struct layout_2d *v, struct pe_errors *errors)
{
    for (size_t i = 0; i < TABLES; i++) {
        const struct pe_tensor *table = table_of(v, i);
        enum pe_status status = tensor_row_check(table, params[i].name, "rows,dim", errors);

        if (status)
            return status;
        if (v->version == SUMMED && table->dims[1] != v->x_position_embeddings.dims[1])
            return pe_fail(errors, PE_CONFLICT, params[i].name,
                           "must be as wide as x_position_embeddings, %llu, to be added; got "
                           "%llu",
                           (unsigned long long)v->x_position_embeddings.dims[1],
                           (unsigned long long)table->dims[1]);
    }
    return PE_OK;
}

static enum pe_status check_box(const struct layout_2d *v, uint64_t i, struct pe_errors *errors)
{
    struct box box = box_at(v, i);
    struct part parts[PARTS];

    if (v->version == SUMMED && (box.x1 < box.x0 || box.y1 < box.y0))
        return pe_fail(errors, PE_BAD_VALUE, "boxes",
                       "must have x0 <= x1 and y0 <= y1; box %llu is %lld,%lld,%lld,%lld",
                       (unsigned long long)i, (long long)box.x0, (long long)box.y0,
                       (long long)box.x1, (long long)box.y1);
    list_parts(v, &box, parts);
    for (size_t p = 0; p < PARTS; p++) {
        const struct pe_tensor *table = table_of(v, parts[p].table);

        if ((uint64_t)parts[p].row >= table->dims[0])
            return pe_fail(errors, PE_OUT_OF_RANGE, params[parts[p].table].name,
                           "must have a row %lld for box %llu; it has %llu rows",
                           (long long)parts[p].row, (unsigned long long)i,
                           (unsigned long long)table->dims[0]);
    }
    return PE_OK;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct layout_2d *v = values;
    bool patches = v->patches.height != 0;

    check_tables(v, errors);
    if (errors->count == 0 && !patches && v->boxes.cols != 4)
        pe_fail(errors, PE_BAD_VALUE, "boxes", "must have rows of four, x0,y0,x1,y1; got %zu",
                v->boxes.cols);
    if (errors->count > 0)
        return;
    /* The last patch has the largest edges of all patches, so checking it checks them all. */
    if (patches) {
        check_box(v, 0, errors);
        if (errors->count == 0)
            check_box(v, count_boxes(v) - 1, errors);
    }
    for (uint64_t i = 0; errors->count == 0 && i < v->boxes.rows; i++)
        check_box(v, i, errors);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct layout_2d *v = values;

    dims[0] = count_boxes(v);
    dims[1] = v->x_position_embeddings.dims[1];
    if (v->version == BESIDE)
        dims[1] = 2 * (dims[1] + v->y_position_embeddings.dims[1]) +
                  v->h_position_embeddings.dims[1] + v->w_position_embeddings.dims[1];
    return 2;
}

/* ---- a row ------------------------------------------------------------------------------- */

/* Writes at most CHUNK elements of the sum of all terms. */
static void fill_sum(const struct layout_2d *v, const struct part parts[PARTS],
                     const void *const input[], uint64_t col, uint64_t cols, double *out)
{
    struct dd sums[CHUNK] = {{0, 0}};
    double row[CHUNK];

    for (size_t p = 0; p < PARTS; p++) {
        tensor_row(table_of(v, parts[p].table), input[parts[p].table], (uint64_t)parts[p].row,
                   col, cols, row);
        for (uint64_t i = 0; i < cols; i++)
            sums[i] = elementary_add(sums[i], (struct dd){row[i], 0});
    }
    for (uint64_t i = 0; i < cols; i++)
        out[i] = sums[i].hi + sums[i].lo;
}

/* Writes columns [col, col + cols) of the six terms side by side. */
static void fill_beside(const struct layout_2d *v, const struct part parts[PARTS],
                        const void *const input[], uint64_t col, uint64_t cols, double *out)
{
    uint64_t start = 0; /* first column of the term */

    for (size_t p = 0; p < PARTS && cols > 0; p++) {
        const struct pe_tensor *table = table_of(v, parts[p].table);
        uint64_t end = start + table->dims[1];

        if (col < end) {
            uint64_t some = end - col < cols ? end - col : cols;

            tensor_row(table, input[parts[p].table], (uint64_t)parts[p].row, col - start, some,
                       out);
            out += some;
            col += some;
            cols -= some;
        }
        start = end;
    }
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct layout_2d *v = state;

    for (uint64_t r = 0; out[0] && r < rect->rows; r++) {
        struct box box = box_at(v, rect->row + r);
        double *to = out[0] + r * rect->cols;
        struct part parts[PARTS];

        list_parts(v, &box, parts);
        if (v->version == BESIDE) {
            fill_beside(v, parts, input, rect->col, rect->cols, to);
            continue;
        }
        for (uint64_t done = 0; done < rect->cols; done += CHUNK)
            fill_sum(v, parts, input, rect->col + done,
                     rect->cols - done < CHUNK ? rect->cols - done : CHUNK, to + done);
    }
}

static const struct pe_filler filler = {.reference = fill, .ns_per_element = 20};

const struct pe_encoding pe_encoding_layout_2d = {
    .name = "layout-2d",
    .title = "LayoutLM 2-D position embeddings",
    .formula = "version=1: rows = X[x0] + Y[y0] + X[x1] + Y[y1] + H[y1 - y0] + W[x1 - x0]\n"
               "version=3: rows = [X[x0] | Y[y0] | X[x1] | Y[y1] | H[y1 - y0] | W[x1 - x0]]\n"
               "X, Y, H, W: x_position_embeddings and the other tables",
    .when_to_use =
        "Models of documents that know where each word is on the page: LayoutLM adds the six "
        "vectors, LayoutLMv3 puts them side by side and adds layoutlmv3-bias to its "
        "attention.",
    .what_goes_wrong =
        "Boxes are in thousandths of the page, not pixels: a box beyond 1000 has no row. "
        "Height and width are looked up in tables of their own, in the order height, width, "
        "while edges come x before y. LayoutLMv3 cuts negative sides to 0, LayoutLM fails on "
        "them.",
    .picture =
        "x_position_embeddings=0,4;1,3;2,2;3,1;4,0;5,-1;6,-2;7,-3&y_position_embeddings=0,0;"
        "1,2;2,4;3,6;4,8;5,6;6,4;7,2&h_position_embeddings=0,0;2,-2;4,-4;6,-6&"
        "w_position_embeddings=0,0;0,1;0,2;0,3;0,4;0,5;0,6;0,7&boxes=0,0,7,1;0,1,2,2;3,1,4,2;"
        "5,1,7,2;0,2,3,3;4,2,7,3;0,3,1,5;2,3,7,5;0,5,5,7;6,5,7,7&version=3",
    .summary = "learned vectors of the boxes of words or patches on a page (LayoutLM)",
    .source = "Xu et al. 2019, LayoutLM; Huang et al. 2022, LayoutLMv3; transformers "
              "modeling_layoutlmv3.py",
    .examples = PE_WORDS("x_position_embeddings=1;2;3&y_position_embeddings=10;20;30&"
                         "h_position_embeddings=0;100&w_position_embeddings=0;1000;2000&"
                         "boxes=0,1,2,2;1,0,1,0",
                         "x_position_embeddings=1;2;3&y_position_embeddings=10;20;30&"
                         "h_position_embeddings=0;100&w_position_embeddings=0;1000;2000&"
                         "boxes=0,1,2,2&version=3"),
    .family = PE_ABSOLUTE,
    .kind = PE_INPUT,
    PE_TABLES(struct layout_2d, params, outputs),
    .check = check,
    .shape = shape,
    .filler = &filler,
};
