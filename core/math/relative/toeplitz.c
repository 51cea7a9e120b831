/* SPDX-License-Identifier: Apache-2.0
 * toeplitz.c - fills rectangles of (heads x queries, keys) by windows of diagonals that the
 * plan keeps, or in tiles: where queries and keys are whole steps of one stride, one diagonal
 * serves all rows of a tile; elsewhere each row is computed from its positions. */
#include "core/math/relative/toeplitz.h"

#include <string.h>

#include "core/math/relative/scattered.h"
#include "core/math/stream_store.h"

/* A tile has at most TILE rows and columns, so that scratch is bounded. */
enum { TILE = 2048, DIAGONAL = 2 * TILE };

/* Scratch: values as doubles, the values as dtype, and the keys of a row. */
struct work {
    double *values, *typed; /* [diagonal_most] */
    double *keys;           /* [diagonal_most] */
};

/* The data of one fill; rows and columns are counted in the output. */
struct canvas {
    const struct toeplitz *matrix;
    enum pe_dtype dtype;
    size_t element; /* bytes of an element */
    uint64_t cols;  /* columns of the rectangle */
    char *out;      /* element (0, 0) of the rectangle */
    struct work work;
};

/* Rows of one head and columns of the rectangle, counted from its corner. */
struct tile {
    size_t head;
    uint64_t row, query, rows; /* first row, the query of that row, rows */
    uint64_t col, key, cols;
};

/* Returns the elements of the longest diagonal of a tile within a rectangle of `elements`. */
static size_t diagonal_most(uint64_t elements)
{
    return elements + 1 < DIAGONAL ? (size_t)elements + 1 : DIAGONAL;
}

static bool is_integer(double value)
{
    return value == (double)(int64_t)value;
}

/* True when all differences of positions are exact, so that a diagonal may start anywhere. */
static bool exact(double first, double last)
{
    const double most = 0x1p53;

    return first >= -most && first <= most && last >= -most && last <= most;
}

static void write_diagonal(const struct toeplitz *matrix, size_t head, double first,
                           double step, size_t count, double *out)
{
    if (matrix->diagonal) {
        matrix->diagonal(matrix->context, head, first, step, count, out);
        return;
    }
    for (size_t t = 0; t < count; t++)
        out[t] = matrix->value(matrix->context, head, first + step * (double)t);
}

static void write_row(const struct toeplitz *matrix, size_t head, double query,
                      const double *keys, size_t count, double *out)
{
    if (matrix->row) {
        matrix->row(matrix->context, head, query, keys, count, out);
        return;
    }
    for (size_t i = 0; i < count; i++)
        out[i] = matrix->value(matrix->context, head, query - keys[i]);
}

/* Returns element 0 of row r of a tile. */
static char *row_of(const struct canvas *canvas, const struct tile *tile, uint64_t r)
{
    return canvas->out + ((tile->row + r) * canvas->cols + tile->col) * canvas->element;
}

/* Fills a tile from one diagonal. Elements run along keys, so distances fall by a stride a
 * column and rise by a stride a row: the last row is at the start of the diagonal, each row
 * above starts one element later. */
static void fill_diagonal(const struct canvas *canvas, const struct tile *tile, double first,
                          double stride)
{
    const struct work *work = &canvas->work;
    const size_t count = (size_t)(tile->rows + tile->cols - 1);

    write_diagonal(canvas->matrix, tile->head, first, -stride, count, work->values);
    pe_dtype_from_f64(canvas->dtype, work->typed, work->values, count);
    for (uint64_t r = 0; r < tile->rows; r++)
        memcpy(row_of(canvas, tile, r),
               (const char *)work->typed + (tile->rows - 1 - r) * canvas->element,
               tile->cols * canvas->element);
}

static void fill_rows(const struct canvas *canvas, const struct tile *tile)
{
    const struct work *work = &canvas->work;
    const struct toeplitz *matrix = canvas->matrix;
    const double *keys = matrix->keys ? matrix->keys + tile->key : work->keys;

    if (!matrix->keys)
        scattered_write(matrix->k, tile->key, (size_t)tile->cols, work->keys);
    for (uint64_t r = 0; r < tile->rows; r++) {
        const double query = pe_positions_at(matrix->q, tile->query + r);

        write_row(matrix, tile->head, query, keys, (size_t)tile->cols, work->values);
        pe_dtype_from_f64(canvas->dtype, row_of(canvas, tile, r), work->values,
                          (size_t)tile->cols);
    }
}

/* Returns `count`, but at most `left`. */
static uint64_t within(uint64_t count, uint64_t left)
{
    return count < left ? count : left;
}

/* Fills one tile, divided into runs of queries and, on diagonals, into runs of keys. */
static void fill_tile(const struct canvas *canvas, struct tile tile)
{
    const struct toeplitz *matrix = canvas->matrix;
    const struct pe_run q = pe_positions_run(matrix->q, tile.query);
    const uint64_t cols = tile.cols;

    if (!matrix->value || matrix->keys || !is_integer(q.first)) {
        fill_rows(canvas, &tile);
        return;
    }
    for (uint64_t done = 0; done < cols; done += tile.cols) {
        const struct pe_run k = pe_positions_run(matrix->k, tile.key);

        tile.cols = within(cols - done, k.left);
        const bool one_stride = tile.rows == 1 || tile.cols == 1 || q.step == k.step;
        const double stride = (double)(tile.rows == 1 ? k.step : q.step);
        /* The difference is rounded once to an integer. Differences between 2^53 and 2^54
         * are not all exact; `exact` rejects them. */
        const double first =
            (double)((int64_t)q.first + q.step * (int64_t)(tile.rows - 1) - (int64_t)k.first);
        const double last = first - stride * (double)(tile.rows + tile.cols - 2);
        if (one_stride && is_integer(k.first) && exact(first, last))
            fill_diagonal(canvas, &tile, first, stride);
        else
            fill_rows(canvas, &tile);
        tile.col += tile.cols;
        tile.key += tile.cols;
    }
}

static void fill_tiles(const struct toeplitz *matrix, const struct pe_rect *rect,
                       enum pe_dtype dtype, void *out, void *scratch)
{
    const size_t most = diagonal_most(rect->rows * rect->cols);
    double *doubles = scratch;
    const struct canvas canvas = {
        .matrix = matrix,
        .dtype = dtype,
        .element = pe_dtype_size(dtype),
        .cols = rect->cols,
        .out = out,
        .work = {doubles, doubles + most, doubles + 2 * most},
    };
    const uint64_t queries = pe_positions_count(matrix->q);
    uint64_t rows;

    for (uint64_t row = 0; row < rect->rows && rect->cols > 0; row += rows) {
        const uint64_t query = (rect->row + row) % queries;

        rows = within(within(rect->rows - row, queries - query), TILE);
        rows = within(rows, pe_positions_run(matrix->q, query).left);
        for (uint64_t col = 0; col < rect->cols; col += TILE) {
            const struct tile tile = {
                .head = (size_t)((rect->row + row) / queries),
                .row = row,
                .query = query,
                .rows = rows,
                .col = col,
                .key = rect->col + col,
                .cols = within(rect->cols - col, TILE),
            };

            fill_tile(&canvas, tile);
        }
    }
}

/* ---- diagonals that the plan keeps ------------------------------------------------------- */

/* Diagonals are kept for a matrix of more than a block, each used by many rows; in bounded
 * memory, and in bounded time: below a millisecond for values that are no more than a
 * product. */
enum { KEPT_FROM = 16384, KEPT_ROWS = 16, KEPT_MOST = 2 << 20, RUN = 512 };
static const double plain_ns = 2, kept_ns = 1e8, kept_plain_ns = 1e6;

static bool one_run(const struct pe_positions *pos)
{
    uint64_t count = pe_positions_count(pos);

    return count > 0 && pe_positions_run(pos, 0).left == count;
}

bool toeplitz_steps(const struct toeplitz *matrix, double *first, double *step)
{
    struct pe_run q, k;
    double steps;

    if (!matrix->value || !one_run(matrix->q) || !one_run(matrix->k))
        return false;
    q = pe_positions_run(matrix->q, 0);
    k = pe_positions_run(matrix->k, 0);
    if (q.step != k.step || !is_integer(q.first) || !is_integer(k.first))
        return false;
    steps = (double)(q.left + k.left - 2);
    *step = -(double)q.step;
    *first = (double)((int64_t)q.first + q.step * (int64_t)(q.left - 1) - (int64_t)k.first);
    return exact(*first, *first + *step * steps);
}

static double ns_of(const struct toeplitz *matrix, uint64_t differences)
{
    const double ns = (plain_ns + matrix->ns) * (double)matrix->heads + matrix->shared_ns;

    return ns * (double)differences;
}

uint64_t toeplitz_differences(const struct toeplitz *matrix)
{
    const uint64_t queries = pe_positions_count(matrix->q);
    const uint64_t keys = pe_positions_count(matrix->k), heads = matrix->heads;
    double first, step;

    if (queries < KEPT_ROWS || keys > KEPT_MOST || queries > KEPT_MOST ||
        queries * keys < KEPT_ROWS * (queries + keys) || heads * (queries + keys) > KEPT_MOST ||
        heads * queries * keys < KEPT_FROM ||
        ns_of(matrix, queries + keys) >
            (matrix->ns + matrix->shared_ns > 0 ? kept_ns : kept_plain_ns) ||
        !toeplitz_steps(matrix, &first, &step))
        return 0;
    return queries + keys - 1;
}

void toeplitz_make_diagonals(const struct toeplitz *matrix, enum pe_dtype dtype, void *out)
{
    const uint64_t count = toeplitz_differences(matrix);
    const size_t element = pe_dtype_size(dtype);
    double first = 0, step = 0, values[RUN];
    char *at = out;

    toeplitz_steps(matrix, &first, &step);
    for (size_t head = 0; head < matrix->heads; head++) {
        for (uint64_t t = 0, part; t < count; t += part, at += part * element) {
            part = within(count - t, RUN);
            write_diagonal(matrix, head, first + step * (double)t, step, (size_t)part, values);
            pe_dtype_from_f64(dtype, at, values, (size_t)part);
        }
    }
}

void toeplitz_fill(struct pe_build *build, size_t group, struct toeplitz *matrix)
{
    enum pe_dtype dtype;
    size_t bytes;

    if (!pe_build_wants(build, group))
        return;
    dtype = pe_build_dtype(build, group);
    bytes = matrix->heads * toeplitz_differences(matrix) * pe_dtype_size(dtype);
    pe_build_fill(build, group, &toeplitz_filler, matrix);
    matrix->keys = scattered_list(build, matrix->k);
    if (bytes == 0 || !pe_build_reserve(build, bytes))
        return; /* the matrix is filled by tiles */
    void *diagonals = pe_build_alloc(build, bytes);
    if (!diagonals)
        return;
    toeplitz_make_diagonals(matrix, dtype, diagonals);
    matrix->diagonals = diagonals;
}

double toeplitz_plan_ns(const struct toeplitz *matrix)
{
    return ns_of(matrix, toeplitz_differences(matrix));
}

static void copy_windows(const struct toeplitz *matrix, const struct pe_rect *rect,
                         size_t element, void *out)
{
    const uint64_t queries = pe_positions_count(matrix->q);
    const uint64_t differences = queries + pe_positions_count(matrix->k) - 1;
    struct stream_store stream;

    stream_store_begin(&stream, out, rect->rows * rect->cols * element);
    for (uint64_t row = rect->row; row < rect->row + rect->rows; row++) {
        const uint64_t start = row / queries * differences + queries - 1 - row % queries;

        stream_store_copy(&stream,
                          (const char *)matrix->diagonals + (start + rect->col) * element,
                          rect->cols * element);
    }
    stream_store_end(&stream);
}

/* ---- the filler -------------------------------------------------------------------------- */

static void fill_reference(const void *state, const struct pe_rect *rect, double *const out[],
                           const void *const input[], void *scratch)
{
    if (out[0])
        fill_tiles(state, rect, PE_F64, out[0], scratch);
}

static bool fill_typed(const void *state, const struct pe_rect *rect, enum pe_dtype dtype,
                       void *const out[], void *scratch)
{
    const struct toeplitz *matrix = state;

    if (out[0] && matrix->diagonals)
        copy_windows(matrix, rect, pe_dtype_size(dtype), out[0]);
    else if (out[0])
        fill_tiles(matrix, rect, dtype, out[0], scratch);
    return true;
}

static size_t scratch_bytes(const void *state, uint64_t elements)
{
    const struct toeplitz *matrix = state;

    return matrix->diagonals ? 0 : 3 * diagonal_most(elements) * sizeof(double);
}

static bool has_diagonals(const struct toeplitz *matrix)
{
    return matrix->value && one_run(matrix->q) && one_run(matrix->k) &&
           pe_positions_run(matrix->q, 0).step == pe_positions_run(matrix->k, 0).step;
}

/* Returns the cost of an element: a copy, and its share of the values of the tile's
 * diagonals. */
static double cost(const void *state, enum pe_dtype dtype)
{
    const uint64_t block = 16384; /* elements of a block as the service fills it */
    const struct toeplitz *matrix = state;
    double shared = 1;

    if (matrix->diagonals)
        return 0.03 * (double)pe_dtype_size(dtype);
    if (has_diagonals(matrix)) {
        const uint64_t cols = pe_positions_count(matrix->k);
        const uint64_t rows = within(pe_positions_count(matrix->q), 1 + block / cols);

        shared = 1 / (double)within(rows, TILE) + 1 / (double)within(cols, TILE);
    }
    return 1 + (matrix->ns + matrix->shared_ns) * (shared < 1 ? shared : 1);
}

const struct pe_filler toeplitz_filler = {
    .reference = fill_reference,
    .typed = fill_typed,
    .scratch = scratch_bytes,
    .cost = cost,
};

/* ---- by difference ----------------------------------------------------------------------- */

static void fill_compact(const void *state, const struct pe_rect *rect, double *const out[],
                         const void *const input[], void *scratch)
{
    const struct toeplitz *matrix = state;
    const double first = pe_positions_at(matrix->q, 0) -
                         pe_positions_at(matrix->k, pe_positions_count(matrix->k) - 1);

    for (uint64_t row = 0; out[0] && row < rect->rows; row++)
        write_diagonal(matrix, (size_t)(rect->row + row), first + (double)rect->col, 1,
                       (size_t)rect->cols, out[0] + row * rect->cols);
}

static double compact_cost(const void *state, enum pe_dtype dtype)
{
    const struct toeplitz *matrix = state;

    return 5 + matrix->ns + matrix->shared_ns;
}

const struct pe_filler toeplitz_compact_filler = {.reference = fill_compact,
                                                  .cost = compact_cost};
