/* SPDX-License-Identifier: Apache-2.0
 * unlike.c - see unlike.h. The cosine and the sine of an angle have squares that add up to the
 * square of the amplitude, whatever the angle is: a search without a claim that has looked for
 * such a circle once need not plan the tables of thousands of drafts. Of cosines alone the
 * slowest pairs tell, and all of them where positions have equal steps: random numbers have
 * neither. */
#include "core/verify/sight/unlike.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 24, ROWS_LEAST = 6, COLS_LEAST = 16, COLS_MOST = 4096, PROBES = 3, STEPS = 48 };
/* Sums of squares on a circle may differ so far: the rounding of angles moves a number by up to
 * 0.02 (bound_angle), that of bfloat16 by 0.004. */
static const double even = 0.3;
/* A slow pair moves by this share of the amplitude at most, and a steady one is at most so far
 * from where it must be, in so many of the rows. */
static const double slow = 0.2, mostly = 0.8;

/* Returns the row number i of those that are read, spread from the second to the last. */
static uint64_t row_of(uint64_t rows, size_t i, size_t count)
{
    return rows <= count ? i : 1 + (rows - 2) * i / (count - 1);
}

/* Returns the column number i of PROBES, spread over all. */
static uint64_t probed(uint64_t cols, size_t i)
{
    return cols * (2 * i + 1) / (2 * PROBES);
}

/* ---- rows of sines ---------------------------------------------------------------------- */

/* Rows of a tensor, one behind the other. */
struct rows {
    double *at;
    size_t count, cols;
};

static bool is_zero(const double *row, size_t cols)
{
    for (size_t i = 0; i < cols; i++)
        if (row[i] != 0)
            return false;
    return true;
}

/* Reads rows that are not zeros alone, as padding is. */
static bool read_rows(struct rows *rows, const struct view *view, bool *failed)
{
    const uint64_t all = view_rows(view);
    const size_t most = all < ROWS ? (size_t)all : ROWS;

    *rows = (struct rows){.cols = (size_t)view_cols(view)};
    struct row_buffer memory = row_buffer_new(most * rows->cols, failed);
    rows->at = memory.at;
    for (size_t i = 0; memory.at && i < most; i++) {
        const size_t start = rows->count * rows->cols;

        view_row(view, row_of(all, i, most), row_buffer_part(memory, start, rows->cols));
        rows->count += !is_zero(memory.at + start, rows->cols);
    }
    return memory.at != NULL;
}

/* Returns whether the squares of two columns add up to one number in all rows. */
static bool is_circle(const struct rows *rows, size_t col, size_t other)
{
    double least = INFINITY, most = 0;

    for (size_t i = 0; i < rows->count; i++) {
        const double x = rows->at[i * rows->cols + col], y = rows->at[i * rows->cols + other];
        const double sum = x * x + y * y;

        if (!isfinite(sum))
            return false;
        least = fmin(least, sum);
        most = fmax(most, sum);
        if (most - least > even * most)
            return false;
    }
    return true;
}

/* Returns whether a column is one of a pair, in whatever order columns stand. */
static bool has_partner(const struct rows *rows, size_t col)
{
    for (size_t other = 0; other < rows->cols; other++)
        if (other != col && is_circle(rows, col, other))
            return true;
    return false;
}

/* Returns whether none of a few columns is one of a pair: one that is none may be padding, or a
 * coordinate. */
static bool has_no_pairs(const struct view *view, bool *failed)
{
    const uint64_t cols = view_cols(view);
    struct rows rows;

    if (view_rows(view) < ROWS_LEAST || cols < 2 * PROBES || cols > COLS_MOST ||
        !read_rows(&rows, view, failed))
        return false;
    bool found = rows.count < ROWS_LEAST;
    for (size_t i = 0; i < PROBES && !found; i++)
        found = has_partner(&rows, (size_t)probed(cols, i));
    free(rows.at);
    return !found;
}

/* ---- tables of cosines and of sines ----------------------------------------------------- */

/* Returns whether the squares of cosines and sines add up to more than one number. */
static bool is_no_circle(const struct view *cosine, const struct view *sine)
{
    const uint64_t rows = view_rows(cosine), cols = view_cols(cosine);
    const size_t count = rows < ROWS ? (size_t)rows : ROWS;
    double least = INFINITY, most = 0;

    if (view_rows(sine) != rows || view_cols(sine) != cols || rows * cols < ROWS)
        return false;
    for (size_t i = 0; i < count; i++) {
        const uint64_t row = row_of(rows, i, count), step = cols / ROWS + 1;

        for (uint64_t col = i % step; col < cols; col += step) {
            const double x = view_element(cosine, row, col), y = view_element(sine, row, col);

            if (x == 0 && y == 0)
                continue; /* it was never written */
            least = fmin(least, x * x + y * y);
            most = fmax(most, x * x + y * y);
        }
    }
    return isfinite(most) && most - least > even * most;
}

/* ---- one of two tables ------------------------------------------------------------------ */

/* Returns whether a column moves little from row to row, but for a few rows: those that begin a
 * line of a grid. */
static bool is_slow(const struct view *view, uint64_t col, double most)
{
    const uint64_t rows = view_rows(view) - 1;
    const size_t count = rows < STEPS ? (size_t)rows : STEPS;
    size_t small = 0;

    for (size_t i = 0; i < count; i++) {
        const uint64_t row = row_of(rows, i, count);
        const double step = view_element(view, row + 1, col) - view_element(view, row, col);

        small += fabs(step) <= slow * most;
    }
    return (double)small >= mostly * (double)count;
}

/* Returns whether a column turns by one angle w from row to row, but for a few rows: the
 * numbers on both sides of x add up to 2 cos(w) x then. */
static bool is_steady(const struct view *view, uint64_t col, double most)
{
    const uint64_t rows = view_rows(view) - 2;
    const size_t count = rows < STEPS ? (size_t)rows : STEPS;
    double at[STEPS], sides[STEPS], products = 0, squares = 0;
    size_t steady = 0;

    for (size_t i = 0; i < count; i++) {
        const uint64_t row = row_of(rows, i, count);

        at[i] = view_element(view, row + 1, col);
        sides[i] = view_element(view, row, col) + view_element(view, row + 2, col);
        products += at[i] * sides[i];
        squares += at[i] * at[i];
    }
    for (size_t i = 0; i < count && squares > 0; i++)
        steady += fabs(sides[i] - products / squares * at[i]) <= slow * most;
    return (double)steady >= mostly * (double)count;
}

/* Returns whether no column moves slowly, and none of a few is steady: of many pairs the last
 * ones hardly turn, unless positions have long steps. */
static bool is_fast(const struct view *view)
{
    const uint64_t cols = view_cols(view);
    const double most = fmax(fabs(view->least), fabs(view->most));

    if (view_rows(view) < STEPS || cols < COLS_LEAST || cols > COLS_MOST || view->nan ||
        view->infinite)
        return false;
    for (size_t i = 0; i < PROBES; i++)
        if (is_steady(view, probed(cols, i), most))
            return false;
    for (uint64_t col = cols; col-- > 0;)
        if (is_slow(view, col, most))
            return false;
    return true;
}

/* ---- masks ------------------------------------------------------------------------------ */

/* Returns whether a mask that is added has a number beside the two that such a mask has. */
static bool is_no_mask(const struct view *view)
{
    const uint64_t rows = view_rows(view), cols = view_cols(view);
    const size_t count = rows < ROWS ? (size_t)rows : ROWS;

    for (size_t i = 0; i < count; i++)
        for (uint64_t col = 0; col < cols; col++) {
            const double number = view_element(view, row_of(rows, i, count), col);

            if (number != view->least && number != view->most && isfinite(number))
                return true;
        }
    return false;
}

/* ---- outputs ---------------------------------------------------------------------------- */

static bool is_same(const struct view *view, const struct view *other)
{
    return view->data == other->data && view->rank == other->rank &&
           memcmp(view->dims, other->dims, view->rank * sizeof *view->dims) == 0 &&
           memcmp(view->stride, other->stride, view->rank * sizeof *view->stride) == 0;
}

/* What numbers of an output have. */
enum property { ANY, PAIRS, CIRCLE, SLOW_PAIR, TWO_NUMBERS };

/* Returns what the numbers have beside these sines, which may be NULL, or beside cosines, which
 * are judged with them. */
static enum property property_of(const struct unlike_seen *seen,
                                 const struct unlike_seen *sines, bool beside_cosines)
{
    const struct pe_output *output = seen->output;

    if (output->columns == PE_COLUMN_WAVE || output->columns == PE_COLUMN_AXES_WAVE)
        return PAIRS;
    if (output->columns == PE_COLUMN_PAIRED)
        return sines ? CIRCLE : beside_cosines ? ANY : SLOW_PAIR;
    return seen->family == PE_MASK && strcmp(output->name, "additive") == 0 ? TWO_NUMBERS : ANY;
}

static bool lacks(enum property property, const struct view *view, const struct view *sines,
                  bool *failed)
{
    switch (property) {
    case PAIRS:
        return has_no_pairs(view, failed);
    case CIRCLE:
        return is_no_circle(view, sines);
    case SLOW_PAIR:
        return is_fast(view);
    case TWO_NUMBERS:
        return is_no_mask(view);
    case ANY:
    default:
        return false;
    }
}

/* Returns the tensor of the sines beside cosines, NULL if there is none. */
static const struct unlike_seen *sines_of(const struct unlike_seen *seen, size_t count,
                                          const struct unlike_seen *cosines)
{
    for (size_t i = 0; i < count && strcmp(cosines->output->name, "cos") == 0; i++)
        if (seen[i].output == cosines->output + 1)
            return &seen[i];
    return NULL;
}

/* Returns whether a tensor has the sines of cosines that are there. */
static bool has_cosines(const struct unlike_seen *seen, size_t count,
                        const struct unlike_seen *sines)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(seen[i].output->name, "cos") == 0 && sines->output == seen[i].output + 1)
            return true;
    return false;
}

bool unlike(const struct unlike_seen *seen, size_t count, struct unlike_known *known,
            bool *failed)
{
    for (size_t i = 0; i < count; i++) {
        const struct unlike_seen *sines = sines_of(seen, count, &seen[i]);
        const enum property property =
            property_of(&seen[i], sines, has_cosines(seen, count, &seen[i]));
        const unsigned char *data = sines ? sines->view.data : NULL;

        if (known[i].property != (int)property || known[i].sines != data ||
            !is_same(&known[i].view, &seen[i].view))
            known[i] = (struct unlike_known){
                seen[i].view, data, (int)property,
                lacks(property, &seen[i].view, sines ? &sines->view : NULL, failed)};
        if (known[i].unlike)
            return true;
    }
    return false;
}
