/* SPDX-License-Identifier: Apache-2.0
 * token_runs.c - collects runs, and gives the id of a token on an axis. */
#include "core/encodings/index/token_runs.h"

#include <math.h>

#include "core/math/number/elementary.h"

struct dd token_runs_interval(double rate, double seconds)
{
    return elementary_product_any(rate, seconds);
}

double token_runs_time(const struct token_run *run, uint64_t frame)
{
    double time = run->interval.hi * (double)frame;

    if (run->rate > 0) {
        float seconds = (float)frame * run->seconds;

        time = (double)(seconds * run->rate);
    }

    return run->truncate ? trunc(time) : time;
}

struct dd token_runs_time_exact(const struct token_run *run, uint64_t frame)
{
    struct dd time;

    if (run->truncate || run->rate > 0)
        return (struct dd){token_runs_time(run, frame), 0};
    time = elementary_product_any(run->interval.hi, (double)frame);
    return elementary_add(time, (struct dd){run->interval.lo * (double)frame, 0});
}

static struct dd plus(struct dd a, double b)
{
    return elementary_add(a, (struct dd){b, 0});
}

static struct dd id_at(const struct token_run *run, uint64_t axis, uint64_t token)
{
    uint64_t i = token - run->first, plane = run->rows * run->cols;
    struct dd time;

    if (run->kind == RUN_TEXT)
        return plus(run->start[0], (double)i);
    if (run->kind == RUN_CONSTANT)
        return run->start[0];
    if (run->kind == RUN_NUMBERED)
        return axis == 0   ? (struct dd){(double)token, 0}
               : axis == 1 ? (struct dd){(double)(i % run->cols), 0}
               : axis == 2 ? (struct dd){(double)(i / run->cols), 0}
                           : run->start[0];
    time = token_runs_time_exact(run, run->frame + i / plane);
    if (axis == 0)
        return elementary_add(run->start[0], time);
    time =
        run->kind == RUN_DRIFTING ? elementary_add(run->start[axis], time) : run->start[axis];
    return plus(time, (double)(axis == 1 ? i % plane / run->cols : i % run->cols));
}

static bool is_below(struct dd a, struct dd b)
{
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

static void extend(struct token_runs *runs, const struct token_run *run)
{
    uint64_t last = run->first + run->count - 1;

    /* the first and the last patch have the extreme ids */
    for (uint64_t axis = 0; axis < 3; axis++) {
        const struct dd low = id_at(run, axis, run->first), high = id_at(run, axis, last);
        const bool first = runs->tokens == 0 && axis == 0;

        if (first || is_below(low, runs->low))
            runs->low = low;
        if (first || is_below(runs->high, high))
            runs->high = high;
    }
}

void token_runs_add(struct token_runs *runs, struct token_run run)
{
    if (run.count == 0)
        return;
    run.first = runs->tokens;
    extend(runs, &run);
    if (runs->runs)
        runs->runs[runs->count] = run;
    runs->count++;
    runs->tokens += run.count;
}

/* ---- filling ----------------------------------------------------------------------------- */

/* Returns the run that holds a token. */
static const struct token_run *find(const struct token_runs *runs, uint64_t token)
{
    size_t low = 0, high = runs->count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (runs->runs[middle].first <= token)
            low = middle;
        else
            high = middle;
    }
    return &runs->runs[low];
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct token_runs *runs = state;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        const struct token_run *run = rect->cols ? find(runs, rect->col) : NULL;

        for (uint64_t i = 0; i < rect->cols; i++) {
            while (rect->col + i >= run->first + run->count)
                run++;

            const struct dd id = id_at(run, rect->row + row, rect->col + i);

            out[0][row * rect->cols + i] = id.hi + id.lo;
        }
    }
}

const struct pe_filler token_runs_filler = {.reference = fill, .ns_per_element = 6};
