/* SPDX-License-Identifier: Apache-2.0
 * rotation_fast.c - the fast path: runs of positions that share a coarse row are filled from
 * fine rows by the addition theorem; elements whose terms cancelled are evaluated directly. */
#include "core/math/rotation/rotation_fast.h"

#include <math.h>
#include <string.h>

#include "core/math/number/narrow.h"
#include "core/math/rotation/rotation_kernel.h"
#include "core/math/rotation/rotation_lane.h"
#include "core/math/trig/phase_row.h"

/* An element is x + y, x and y products of a coarse and a fine value that were evaluated
 * directly, each within 0.95 ULP: the relative error of a product is at most 2.3 * 2^-52. So
 * where |x + y| >= NEAR_ZERO * (|x| + |y|) its relative error is at most 2.3 * 2^-52 /
 * NEAR_ZERO < 2^-34, less than 0.0006 ULP of float32 (and less of narrower types); an element
 * below is evaluated directly. The rule looks at the element alone. As |x| + |y| <= 1.42 *
 * amplitude, every such element is below KERNEL_NEAR * amplitude, also when both are rounded:
 * the kernels look for those; they are about one in 50,000. */
#define NEAR_ZERO 0x1p-16
#define KERNEL_NEAR (1.5 * NEAR_ZERO)

enum { FINE_ROWS_MOST = 256 };

/* The beginning of the scratch, which is kept from one rectangle to the next: the coarse rows
 * that follow it. Rows of spans adjoin in the order of the spans. */
struct memory {
    size_t made; /* spans whose coarse rows are there */
    struct {
        size_t first, count;
        int64_t position;
    } rows[ROTATION_MAX_BANDS];
};

enum { MEMORY_BYTES = (sizeof(struct memory) + 63) / 64 * 64 };

/* Data that all stretches of a fill share. */
struct fast {
    const struct rotation *rotation;
    const struct pe_rect *rect;
    enum pe_dtype dtype;
    size_t element; /* bytes of an element */
    void *const *out;
    struct memory *memory;
    bool room;      /* the coarse rows of all spans have room side by side */
    double *coarse; /* [4][count]: cos, sin, -sin, -cos of the current span */
};

/* A stretch: rows row .. row+rows-1 of the rectangle, with positions first, first + step, ...
 * of one sign and one coarse row; position = sign * (coarse + fine). */
struct stretch {
    uint64_t row, rows;
    int64_t first, step;
    int64_t coarse, fine, fine_step;
    bool negative;
};

static struct stretch stretch_of(int64_t first, int64_t step, uint64_t left, int64_t fine_rows)
{
    struct stretch stretch = {.first = first, .step = step, .negative = first < 0};
    const int64_t size = first < 0 ? -first : first;

    stretch.fine = size % fine_rows;
    stretch.coarse = size - stretch.fine;
    stretch.fine_step = first < 0 ? -step : step;
    const int64_t by = stretch.fine_step;
    const int64_t more = by > 0   ? (fine_rows - 1 - stretch.fine) / by
                         : by < 0 ? stretch.fine / -by
                                  : 0;
    stretch.rows = (uint64_t)more + 1 < left ? (uint64_t)more + 1 : left;
    return stretch;
}

/* Return the weights of a wave from the coarse row, by the addition theorem; for negative
 * positions the sine is negated. */
static struct rotation_weights weights_of(const struct fast *fast,
                                          const struct rotation_lane *lane, bool negative)
{
    const double *cosine = fast->coarse, *sine = cosine + lane->count;
    const double *minus_sine = sine + lane->count, *minus_cosine = minus_sine + lane->count;

    if (lane->wave == ROTATION_COS)
        return (struct rotation_weights){cosine, minus_sine};
    return negative ? (struct rotation_weights){minus_sine, minus_cosine}
                    : (struct rotation_weights){sine, cosine};
}

/* Return the coarse rows of the first span. */
static double *coarse_rows(const struct fast *fast)
{
    return (double *)(void *)((char *)fast->memory + MEMORY_BYTES);
}

/* True if the memory has the coarse row of a span and a position; it has from now on. */
static bool remembered(const struct fast *fast, size_t span, const struct rotation_lane *lane,
                       int64_t position)
{
    struct memory *memory = fast->memory;

    if (!fast->room) {
        memory->made = 0;
        return false;
    }
    if (span < memory->made && memory->rows[span].first == lane->first &&
        memory->rows[span].count == lane->count && memory->rows[span].position == position)
        return true;
    if (span >= memory->made || memory->rows[span].count != lane->count)
        memory->made = span + 1; /* the rows behind this one were elsewhere */
    memory->rows[span].first = lane->first;
    memory->rows[span].count = lane->count;
    memory->rows[span].position = position;
    return false;
}

static void make_coarse(const struct fast *fast, size_t span, const struct rotation_lane *lane,
                        int64_t position)
{
    const size_t count = lane->count;
    double *coarse = fast->coarse;

    if (remembered(fast, span, lane, position))
        return;
    phase_row(fast->rotation->table->freq + lane->first, count, (double)position,
              fast->rotation->amplitude, coarse + count, coarse);
    for (size_t j = 0; j < count; j++) {
        coarse[2 * count + j] = -coarse[count + j];
        coarse[3 * count + j] = -coarse[j];
    }
}

static void *element_at(const struct fast *fast, const struct rotation_lane *lane, uint64_t row,
                        size_t j)
{
    const uint64_t at = row * fast->rect->cols + lane->start + lane->step * j;

    return (char *)fast->out[lane->slot] + at * fast->element;
}

static void store(enum pe_dtype dtype, void *out, double value)
{
    const float single = narrow_f32(value);
    const uint16_t half = dtype == PE_F16 ? narrow_f16(value) : narrow_bf16(value);

    if (dtype == PE_F32)
        memcpy(out, &single, sizeof single);
    else
        memcpy(out, &half, sizeof half);
}

/* Repair row r of the stretch element by element: elements that cancelled are evaluated
 * directly, zeros lose their sign; `all` repairs the others too. */
static void repair(const struct fast *fast, const struct rotation_lane *lane,
                   const struct stretch *stretch, uint64_t r, bool all)
{
    const struct rotation_table *table = fast->rotation->table;
    const struct rotation_weights weights = weights_of(fast, lane, stretch->negative);
    const int64_t fine = stretch->fine + stretch->fine_step * (int64_t)r;
    const size_t row = (size_t)fine * table->pairs + lane->first;

    for (size_t j = 0; j < lane->count; j++) {
        const double x = weights.by_cos[j] * table->fine_cos[row + j];
        const double y = weights.by_sin[j] * table->fine_sin[row + j];
        double value = x + y;
        const bool cancelled = fabs(value) < NEAR_ZERO * (fabs(x) + fabs(y));

        if (cancelled) {
            double sine, cosine;

            phase_sincos_scaled(&table->freq[lane->first + j],
                                (double)(stretch->first + stretch->step * (int64_t)r),
                                fast->rotation->amplitude, &sine, &cosine);
            value = lane->wave == ROTATION_COS ? cosine : sine;
        }
        if (cancelled || all || (float)value == 0)
            store(fast->dtype, element_at(fast, lane, stretch->row + r, j), value);
    }
}

/* Return how the second wave follows from the first: a sine is a cosine a quarter turn before,
 * or after. */
static enum rotation_turn turn_of(const struct rotation_lane *first,
                                  const struct rotation_lane *second, bool negative)
{
    if (first->wave == second->wave)
        return ROTATION_ANY;
    return (first->wave == ROTATION_SIN) != negative ? ROTATION_MINUS_QUARTER
                                                     : ROTATION_QUARTER;
}

/* True when two lanes fill the columns between each other. */
static bool alternate(const struct rotation_lane *a, const struct rotation_lane *b)
{
    return a->slot == b->slot && a->step == 2 && b->step == 2 &&
           (a->start + 1 == b->start || b->start + 1 == a->start);
}

static struct rotation_job job_of(const struct fast *fast, const struct stretch *stretch,
                                  const struct rotation_lane *first,
                                  const struct rotation_lane *second)
{
    const struct rotation_table *table = fast->rotation->table;
    const size_t at = (size_t)stretch->fine * table->pairs + first->first;
    const double near = KERNEL_NEAR * fabs(fast->rotation->amplitude);

    return (struct rotation_job){
        .dtype = fast->dtype,
        .layout = ROTATION_TWO,
        .weights = {weights_of(fast, first, stretch->negative),
                    weights_of(fast, second, stretch->negative)},
        .fine_cos = table->fine_cos + at,
        .fine_sin = table->fine_sin + at,
        .fine_step = (ptrdiff_t)stretch->fine_step * (ptrdiff_t)table->pairs,
        .rows = stretch->rows,
        .count = first->count,
        .out = {element_at(fast, first, stretch->row, 0),
                element_at(fast, second, stretch->row, 0)},
        .out_step = fast->rect->cols,
        .near = rotation_kernel_round(fast->dtype, near),
    };
}

/* Fill one lane, or two at once; return the number of lanes that were filled. */
static size_t fill_lanes(const struct fast *fast, const struct stretch *stretch,
                         const struct rotation_lane *lanes, size_t count)
{
    const bool alternating = count > 1 && alternate(&lanes[0], &lanes[1]);
    const bool two = alternating || (count > 1 && lanes[0].step == 1 && lanes[1].step == 1);
    const bool turned = alternating && lanes[1].start < lanes[0].start;

    if (!two && lanes[0].step != 1) {
        for (uint64_t r = 0; r < stretch->rows; r++)
            repair(fast, &lanes[0], stretch, r, true);
        return 1;
    }
    uint8_t near_zero[FINE_ROWS_MOST];
    struct rotation_job job = job_of(fast, stretch, &lanes[turned], &lanes[two && !turned]);
    job.layout = alternating ? ROTATION_ALTERNATING : two ? ROTATION_TWO : ROTATION_PLAIN;
    job.turn = turn_of(&lanes[turned], &lanes[two && !turned], stretch->negative);
    job.near_zero = near_zero;
    rotation_kernel(&job);
    for (const uint8_t *at = near_zero, *end = at + stretch->rows;
         (at = memchr(at, true, (size_t)(end - at))) != NULL; at++)
        for (size_t i = 0; i <= two; i++)
            repair(fast, &lanes[i], stretch, (uint64_t)(at - near_zero), false);
    return two ? 2 : 1;
}

static void zero_lane(const struct fast *fast, const struct rotation_lane *lane, uint64_t row,
                      uint64_t rows)
{
    for (uint64_t r = row; r < row + rows; r++)
        for (size_t j = 0; j < lane->count; j++)
            memset(element_at(fast, lane, r, j), 0, fast->element);
}

static void fill_stretch(struct fast *fast, const struct stretch *stretch,
                         const struct rotation_lane *lanes, size_t count)
{
    const double zero = fast->rotation->zero_position;
    size_t spans = 0;

    fast->coarse = coarse_rows(fast);
    for (size_t i = 0, span; i < count; i += span) {
        span = rotation_lane_span(lanes + i, count - i);
        if (lanes[i].wave == ROTATION_ZERO) {
            zero_lane(fast, &lanes[i], stretch->row, stretch->rows);
            continue;
        }
        make_coarse(fast, spans++, &lanes[i], stretch->coarse);
        for (size_t k = 0; k < span;)
            k += fill_lanes(fast, stretch, lanes + i + k, span - k);
        fast->coarse += fast->room ? 4 * lanes[i].count : 0;
    }
    for (uint64_t r = 0; !isnan(zero) && r < stretch->rows; r++) {
        const int64_t position = stretch->first + stretch->step * (int64_t)r;

        for (size_t i = 0; (double)position == zero && i < count; i++)
            zero_lane(fast, &lanes[i], stretch->row + r, 1);
    }
}

/* Return how many pairs the coarse rows of any rectangle of `elements` elements may have. */
static size_t pairs_most(const struct rotation *rotation, uint64_t elements)
{
    size_t pairs = 0;

    for (size_t i = 0; i < rotation->band_count; i++) {
        const struct rotation_band *band = &rotation->bands[i];
        bool shown = band->wave == ROTATION_ZERO; /* it needs no row, or shares one */

        for (size_t k = 0; k < i && !shown; k++)
            shown = rotation->bands[k].wave != ROTATION_ZERO &&
                    rotation->bands[k].first == band->first &&
                    rotation->bands[k].count == band->count;
        pairs += shown ? 0 : band->count;
    }
    return elements < pairs ? (size_t)elements : pairs;
}

static bool have_room(const struct fast *fast, const struct rotation_lane *lanes, size_t count)
{
    size_t pairs = 0;

    for (size_t i = 0; i < count; i += rotation_lane_span(lanes + i, count - i))
        pairs += lanes[i].wave == ROTATION_ZERO ? 0 : lanes[i].count;
    return pairs <= pairs_most(fast->rotation, fast->rect->rows * fast->rect->cols);
}

bool rotation_fast_fill(const void *state, const struct pe_rect *rect, enum pe_dtype dtype,
                        void *const out[], void *scratch)
{
    const struct rotation *rotation = state;
    const struct rotation_table *table = rotation->table;

    if ((dtype != PE_F32 && dtype != PE_F16 && dtype != PE_BF16) || table->fine_rows == 0 ||
        rotation->angle != ROTATION_EXACT || !pe_positions_whole(rotation->pos))
        return false;
    struct rotation_lane lanes[ROTATION_MAX_BANDS];
    const size_t lane_count = rotation_lane_lay(rotation, rect, out, lanes);
    struct fast fast = {.rotation = rotation,
                        .rect = rect,
                        .dtype = dtype,
                        .element = pe_dtype_size(dtype),
                        .out = out,
                        .memory = scratch};
    fast.room = have_room(&fast, lanes, lane_count);
    for (uint64_t row = 0; row < rect->rows;) {
        const struct pe_run run = pe_positions_run(rotation->pos, rect->row + row);
        uint64_t left = run.left < rect->rows - row ? run.left : rect->rows - row;
        int64_t position = (int64_t)run.first;

        while (left > 0) {
            struct stretch stretch =
                stretch_of(position, run.step, left, (int64_t)table->fine_rows);

            stretch.row = row;
            fill_stretch(&fast, &stretch, lanes, lane_count);
            row += stretch.rows;
            left -= stretch.rows;
            position += run.step * (int64_t)stretch.rows;
        }
    }
    return true;
}

size_t rotation_fast_scratch(const void *state, uint64_t elements)
{
    return MEMORY_BYTES + 4 * pairs_most(state, elements) * sizeof(double);
}
