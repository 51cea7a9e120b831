/* SPDX-License-Identifier: Apache-2.0
 * positions.c - a list of positions as merged runs, never expanded.
 *
 * Merging is greedy from left to right, as canonical form asks: three or more whole positions
 * with a constant step become one run, however they were written; every other position stays an
 * item. So "0,1,2,3", "0:2,2:4" and "0:4" are the same list. */
#include "core/args/positions.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/number.h"

struct run {
    double first;
    int64_t step;
    uint64_t before; /* positions in the runs before this one */
};

_Static_assert(sizeof(struct run) == 24, "no padding: a run is compared by its bytes");

struct pe_positions {
    uint64_t count;
    double low, high;
    bool whole;
    size_t run_count;
    struct run runs[]; /* run_count runs, and one more whose `before` is count */
};

/* Returns position i of a run. Runs of more than one position are whole; steps and products may
 * lie beyond 2^53, where only integers are exact ("-2^53:2^53" has 2^54 positions). */
static double position_in(double first, int64_t step, uint64_t i)
{
    return step == 0 ? first : (double)((int64_t)first + step * (int64_t)i);
}

/* ---- merging ------------------------------------------------------------------------ */

/* Merges slices that arrive one after the other and emits finished runs. */
struct merger {
    struct position_slice open; /* count 0: no run is open */
    struct run *runs;           /* NULL: runs are only counted */
    size_t run_count;
    uint64_t before;
};

static void emit(struct merger *merger, double first, int64_t step, uint64_t count)
{
    if (merger->runs)
        merger->runs[merger->run_count] = (struct run){first, step, merger->before};
    merger->run_count++;
    merger->before += count;
}

/* Emit the open run so that `next` can start one. Two positions make no run, so the second of
 * them stays open unless nothing follows. */
static void flush(struct merger *merger, bool at_end)
{
    struct position_slice *open = &merger->open;

    if (open->count == 0)
        return;
    if (open->count == 2) {
        emit(merger, open->first, 0, 1);
        *open = (struct position_slice){position_in(open->first, open->step, 1), 0, 1};
        if (!at_end)
            return;
    }
    emit(merger, open->first, open->count > 1 ? open->step : 0, open->count);
    open->count = 0;
}

static double last_of(const struct position_slice *slice)
{
    return position_in(slice->first, slice->step, slice->count - 1);
}

static void add_one(struct merger *merger, double position)
{
    struct position_slice *open = &merger->open;
    bool whole = position == trunc(position);

    for (;;) {
        bool both_whole = open->count > 0 && whole && open->first == trunc(open->first);
        int64_t step = both_whole ? (int64_t)position - (int64_t)last_of(open) : 0;
        bool joins = step != 0 && (open->count == 1 || step == open->step);

        if (open->count == 0) {
            *open = (struct position_slice){position, 0, 1};
            return;
        }
        if (joins) {
            open->step = step;
            open->count++;
            return;
        }
        flush(merger, false);
    }
}

static void add_slice(struct merger *merger, const struct position_slice *slice)
{
    for (uint64_t i = 0; i < slice->count; i++) {
        double position = position_in(slice->first, slice->step, i);

        add_one(merger, position);
        if (merger->open.count > 1 && merger->open.step == slice->step) {
            merger->open.count += slice->count - 1 - i; /* the remaining positions follow at
                                                         * this step */
            return;
        }
    }
}

static void merge(struct merger *merger, const struct position_slice *slices,
                  const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (slices)
            add_slice(merger, &slices[i]);
        else
            add_one(merger, values[i] + 0.0); /* -0 becomes 0 */
    flush(merger, true);
}

/* ---- life ----------------------------------------------------------------------------- */

/* Returns run number i, from its first position. */
static struct pe_run run_at(const struct pe_positions *pos, size_t i)
{
    return (struct pe_run){pos->runs[i].first, pos->runs[i].step,
                           pos->runs[i + 1].before - pos->runs[i].before};
}

static void note_range(struct pe_positions *pos)
{
    pos->whole = true;
    for (size_t i = 0; i < pos->run_count; i++) {
        struct pe_run run = run_at(pos, i);
        double last = position_in(run.first, run.step, run.left - 1);

        pos->whole = pos->whole && run.first == trunc(run.first);
        if (i == 0)
            pos->low = pos->high = run.first;
        pos->low = fmin(pos->low, fmin(run.first, last));
        pos->high = fmax(pos->high, fmax(run.first, last));
    }
}

struct pe_positions *positions_new(const struct position_slice *slices, const double *values,
                                   size_t count)
{
    struct merger merger = {.runs = NULL};
    struct pe_positions *pos;

    merge(&merger, slices, values, count);
    pos = calloc(1, sizeof *pos + (merger.run_count + 1) * sizeof *pos->runs);
    if (!pos)
        return NULL;
    pos->count = merger.before;
    pos->run_count = merger.run_count;
    merger = (struct merger){.runs = pos->runs};
    merge(&merger, slices, values, count);
    assert(merger.run_count == pos->run_count && merger.before == pos->count);
    pos->runs[pos->run_count].before = pos->count;
    note_range(pos);
    return pos;
}

struct pe_positions *positions_copy(const struct pe_positions *pos)
{
    const size_t bytes = sizeof *pos + (pos->run_count + 1) * sizeof *pos->runs;
    struct pe_positions *copy = malloc(bytes);

    return copy ? memcpy(copy, pos, bytes) : NULL;
}

void positions_free(struct pe_positions *pos)
{
    free(pos);
}

/* ---- reading --------------------------------------------------------------------------- */

uint64_t pe_positions_count(const struct pe_positions *pos)
{
    return pos->count;
}

bool pe_positions_whole(const struct pe_positions *pos)
{
    return pos->whole;
}

void pe_positions_range(const struct pe_positions *pos, double *low, double *high)
{
    *low = pos->low;
    *high = pos->high;
}

struct pe_run pe_positions_run(const struct pe_positions *pos, uint64_t i)
{
    size_t low = 0, high = pos->run_count; /* the run is in [low, high) */
    const struct run *run;

    assert(i < pos->count);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (pos->runs[middle].before <= i)
            low = middle;
        else
            high = middle;
    }
    run = &pos->runs[low];
    return (struct pe_run){position_in(run->first, run->step, i - run->before), run->step,
                           run[1].before - i};
}

double pe_positions_at(const struct pe_positions *pos, uint64_t i)
{
    return pe_positions_run(pos, i).first;
}

double positions_next(struct positions_cursor *cursor)
{
    const struct run *run = &cursor->pos->runs[cursor->run];
    const double position = position_in(run->first, run->step, cursor->next - run->before);

    assert(cursor->next < cursor->pos->count);
    cursor->next++;
    cursor->run += cursor->next == run[1].before;
    return position;
}

/* ---- printing ---------------------------------------------------------------------------- */

/* Writes text as far as the buffer reaches; len counts all of it. */
struct printer {
    char *text;
    size_t size, len;
};

static void print_text(struct printer *to, const char *text, size_t len)
{
    size_t space = to->len + 1 < to->size ? to->size - 1 - to->len : 0;

    if (space > 0)
        memcpy(to->text + to->len, text, len < space ? len : space);
    to->len += len;
}

static void print_number(struct printer *to, double number)
{
    char text[NUMBER_TEXT_MAX];

    print_text(to, text, number_print(text, number));
}

/* Prints an integer: ends and steps of slices lie beyond 2^53, where doubles have gaps. */
static void print_whole(struct printer *to, int64_t number)
{
    char text[24];

    print_text(to, text, (size_t)snprintf(text, sizeof text, "%lld", (long long)number));
}

size_t positions_print(const struct pe_positions *pos, char *text, size_t size)
{
    struct printer to = {text, size, 0};

    if (pos->count == 0)
        print_text(&to, "0:0", 3);
    for (size_t i = 0; i < pos->run_count; i++) {
        struct pe_run run = run_at(pos, i);
        int64_t last;

        if (i > 0)
            print_text(&to, ",", 1);
        print_number(&to, run.first);
        if (run.left == 1)
            continue;
        last = (int64_t)position_in(run.first, run.step, run.left - 1);
        print_text(&to, ":", 1);
        print_whole(&to, run.step > 0 ? last + 1 : last - 1); /* the smallest stop that includes
                                                               * the last position */
        if (run.step != 1) {
            print_text(&to, ":", 1);
            print_whole(&to, run.step);
        }
    }
    if (size > 0)
        text[to.len < size ? to.len : size - 1] = '\0';
    return to.len;
}

size_t positions_runs(const struct pe_positions *pos, const void **bits, size_t *bits_len)
{
    *bits = pos->runs;
    *bits_len = (pos->run_count + 1) * sizeof *pos->runs; /* with the entry that holds where the
                                                           * last run ends */
    return pos->run_count;
}
