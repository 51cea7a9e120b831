/* SPDX-License-Identifier: Apache-2.0
 * token_runs.c - collects runs, and gives the id of a token on an axis. */
#include "core/encodings/index/token_runs.h"

#include <math.h>

double token_runs_time(const struct token_run *run, uint64_t frame)
{
    double time = run->interval * (double)frame;

    if (run->rate > 0) {
        float seconds = (float)frame * run->seconds;

        time = (double)(seconds * run->rate);
    }

    return run->truncate ? trunc(time) : time;
}

static double id_at(const struct token_run *run, uint64_t axis, uint64_t token)
{
    uint64_t i = token - run->first, plane = run->rows * run->cols;
    double time;

    if (run->kind == RUN_TEXT)
        return run->start[0] + (double)i;
    if (run->kind == RUN_CONSTANT)
        return run->start[0];
    if (run->kind == RUN_NUMBERED)
        return axis == 0   ? (double)token
               : axis == 1 ? (double)(i % run->cols)
               : axis == 2 ? (double)(i / run->cols)
                           : run->start[0];
    time = token_runs_time(run, run->frame + i / plane);
    if (axis == 0)
        return run->start[0] + time;
    return run->start[axis] + (run->kind == RUN_DRIFTING ? time : 0) +
           (double)(axis == 1 ? i % plane / run->cols : i % run->cols);
}

static void extend(struct token_runs *runs, const struct token_run *run)
{
    uint64_t last = run->first + run->count - 1;

    /* the first and the last patch have the extreme ids */
    for (uint64_t axis = 0; axis < 3; axis++) {
        double low = id_at(run, axis, run->first), high = id_at(run, axis, last);

        runs->low = runs->tokens == 0 && axis == 0 ? low : fmin(runs->low, low);
        runs->high = runs->tokens == 0 && axis == 0 ? high : fmax(runs->high, high);
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
            out[0][row * rect->cols + i] = id_at(run, rect->row + row, rect->col + i);
        }
    }
}

const struct pe_filler token_runs_filler = {.reference = fill, .ns_per_element = 6};
