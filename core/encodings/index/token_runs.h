/* SPDX-License-Identifier: Apache-2.0
 * token_runs.h - ids of the tokens of a sequence, several axes each, as runs of tokens that
 * follow one formula: text, the patches of pictures, padding. */
#pragma once

#include "core/encoding.h"
#include "core/math/number/dd.h"

enum token_run_kind {
    RUN_TEXT,     /* every axis: start[0] + i */
    RUN_CONSTANT, /* every axis: start[0] */
    RUN_GRID,     /* start + (time, row, column), time = interval * frame */
    RUN_DRIFTING, /* as RUN_GRID, with the time added to row and column too */
    RUN_NUMBERED, /* number of the token, column, row, start[0] */
};

struct token_run {
    enum token_run_kind kind;
    uint64_t first, count; /* number of the first token, count of tokens */
    struct dd start[3], interval;
    bool truncate;              /* the time is cut to a whole number */
    float seconds, rate;        /* rate > 0: time = frame * seconds * rate, in float32 */
    uint64_t frame, rows, cols; /* first frame; rows and columns of a frame */
};

/* Runs in the order of their tokens, made in two passes: the first, with `runs` NULL, only
 * counts; the second writes into memory for `count` runs. The struct is zeroed before each
 * pass. */
struct token_runs {
    struct token_run *runs;
    size_t count;
    uint64_t tokens;
    struct dd low, high; /* smallest and largest id */
};

enum { TOKEN_RUNS_MAX = 1 << 20 };

/* Adds a run and sets its `first`; a run of no tokens is left out. */
void token_runs_add(struct token_runs *runs, struct token_run run);
/* Returns the time of a frame, without the start, rounded to a double. */
double token_runs_time(const struct token_run *run, uint64_t frame);

/* Returns the time to twice the precision of a double, where it is not truncated. */
struct dd token_runs_time_exact(const struct token_run *run, uint64_t frame);
/* Returns the interval in time of frames at a rate, without rounding. */
struct dd token_runs_interval(double rate, double seconds);

/* Fills axes as rows and tokens as columns; its state is a struct token_runs. */
extern const struct pe_filler token_runs_filler;
