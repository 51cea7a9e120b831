/* SPDX-License-Identifier: Apache-2.0
 * lookup_bias.c - elements of a table of biases. A head's column is taken from the table once,
 * scaled and as the answer's dtype; what is left for an element is to choose one by its number,
 * and the plan keeps the numbers where it can: those of each difference of positions, of which
 * rows are windows, or those of all pairs, which the heads share. */
#include <math.h>
#include <string.h>

#include "core/math/relative/choose.h"
#include "core/math/relative/lookup_keep.h"
#include "core/math/stream_store.h"
#include "core/math/tensor_row.h"

enum {
    RUN = 512, /* keys that are computed at a time */
    /* bytes of a head's elements by difference, from which rows are copied */
    WINDOWS_BYTES = 65536,
};

struct bias {
    struct lookup_bias of;
    uint64_t rows; /* rows of the table */
    struct lookup_kept kept;
};

/* ---- elements ---------------------------------------------------------------------------- */

static double times(double value, struct dd scale)
{
    struct dd product;

    if (scale.hi == 1 && scale.lo == 0)
        return value;
    product = elementary_multiply((struct dd){value, 0}, scale);
    product.hi += product.lo;
    return isfinite(product.hi) ? product.hi : value * scale.hi;
}

static double element(const struct bias *b, const void *table, uint64_t row, uint64_t head)
{
    const uint64_t *dims = b->of.table.tensor->dims;
    uint64_t at = b->of.heads_first ? head * dims[1] + row : row * dims[1] + head;

    return times(tensor_row_at(b->of.table.tensor, table, at), b->of.scale);
}

static const void *elements_of(const struct bias *b, const void *const input[])
{
    return b->of.own ? b->of.own : input[b->of.table.input];
}

static size_t within(uint64_t count, size_t most)
{
    return count < most ? (size_t)count : most;
}

/* Fills by the definition of the values. */
static void fill_reference(const void *state, const struct pe_rect *rect, double *const out[],
                           const void *const input[], void *scratch)
{
    const struct bias *b = state;
    double rows[RUN], value = 0;
    size_t run;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        uint64_t head = (rect->row + row) / b->of.queries;
        uint64_t query = (rect->row + row) % b->of.queries;
        double *to = out[0] + row * rect->cols;

        for (uint64_t col = 0; col < rect->cols; col += run) {
            run = within(rect->cols - col, RUN);
            b->of.lookup.row(b->of.lookup.rule, query, rect->col + col, run, rows);
            for (size_t t = 0; t < run; t++) {
                if (t == 0 || rows[t] != rows[t - 1]) /* far keys share a row of the table */
                    value = element(b, elements_of(b, input), (uint64_t)rows[t], head);
                to[col + t] = value;
            }
        }
    }
}

/* ---- by columns -------------------------------------------------------------------------- */

/* The beginning of the scratch: what the column and the elements behind it are. It is kept from
 * one rectangle to the next. */
struct memory {
    bool column; /* there is a column, that of `head` */
    uint64_t head;
    uint64_t from, count; /* the elements of these differences are there */
};

enum { MEMORY_BYTES = PE_SCRATCH_MEMORY };
_Static_assert(sizeof(struct memory) <= MEMORY_BYTES, "the memory fits");

/* The data of one fill; scratch holds the memory, the column and WINDOWS_BYTES of elements. */
struct canvas {
    const struct bias *bias;
    const struct pe_rect *rect;
    enum pe_dtype dtype;
    size_t size; /* bytes of an element */
    struct memory *memory;
    char *column, *elements, *near; /* near: by clamped difference */
    struct stream_store stream;
};

static size_t column_bytes(const struct bias *bias)
{
    return ((size_t)bias->rows * sizeof(double) + 63) / 64 * 64;
}

/* Returns how many elements there are by clamped difference. */
static size_t near_count(const struct bias *bias)
{
    return bias->kept.clamped ? 2 * (size_t)bias->kept.clamped->most + 1 : 0;
}

/* Returns the fewest elements for which a column is taken. */
static uint64_t least_elements(const struct bias *bias)
{
    return bias->rows + near_count(bias) / 8;
}

static void take_column(struct canvas *canvas, const void *table, uint64_t head)
{
    const struct bias *b = canvas->bias;
    const struct pe_tensor *tensor = b->of.table.tensor;
    double values[RUN];

    if (canvas->memory->column && canvas->memory->head == head)
        return;
    *canvas->memory = (struct memory){.column = true, .head = head};
    for (uint64_t row = 0; row < b->rows; row += RUN) {
        const size_t run = within(b->rows - row, RUN);

        if (b->of.heads_first)
            tensor_row(tensor, table, head, row, run, values);
        else
            tensor_row_column(tensor, table, row, head, run, values);
        for (size_t i = 0; i < run; i++)
            values[i] = times(values[i], b->of.scale);
        pe_dtype_from_f64(canvas->dtype, canvas->column + row * canvas->size, values, run);
    }
    if (b->kept.clamped)
        choose_elements(canvas->size, canvas->column, b->kept.clamped->numbers, near_count(b),
                        canvas->near);
}

static void choose(const struct canvas *canvas, const int32_t *numbers, size_t count)
{
    choose_elements(canvas->size, canvas->column, numbers, count, canvas->elements);
}

/* Have the elements of differences low .. high-1 in the scratch; return the first of them. Once
 * rectangles follow each other, as many are chosen as the queries behind will want. */
static const char *windows_of(struct canvas *canvas, uint64_t low, uint64_t high)
{
    struct memory *memory = canvas->memory;
    const uint64_t most = WINDOWS_BYTES / canvas->size, last = canvas->rect->col;

    if (low < memory->from || high > memory->from + memory->count) {
        const uint64_t from = memory->count == 0 ? low : high > most ? high - most : 0;

        memory->from = from > last ? from : last;
        memory->count = high - memory->from;
        choose(canvas, canvas->bias->kept.diagonal + memory->from, (size_t)memory->count);
    }
    return canvas->elements + (low - memory->from) * canvas->size;
}

/* Copies the rows of queries first, first + 1, ... of a head, whose windows of the differences
 * move by one element a row. */
static void copy_windows(struct canvas *canvas, uint64_t first, uint64_t count)
{
    const uint64_t cols = canvas->rect->cols;

    for (uint64_t done = 0, rows; done < count; done += rows) {
        rows = within(count - done, WINDOWS_BYTES / canvas->size - (size_t)cols + 1);
        const uint64_t low =
            canvas->bias->of.queries - (first + done) - rows + canvas->rect->col;
        const char *windows = windows_of(canvas, low, low + cols + rows - 1);

        for (uint64_t r = rows; r-- > 0;)
            stream_store_copy(&canvas->stream, windows + r * canvas->size, cols * canvas->size);
    }
}

/* Writes the elements of a list that are chosen by their numbers; at most RUN go by way of the
 * scratch. */
static void put_chosen(struct canvas *canvas, const char *list, const int32_t *numbers,
                       size_t count)
{
    void *to = stream_store_take(&canvas->stream, count * canvas->size);

    choose_elements(canvas->size, list, numbers, count, to ? to : canvas->elements);
    if (to)
        return;
    canvas->memory->count = 0;
    stream_store_copy(&canvas->stream, canvas->elements, count * canvas->size);
}

static void copy_chosen(struct canvas *canvas, const int32_t *numbers, uint64_t count)
{
    for (uint64_t done = 0; done < count; done += RUN)
        put_chosen(canvas, canvas->column, numbers + done, within(count - done, RUN));
}

/* Copies as copy_windows does, for windows too wide to lie side by side in the scratch. */
static void copy_differences(struct canvas *canvas, uint64_t first, uint64_t count)
{
    const struct bias *b = canvas->bias;

    for (uint64_t query = first; query < first + count; query++)
        copy_chosen(canvas, b->kept.diagonal + (b->of.queries - 1 - query) + canvas->rect->col,
                    canvas->rect->cols);
}

/* Copies the rows of queries first, first + 1, ... of a head by the numbers of all pairs. */
static void copy_pairs(struct canvas *canvas, uint64_t first, uint64_t count)
{
    const uint64_t keys = canvas->bias->of.keys, cols = canvas->rect->cols;
    const int32_t *numbers = canvas->bias->kept.matrix + first * keys + canvas->rect->col;

    if (cols == keys)
        copy_chosen(canvas, numbers, count * keys);
    for (uint64_t i = 0; cols < keys && i < count; i++)
        copy_chosen(canvas, numbers + i * keys, cols);
}

/* Copies as copy_pairs does, by clamped differences. */
static void copy_clamped(struct canvas *canvas, uint64_t first, uint64_t count)
{
    const struct clamped *clamped = canvas->bias->kept.clamped;
    const struct pe_rect *rect = canvas->rect;
    int32_t indices[RUN];

    for (uint64_t query = first; query < first + count; query++) {
        for (uint64_t col = 0; col < rect->cols; col += RUN) {
            const size_t run = within(rect->cols - col, RUN);

            clamped_indices(clamped, query, rect->col + col, run, indices);
            put_chosen(canvas, canvas->near, indices, run);
        }
    }
}

/* Copies as copy_pairs does, where the plan keeps no numbers. */
static void copy_rows(struct canvas *canvas, uint64_t first, uint64_t count)
{
    const struct lookup *lookup = &canvas->bias->of.lookup;
    const struct pe_rect *rect = canvas->rect;
    int32_t numbers[RUN];
    double rows[RUN];

    for (uint64_t query = first; query < first + count; query++) {
        for (uint64_t col = 0; col < rect->cols; col += RUN) {
            const size_t run = within(rect->cols - col, RUN);

            lookup->row(lookup->rule, query, rect->col + col, run, rows);
            for (size_t i = 0; i < run; i++)
                numbers[i] = (int32_t)rows[i];
            copy_chosen(canvas, numbers, run);
        }
    }
}

/* Fills with the bytes of the reference, which serves rectangles that use a column too
 * little. */
static bool fill_typed(const void *state, const struct pe_rect *rect, enum pe_dtype dtype,
                       void *const out[], const void *const input[], void *scratch)
{
    const struct bias *b = state;
    const size_t size = pe_dtype_size(dtype);
    struct canvas canvas = {.bias = b,
                            .rect = rect,
                            .dtype = dtype,
                            .size = size,
                            .memory = scratch,
                            .column = (char *)scratch + MEMORY_BYTES,
                            .elements = (char *)scratch + MEMORY_BYTES + column_bytes(b)};
    const bool windows = b->kept.diagonal && rect->cols <= WINDOWS_BYTES / size / 2;

    if (b->rows > LOOKUP_COLUMN_MOST || rect->rows * rect->cols < least_elements(b))
        return false;
    if (!out[0])
        return true;
    canvas.near = canvas.elements + WINDOWS_BYTES;
    stream_store_begin(&canvas.stream, out[0], rect->rows * rect->cols * size);
    for (uint64_t row = 0, rows; row < rect->rows; row += rows) {
        const uint64_t query = (rect->row + row) % b->of.queries;

        rows = b->of.queries - query;
        rows = rows < rect->rows - row ? rows : rect->rows - row;
        take_column(&canvas, elements_of(b, input), (rect->row + row) / b->of.queries);
        if (windows)
            copy_windows(&canvas, query, rows);
        else if (b->kept.diagonal)
            copy_differences(&canvas, query, rows);
        else if (b->kept.clamped)
            copy_clamped(&canvas, query, rows);
        else if (b->kept.matrix)
            copy_pairs(&canvas, query, rows);
        else
            copy_rows(&canvas, query, rows);
    }
    stream_store_end(&canvas.stream);
    return true;
}

static size_t scratch_bytes(const void *state, uint64_t elements)
{
    const struct bias *b = state;

    return elements < least_elements(b) || b->rows > LOOKUP_COLUMN_MOST
               ? MEMORY_BYTES
               : MEMORY_BYTES + column_bytes(b) + WINDOWS_BYTES +
                     near_count(b) * sizeof(double);
}

static double cost(const void *state, enum pe_dtype dtype)
{
    const struct bias *b = state;

    if (b->rows > LOOKUP_COLUMN_MOST)
        return 7 + b->of.lookup.ns;
    return b->kept.diagonal || b->kept.matrix || b->kept.clamped ? 0.5 : 2 + b->of.lookup.ns;
}

static const struct pe_filler filler = {
    .reference = fill_reference,
    .vectors = fill_typed,
    .scratch = scratch_bytes,
    .remembers = true,
    .cost = cost,
};

/* ---- the plan ---------------------------------------------------------------------------- */

void lookup_fill_bias(struct pe_build *build, size_t group, const struct lookup_bias *bias)
{
    struct bias *b = pe_build_wants(build, group) ? pe_build_alloc(build, sizeof *b) : NULL;

    if (!b)
        return;
    b->of = *bias;
    b->rows = lookup_rows(bias);
    b->kept = lookup_keep(build, bias);
    pe_build_fill(build, group, &filler, b);
}
