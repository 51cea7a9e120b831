/* SPDX-License-Identifier: Apache-2.0
 * rotation_fast.c - the fast path: runs of positions that share a coarse row are filled from
 * fine rows by the addition theorem; elements whose terms cancelled are evaluated directly. */
#include "core/math/rotation/rotation_fast.h"

#include <math.h>
#include <string.h>

#include "core/math/rotation/rotation_coarse.h"
#include "core/math/rotation/rotation_repair.h"

/* An element is x + y, x and y products of a coarse and a fine value that were evaluated
 * directly, each within 0.95 ULP: the relative error of a product is at most 2.4 * 2^-52. So
 * where |x + y| >= ROTATION_NEAR_ZERO * (|x| + |y|) its relative error is at most 2.4 * 2^-52 /
 * ROTATION_NEAR_ZERO < 2^-34, less than 0.0006 ULP of float32 (and less of narrower types); an
 * element below is evaluated directly. The rule looks at the element alone. As |x| + |y| <=
 * 1.42 * amplitude, every such element is below KERNEL_NEAR * amplitude, also when both are
 * rounded: the kernels look for those; they are about one in 50,000.
 *
 * Two ways of computing an element agree within (2.4 + 0.5) * 2^-52 * (|x| + |y|) on each side,
 * the sum rounded, so within 8.3 * 2^-52 * amplitude < ROTATION_APART * amplitude; direct
 * evaluation is nearer. Only one way may decide: it must not matter whether a table of fine
 * rows is at hand. So where another way than the deciding one computes, the kernels mark the
 * rows that have an element below EXACT_NEAR * amplitude or within ROTATION_APART * amplitude
 * of the middle of two numbers, about one element in 2,000, and rotation_repair_exact decides
 * these. */
#define KERNEL_NEAR (1.5 * ROTATION_NEAR_ZERO)
#define EXACT_NEAR 0x1p-12

enum { FINE_ROWS_MOST = 256 };

/* ---- lanes of a stretch ------------------------------------------------------------------ */

/* Returns how the second wave follows from the first: a sine is a cosine a quarter turn before,
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

/* True when another path than this decides the last bit. */
static bool is_exact(const struct rotation_fast *fast, const struct rotation_stretch *stretch)
{
    return !stretch->sure &&
           (fast->strided || pe_positions_count(fast->rotation->pos) < ROTATION_FINE_FROM);
}

static struct rotation_job job_of(const struct rotation_fast *fast,
                                  const struct rotation_stretch *stretch,
                                  const struct rotation_lane *first,
                                  const struct rotation_lane *second)
{
    const size_t pairs = fast->rotation->table->pairs;
    const size_t at = (size_t)stretch->fine * pairs + first->first;
    const double amplitude = fabs(fast->rotation->amplitude);
    const bool exact = is_exact(fast, stretch);
    const double near = amplitude * (exact ? EXACT_NEAR : KERNEL_NEAR);

    return (struct rotation_job){
        .dtype = fast->dtype,
        .layout = ROTATION_TWO,
        .weights = {rotation_stretch_weights(fast, first, stretch->negative),
                    rotation_stretch_weights(fast, second, stretch->negative)},
        .fine_cos = fast->fine->cos + at,
        .fine_sin = fast->fine->sin + at,
        .fine_step = (ptrdiff_t)stretch->fine_step * (ptrdiff_t)pairs,
        .rows = stretch->rows,
        .count = first->count,
        .out = {rotation_stretch_element(fast, first, stretch->row, 0),
                rotation_stretch_element(fast, second, stretch->row, 0)},
        .out_step = fast->rect->cols,
        .near = rotation_kernel_round(fast->dtype, near),
        .apart = exact ? ROTATION_APART * amplitude : 0,
    };
}

/* True when fine rows are the values: the coarse row of a sure stretch is that of position 0,
 * and is not made. It serves short lists alone, of which position 0 is much. */
static bool is_copied(const struct rotation_fast *fast, const struct rotation_stretch *stretch)
{
    return stretch->sure && pe_positions_count(fast->rotation->pos) < ROTATION_FINE_FROM;
}

/* Have a job copy fine rows. */
static void copy_fine(const struct rotation_stretch *stretch, const struct rotation_lane *first,
                      const struct rotation_lane *second, struct rotation_job *job)
{
    const struct rotation_lane *lanes[] = {first, second};

    for (size_t i = 0; i < 2; i++) {
        const bool cosine = lanes[i]->wave == ROTATION_COS;

        job->copied[i] = cosine ? job->fine_cos : job->fine_sin;
        job->sign[i] = !cosine && stretch->negative ? -1 : 1;
    }
}

static void repair_row(const struct rotation_fast *fast, const struct rotation_lane *lane,
                       const struct rotation_stretch *stretch, uint64_t r, bool all)
{
    if (is_copied(fast, stretch))
        rotation_repair_copy(fast, lane, stretch, r);
    else if (is_exact(fast, stretch))
        rotation_repair_exact(fast, lane, stretch, r, all);
    else
        rotation_repair(fast, lane, stretch, r, all);
}

/* Fills one lane, or two at once; returns the number of lanes that were filled. */
static size_t fill_lanes(const struct rotation_fast *fast,
                         const struct rotation_stretch *stretch,
                         const struct rotation_lane *lanes, size_t count)
{
    const bool alternating = count > 1 && alternate(&lanes[0], &lanes[1]);
    const bool two = alternating || (count > 1 && lanes[0].step == 1 && lanes[1].step == 1);
    const bool turned = alternating && lanes[1].start < lanes[0].start;

    if (!two && lanes[0].step != 1) {
        for (uint64_t r = 0; r < stretch->rows; r++)
            repair_row(fast, &lanes[0], stretch, r, true);
        return 1;
    }
    uint8_t marked[FINE_ROWS_MOST];
    struct rotation_job job = job_of(fast, stretch, &lanes[turned], &lanes[two && !turned]);
    job.layout = alternating ? ROTATION_ALTERNATING : two ? ROTATION_TWO : ROTATION_PLAIN;
    job.turn = turn_of(&lanes[turned], &lanes[two && !turned], stretch->negative);
    job.marked = marked;
    if (is_copied(fast, stretch))
        copy_fine(stretch, &lanes[turned], &lanes[two && !turned], &job);
    rotation_kernel(&job);
    for (const uint8_t *at = marked, *end = at + stretch->rows;
         (at = memchr(at, true, (size_t)(end - at))) != NULL; at++)
        for (size_t i = 0; i <= two; i++)
            repair_row(fast, &lanes[i], stretch, (uint64_t)(at - marked), false);
    return two ? 2 : 1;
}

static void zero_lane(const struct rotation_fast *fast, const struct rotation_lane *lane,
                      uint64_t row, uint64_t rows)
{
    for (uint64_t r = row; r < row + rows; r++)
        for (size_t j = 0; j < lane->count; j++)
            memset(rotation_stretch_element(fast, lane, r, j), 0, fast->element);
}

/* ---- stretches --------------------------------------------------------------------------- */

static void fill_stretch(struct rotation_fast *fast, const struct rotation_stretch *stretch,
                         const struct rotation_lane *lanes, size_t count)
{
    const double zero = fast->rotation->zero_position;
    size_t spans = 0;

    fast->coarse = rotation_coarse_rows(fast);
    for (size_t i = 0, span; i < count; i += span) {
        span = rotation_lane_span(lanes + i, count - i);
        if (lanes[i].wave == ROTATION_ZERO) {
            zero_lane(fast, &lanes[i], stretch->row, stretch->rows);
            continue;
        }
        if (!is_copied(fast, stretch))
            rotation_coarse_make(fast, spans++, &lanes[i], stretch->coarse);
        for (size_t k = 0; k < span;)
            k += fill_lanes(fast, stretch, lanes + i + k, span - k);
        fast->coarse += fast->fits ? 4 * lanes[i].count : 0;
    }
    for (uint64_t r = 0; !isnan(zero) && r < stretch->rows; r++) {
        const int64_t position = stretch->first + stretch->step * (int64_t)r;

        for (size_t i = 0; (double)position == zero && i < count; i++)
            zero_lane(fast, &lanes[i], stretch->row + r, 1);
    }
}

/* Returns the fine rows that serve a rotation as dtype, or NULL: it is evaluated directly. */
static const struct rotation_fine *fine_for(const struct rotation *rotation,
                                            enum pe_dtype dtype)
{
    const uint64_t count = pe_positions_count(rotation->pos);
    const double amplitude = fabs(rotation->amplitude);
    const struct rotation_fine *fine = rotation_table_fine(rotation->table);

    if ((dtype != PE_F32 && dtype != PE_F16 && dtype != PE_BF16) ||
        rotation->angle != ROTATION_EXACT || !pe_positions_whole(rotation->pos))
        return NULL;
    /* The middles of numbers are where the kernels look for them only in the normal range. */
    if (count < ROTATION_FINE_FROM &&
        (amplitude > 0x1p60 || amplitude < (dtype == PE_F16 ? 0x1p-2 : 0x1p-60)))
        return NULL;
    /* A single row saves no coarse row, unless it is a fine row. */
    if (fine && count == 1 &&
        !(rotation->amplitude == 1 &&
          fabs(pe_positions_at(rotation->pos, 0)) < (double)fine->rows))
        return NULL;
    return fine;
}

bool rotation_fast_fill(const void *state, const struct pe_rect *rect, enum pe_dtype dtype,
                        void *const out[], void *scratch)
{
    const struct rotation *rotation = state;
    const struct rotation_fine *fine = fine_for(rotation, dtype);
    struct rotation_lane lanes[ROTATION_MAX_BANDS];

    if (!fine)
        return false;
    const size_t lane_count = rotation_lane_lay(rotation, rect, out, lanes);
    struct rotation_fast fast = {.rotation = rotation,
                                 .rect = rect,
                                 .dtype = dtype,
                                 .element = pe_dtype_size(dtype),
                                 .out = out,
                                 .fine = rotation->stride ? rotation->stride : fine,
                                 .strided = rotation->stride != NULL,
                                 .memory = scratch};
    fast.fits = rotation_coarse_fits(&fast, lanes, lane_count);
    for (uint64_t row = 0; row < rect->rows;) {
        struct pe_run run = pe_positions_run(rotation->pos, rect->row + row);

        run.left = run.left < rect->rows - row ? run.left : rect->rows - row;
        while (run.left > 0) {
            const struct rotation_stretch stretch = rotation_stretch_of(&fast, row, &run);

            fill_stretch(&fast, &stretch, lanes, lane_count);
            row += stretch.rows;
            run.left -= stretch.rows;
            run.first += (double)(run.step * (int64_t)stretch.rows);
        }
    }
    return true;
}

size_t rotation_fast_scratch(const void *state, uint64_t elements)
{
    return ROTATION_MEMORY_BYTES + 4 * rotation_coarse_pairs(state, elements) * sizeof(double);
}
