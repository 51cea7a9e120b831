/* SPDX-License-Identifier: Apache-2.0
 * convolution.c - the sums of a convolution. Channels of a group see one window of vectors, so
 * several are summed side by side (lanes); weights are read once for PLACES. */
#include "core/encodings/absolute/convolution.h"

#include <math.h>
#include <string.h>

#include "core/math/linear/dot_lanes.h"
#include "core/math/linear/gelu.h"
#include "core/math/tensor_row.h"

enum {
    PLACES = 8,           /* places that are summed with weights read once */
    WINDOW_MOST = 131072, /* most numbers of their windows: 1 MiB, unless one alone has more */
    CHUNK = 128,          /* weights of a channel that are laid out at a time */
};

/* Counts the numbers of a place's window; with one channel a group, each lane has its own. */
static size_t window_of(const struct convolution *k)
{
    return (size_t)(k->taps * (k->channels == 1 ? DOT_LANES : k->channels));
}

static uint64_t places_of(const struct convolution *k)
{
    const uint64_t most = WINDOW_MOST / window_of(k);

    return most < 1 ? 1 : most < PLACES ? most : PLACES;
}

static bool short_factors(const struct convolution *k)
{
    return k->x->dtype != PE_F64 && k->weight.dtype != PE_F64;
}

/* Gathers the values of `count` channels from `first` on around a place, zeros beyond the ends:
 * channel after channel, or tap after tap of the lanes. `one` is a buffer for the channels. */
static void take_window(const struct convolution *k, const void *x, uint64_t row,
                        uint64_t first, uint64_t count, double *window, double *one)
{
    const uint64_t places = k->height * k->width, place = row % places;
    const uint64_t y = place / k->width, at = place % k->width;
    const bool lanes = k->channels == 1;

    memset(window, 0, window_of(k) * sizeof *window);
    for (uint64_t tap = 0; tap < k->taps; tap++) {
        /* a place below 0 wraps to a large number and so is beyond the end as well */
        const uint64_t line = y + tap / k->cols - k->rows / 2;
        const uint64_t spot = at + tap % k->cols - k->cols / 2;

        if (line >= k->height || spot >= k->width)
            continue;
        tensor_row(k->x, x, row - place + line * k->width + spot, first, count, one);
        for (uint64_t i = 0; i < count; i++)
            window[lanes ? tap * DOT_LANES + i : i * k->taps + tap] = one[i];
    }
}

/* ---- a block: some places, at most DOT_LANES channels of a group ------------------------- */

struct block {
    const struct convolution *k;
    const struct pe_rect *rect; /* rectangle that contains the block */
    char *out;                  /* elements of the rectangle */
    enum pe_dtype dtype;        /* type of the elements in `out` */
    uint64_t row, rows, channel, channels;
    const double *windows; /* windows of the rows, one after the other */
    double *weights;       /* buffer: a chunk of weights, lanes side by side */
    double *one;           /* buffer: numbers of one channel after the other */
};

/* Reads weights [from, from + count) of each channel and lays the channels side by side. */
static void take_weights(const struct block *b, const void *weight, uint64_t from, size_t count)
{
    for (uint64_t lane = 0; lane < b->channels; lane++)
        tensor_row(&b->k->weight, weight, b->channel + lane, from, count,
                   b->one + lane * CHUNK);
    for (size_t i = 0; i < count; i++)
        for (size_t lane = 0; lane < DOT_LANES; lane++)
            b->weights[i * DOT_LANES + lane] = b->one[lane * CHUNK + i];
}

static void sum_block(const struct block *b, const void *const input[],
                      struct dot_lanes sums[PLACES])
{
    const struct convolution *k = b->k;
    const bool own = k->channels == 1;
    const uint64_t size = k->channels * k->taps;
    struct dot_lanes_run run = {.b = b->weights, .own = own, .short_factors = short_factors(k)};

    memset(sums, 0, PLACES * sizeof *sums);
    memset(b->one, 0, CHUNK * DOT_LANES * sizeof *b->one);
    if (k->bias->rank > 0) {
        tensor_row(k->bias, input[CONVOLUTION_BIAS], 0, b->channel, b->channels, sums[0].high);
        for (uint64_t r = 1; r < b->rows; r++)
            sums[r] = sums[0];
    }
    for (uint64_t from = 0; from < size; from += CHUNK) {
        run.count = (size_t)(size - from < CHUNK ? size - from : CHUNK);
        take_weights(b, input[CONVOLUTION_WEIGHT], from, run.count);
        for (uint64_t r = 0; r < b->rows; r++) {
            run.a = b->windows + r * window_of(k) + from * (own ? DOT_LANES : 1);
            dot_lanes_add(&sums[r], &run);
        }
    }
}

static double answer(const struct convolution *k, double x, struct dd sum)
{
    struct dd result = {sum.hi, sum.lo};

    if (k->gelu)
        result = (struct dd){isnan(sum.hi) ? sum.hi : gelu_of(sum), 0};
    if (!isfinite(x) || !isfinite(result.hi))
        return x + result.hi;
    result = elementary_add((struct dd){x, 0}, result);
    return result.hi + result.lo;
}

static void fill_block(const struct block *b, const void *const input[])
{
    const size_t size = pe_dtype_size(b->dtype);
    struct dot_lanes sums[PLACES];
    double values[DOT_LANES];

    sum_block(b, input, sums);
    for (uint64_t r = 0; r < b->rows; r++) {
        const uint64_t row = b->row + r - b->rect->row;
        char *to = b->out + (row * b->rect->cols + (b->channel - b->rect->col)) * size;

        tensor_row(b->k->x, input[CONVOLUTION_X], b->row + r, b->channel, b->channels, values);
        for (uint64_t lane = 0; lane < b->channels; lane++)
            values[lane] = answer(b->k, values[lane], dot_lanes_sum(&sums[r], lane));
        pe_dtype_from_f64(b->dtype, to, values, b->channels);
    }
}

/* ---- the filler -------------------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Fills the rectangle for some places: per group the windows first, then block after block. */
static void fill_rows(struct block *b, double *windows, const void *const input[])
{
    const struct convolution *k = b->k;
    const uint64_t begin = b->rect->col, end = begin + b->rect->cols;
    const uint64_t step = k->channels == 1 ? DOT_LANES : k->channels;

    for (uint64_t col = begin, next; col < end; col = next) {
        const uint64_t first = k->channels == 1 ? col : col / k->channels * k->channels;
        const uint64_t seen = k->channels == 1 ? least(step, end - first) : step;

        next = least(first + step, end);
        for (uint64_t r = 0; r < b->rows; r++)
            take_window(k, input[CONVOLUTION_X], b->row + r, first, seen,
                        windows + r * window_of(k), b->one);
        for (b->channel = col; b->channel < next; b->channel += b->channels) {
            b->channels = least(DOT_LANES, next - b->channel);
            fill_block(b, input);
        }
    }
}

/* Fills the rectangle at once, in its own dtype: weights are read once for some places. */
static bool fill(const void *state, const struct pe_rect *rect, enum pe_dtype dtype,
                 void *const out[], const void *const input[], void *scratch)
{
    const struct convolution *k = state;
    const uint64_t end = rect->row + rect->rows;
    double *windows = scratch, *weights = windows + places_of(k) * window_of(k);
    struct block b = {.k = k,
                      .rect = rect,
                      .out = out[0],
                      .dtype = dtype,
                      .windows = windows,
                      .weights = weights,
                      .one = weights + CHUNK * DOT_LANES};

    for (b.row = rect->row; out[0] && b.row < end; b.row += b.rows) {
        b.rows = least(places_of(k), end - b.row);
        fill_rows(&b, windows, input);
    }
    return true;
}

static void fill_doubles(const void *state, const struct pe_rect *rect, double *const out[],
                         const void *const input[], void *scratch)
{
    void *const slots[] = {out[0]};

    fill(state, rect, PE_F64, slots, input, scratch);
}

static size_t scratch_of(const void *state, uint64_t elements)
{
    const struct convolution *k = state;
    const size_t lanes = CHUNK * DOT_LANES;
    const size_t one = k->channels > lanes ? (size_t)k->channels : lanes;

    return ((size_t)places_of(k) * window_of(k) + lanes + one) * sizeof(double);
}

static double cost_of(const void *state, enum pe_dtype dtype)
{
    const struct convolution *k = state;
    const double product = short_factors(k) ? 0.7 : 2;

    return (k->gelu ? 550 : 15) + 2 * (double)k->taps +
           product * (double)k->channels * (double)k->taps;
}

const struct pe_filler convolution_filler = {.reference = fill_doubles,
                                             .vectors = fill,
                                             .scratch = scratch_of,
                                             .cost = cost_of,
                                             .ns_per_element = 1000};
