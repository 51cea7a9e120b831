/* SPDX-License-Identifier: Apache-2.0
 * row_list.c - runs of rows: positions that rise by one or stand still make a run of two, other
 * steps a run of three. */
#include "core/verify/solve/row_list.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct row_words positions = {"row", "position", "of no position"};

static const struct row_words *words_of(const struct row_list *list)
{
    return list->words ? list->words : &positions;
}

bool row_list_init(struct row_list *list, uint64_t count)
{
    *list = (struct row_list){.count = count};
    list->claimed = calloc(2 * count + 1, sizeof *list->claimed);
    list->kind = calloc(count + 1, sizeof *list->kind);
    list->found = list->claimed ? list->claimed + count : NULL;
    if (list->claimed && list->kind)
        return true;
    row_list_fini(list);
    return false;
}

void row_list_fini(struct row_list *list)
{
    free(list->claimed);
    free(list->kind);
    *list = (struct row_list){.count = 0};
}

static bool is_right(const struct row_list *list, uint64_t row)
{
    return list->kind[row] == ROW_MADE && list->found[row] == list->claimed[row];
}

uint64_t row_list_count(const struct row_list *list, enum row_kind kind)
{
    uint64_t count = 0;

    for (uint64_t i = 0; i < list->count; i++)
        count += list->kind[i] == kind;
    return count;
}

uint64_t row_list_right(const struct row_list *list)
{
    uint64_t count = 0;

    for (uint64_t i = 0; i < list->count; i++)
        count += is_right(list, i);
    return count;
}

/* Returns how many rows from this one on have positions that rise by a step. */
static uint64_t length_of(const struct row_list *list, uint64_t row, double step)
{
    uint64_t next = row + 1;

    while (next < list->count && list->kind[next] == ROW_MADE && !is_right(list, next) &&
           list->found[next] == list->found[next - 1] + step)
        next++;
    return next - row;
}

/* Returns whether the positions from this row on, which is right by chance, rise by a step of
 * their own: 20, 22, 24 in place of 20, 21, 22. */
static bool begins_series(const struct row_list *list, uint64_t row)
{
    if (!is_right(list, row) || row + 2 >= list->count)
        return false;
    const double step = list->found[row + 1] - list->found[row];
    return step != 0 && step != 1 && length_of(list, row, step) > 2;
}

struct row_run row_list_run(const struct row_list *list, uint64_t row)
{
    struct row_run run = {.kind = list->kind[row], .row = row, .count = 1, .step = 1};

    run.first = list->found[row];
    run.right = is_right(list, row) && !begins_series(list, row);
    if (run.right || run.kind != ROW_MADE) {
        while (row + run.count < list->count && list->kind[row + run.count] == run.kind &&
               is_right(list, row + run.count) == run.right &&
               !begins_series(list, row + run.count))
            run.count++;
        return run;
    }
    const double step = row + 1 < list->count ? list->found[row + 1] - run.first : 0;
    const uint64_t length = length_of(list, row, step);
    if (length > 2 || (length == 2 && (step == 0 || step == 1))) {
        run.count = length;
        run.step = step;
    }
    return run;
}

/* Writes "21:33", "0", "8:0:-1". */
static int print_slice(const struct row_run *run, char *text, size_t size)
{
    const double stop = run->first + run->step * (double)run->count;

    if (run->count == 1 || run->step == 0)
        return snprintf(text, size, "%.17g", run->first);
    if (run->step == 1)
        return snprintf(text, size, "%.17g:%.17g", run->first, stop);
    return snprintf(text, size, "%.17g:%.17g:%.17g", run->first, stop, run->step);
}

/* Reads the run of positions that begins at this row, right or not. */
static struct row_run slice_at(const struct row_list *list, uint64_t row)
{
    struct row_run run = {.row = row, .count = 1, .first = list->found[row], .step = 1};

    while (row + run.count < list->count &&
           list->found[row + run.count] == run.first + (double)run.count)
        run.count++;
    return run;
}

bool row_list_print(const struct row_list *list, char *text, size_t size)
{
    size_t len = 0;

    if (row_list_count(list, ROW_MADE) < list->count || size == 0)
        return false;
    text[0] = '\0';
    for (uint64_t i = 0; i < list->count;) {
        struct row_run run = slice_at(list, i);

        if (len + 64 > size)
            return false;
        run.count = run.count == 2 ? 1 : run.count;
        len += (size_t)snprintf(text + len, size - len, "%s", i > 0 ? "," : "");
        len += (size_t)print_slice(&run, text + len, size - len);
        i += run.count;
    }
    return true;
}

void row_list_print_run(const struct row_list *list, const struct row_run *run, char *text,
                        size_t size)
{
    char slice[60];

    print_slice(run, slice, sizeof slice);
    if (run->kind == ROW_EMPTY)
        snprintf(text, size, "zeros");
    else if (run->kind == ROW_OTHER)
        snprintf(text, size, "%s", words_of(list)->none);
    else
        snprintf(text, size, "%s%s %s", words_of(list)->made,
                 run->count == 1 || run->step == 0 ? "" : "s", slice);
}

/* ---- sentences ------------------------------------------------------------------------- */

static bool all_made(const struct row_list *list)
{
    return row_list_count(list, ROW_MADE) == list->count;
}

/* Every row is that of one position. */
static bool say_constant(const struct row_list *list, char *text, size_t size)
{
    for (uint64_t i = 1; i < list->count; i++)
        if (list->found[i] != list->found[0])
            return false;
    snprintf(text, size, "every %s is that of %s %.17g", words_of(list)->one,
             words_of(list)->made, list->found[0]);
    return list->count > 1;
}

/* Returns the first row whose position is not the claim's, of positions that wrap below a power
 * of two; the number of rows if they do not. */
static uint64_t first_wrapped(const struct row_list *list, double half)
{
    uint64_t first = list->count;

    for (uint64_t i = 0; i < list->count; i++) {
        const double turns = floor((list->claimed[i] + half) / (2 * half));

        if (list->found[i] != list->claimed[i] - 2 * half * turns)
            return list->count;
        if (first == list->count && turns != 0)
            first = i;
    }
    return first;
}

/* Positions of whole numbers of so many bits begin anew at the lowest. */
static bool say_wrapped(const struct row_list *list, char *text, size_t size)
{
    static const int bits[] = {8, 16, 32};

    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        const double half = ldexp(1, bits[i] - 1);
        const uint64_t first = first_wrapped(list, half);

        if (first == list->count)
            continue;
        snprintf(text, size,
                 "positions wrap to -%.17g after %.17g, as int%d does; the first row that is "
                 "wrong is %" PRIu64,
                 half, half - 1, bits[i], first);
        return true;
    }
    return false;
}

/* Positions that are divided by a number, of which the rest stays. */
static bool say_modulo(const struct row_list *list, char *text, size_t size)
{
    double most = 0;

    for (uint64_t i = 0; i < list->count; i++)
        most = fmax(most, list->found[i]);
    for (uint64_t i = 0; i < list->count; i++)
        if (list->claimed[i] < 0 || list->found[i] != fmod(list->claimed[i], most + 1))
            return false;
    snprintf(text, size,
             "positions begin anew at 0 after every %.17g: they are taken modulo "
             "%.17g",
             most + 1, most + 1);
    return most > 0;
}

/* Positions beyond the last are the last. */
static bool say_clamped(const struct row_list *list, char *text, size_t size)
{
    uint64_t first = list->count;
    double most = list->found[0];

    for (uint64_t i = 0; i < list->count; i++)
        most = fmax(most, list->found[i]);
    for (uint64_t i = 0; i < list->count; i++) {
        if (list->found[i] != fmin(list->claimed[i], most))
            return false;
        if (first == list->count && list->claimed[i] > most)
            first = i;
    }
    if (list->count - first < 2)
        return false;
    snprintf(text, size,
             "positions stop at %.17g: rows %" PRIu64 ":%" PRIu64 " are all those of position "
             "%.17g",
             most, first, list->count, most);
    return true;
}

static int say_run(const struct row_list *list, const struct row_run *run, char *text,
                   size_t size)
{
    char rows[48], is[64];
    const bool many = run->count > 1;

    if (many)
        snprintf(rows, sizeof rows, "%ss %" PRIu64 ":%" PRIu64, words_of(list)->one, run->row,
                 run->row + run->count);
    else
        snprintf(rows, sizeof rows, "%s %" PRIu64, words_of(list)->one, run->row);
    if (run->kind == ROW_EMPTY)
        return snprintf(text, size, "%s %s never written: %s zero", rows, many ? "were" : "was",
                        many ? "they are" : "it is");
    if (run->kind == ROW_OTHER)
        return snprintf(text, size, "%s %s %s", rows, many ? "are" : "is",
                        words_of(list)->none);
    row_list_print_run(list, run, is, sizeof is);
    return snprintf(text, size, "%s %s of %s", rows, many ? "are those" : "is that", is);
}

void row_list_say(const struct row_list *list, char *text, size_t size)
{
    enum { SAID = 3 };
    size_t len = 0, wrong = 0;
    bool right = false;

    text[0] = '\0';
    if (all_made(list) && (say_constant(list, text, size) || say_wrapped(list, text, size) ||
                           say_modulo(list, text, size) || say_clamped(list, text, size)))
        return;
    for (uint64_t i = 0; i < list->count;) {
        const struct row_run run = row_list_run(list, i);

        i += run.count;
        right = right || run.right;
        if (run.right || wrong++ >= SAID || len + 100 > size)
            continue;
        len += (size_t)snprintf(text + len, size - len, "%s", wrong > 1 ? ", " : "");
        len += (size_t)say_run(list, &run, text + len, size - len);
    }
    if (wrong > SAID)
        len += (size_t)snprintf(text + len, size - len, ", and so on in %zu more runs of %ss",
                                wrong - SAID, words_of(list)->one);
    if (right && len < size)
        snprintf(text + len, size - len, "; the other %ss are right", words_of(list)->one);
}
