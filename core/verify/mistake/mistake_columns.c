/* SPDX-License-Identifier: Apache-2.0
 * mistake_columns.c - pairs that turn by the frequencies, along the axes or in the columns of
 * others, not at all, or that are zero. They are read out of the numbers
 * (solve/solve_columns.h). */
#include <stdlib.h>

#include "core/verify/mistake/mistakes.h"
#include "core/verify/solve/solve_columns.h"

enum { RUNS_MOST = 3 };

/* Returns whether the list is a cause, and not only what is true of the numbers: few runs, none
 * of which has frequencies of its own, and many pairs have those of the claim; all, where they
 * turn in other columns: otherwise two known mistakes may explain both. */
static bool is_cause(const struct column_list *list)
{
    struct column_form form;
    size_t wrong = 0, known = 0;

    if (column_list_is_moved(list, &form) && column_list_right(list) < list->count)
        return false;

    for (size_t i = 0; i < list->count;) {
        const struct column_run run = column_list_run(list, i);

        i += run.count;
        known += run.way == COLUMNS_RIGHT || run.way == COLUMNS_SHIFT ? run.count : 0;
        wrong += run.way != COLUMNS_RIGHT;
        if (run.way == COLUMNS_ONE || wrong > RUNS_MOST ||
            (run.way == COLUMNS_KIND && list->at[run.from].turn.kind == TURN_OTHER))
            return false;
    }
    return 4 * known >= list->count;
}

/* Returns the frequency of an item of a run, which is exact where it follows from others. */
static double frequency_of(const struct column_item *item, const struct column_run *run)
{
    if (item->turn.kind > TURN_FREE)
        return 0;
    if (run->way == COLUMNS_AXIS)
        return item->claimed;
    return run->way == COLUMNS_RATIO ? item->claimed * run->by : item->turn.frequency;
}

/* Gives pairs the frequencies that were read. */
static void set_frequency(struct angles *angles, const struct column_item *item,
                          const struct column_run *run)
{
    const size_t pair = item->own;
    const bool turns = item->turn.kind <= TURN_FREE;

    if (angles->w[0]) {
        angles->w[0][pair] = angles->w[1][pair] = frequency_of(item, run);
        return;
    }
    angles->like[pair] = turns ? item->turn.like : pair;
    angles->by[pair] = item->turn.kind == TURN_KNOWN && run->way != COLUMNS_RATIO ? 1
                       : turns ? frequency_of(item, run) / angles->rates[item->turn.like]
                               : 0;
}

static void set_angles(struct candidate *made, const struct column_list *list)
{
    struct angles *angles = made->angles;

    if (!angles->w[0]) {
        angles->like = claim_memory(made->claim, angles->pairs, sizeof *angles->like);
        angles->by = claim_memory(made->claim, angles->pairs, sizeof *angles->by);
        if (!angles->like || !angles->by)
            return;
    }
    for (size_t i = 0; i < list->count;) {
        const struct column_run run = column_list_run(list, i);

        for (size_t end = i + run.count; i < end; i++)
            if (!list->at[i].right)
                set_frequency(angles, &list->at[i], &run);
            else if (!angles->w[0]) {
                angles->like[i] = i;
                angles->by[i] = 1;
            }
    }
}

/* Gives the waves of a candidate the columns in which pairs turn. */
static void set_columns(struct candidate *made, const struct column_list *list)
{
    struct column_form form;

    if (!column_list_is_moved(list, &form))
        return;
    made->turned = claim_memory(made->claim, 2 * list->count, sizeof *made->turned);
    for (size_t i = 0; made->turned && i < list->count; i++) {
        const size_t one = form.first + form.step * i;

        if (one + form.apart >= list->cols)
            return;
        made->turned[2 * i] = (uint32_t)one;
        made->turned[2 * i + 1] = (uint32_t)(one + form.apart);
    }
    for (size_t i = 0; made->turned && i < made->claim->subject_count; i++)
        if (!(made->spared >> i & 1))
            made->wave[i].listed = made->turned;
}

static void set_blank(struct candidate *made, const struct column_list *list)
{
    const bool pairs = list->count == made->angles->pairs;
    bool sine;

    made->blank = claim_memory(made->claim, made->widest, sizeof *made->blank);
    for (size_t col = 0; made->blank && col < list->cols; col++) {
        const struct wave *wave = &made->wave[0];

        if (list->vectors)
            made->blank[col] = list->zero[col];
        else
            made->blank[col] =
                list->at[pairs ? wave_pair(wave, col, &sine) : col].turn.kind == TURN_ZERO;
    }
    for (size_t i = 0; made->blank && list->vectors && i < list->count; i++)
        if (list->at[i].turn.kind == TURN_ZERO)
            made->blank[list->at[i].one] = made->blank[list->at[i].other] = true;
}

/* Columns of a pair that differ are wrong where they are zero alone. */
static bool is_made(const struct column_list *list, size_t pairs)
{
    for (size_t i = 0; list->count != pairs && i < list->count; i++)
        if (!list->at[i].right && list->at[i].turn.kind != TURN_ZERO)
            return false;
    return true;
}

struct candidate *mistake_columns_other(const struct candidate *base, size_t variant)
{
    struct candidate *made = NULL;
    struct column_list list;

    if (base->changes.count > 0 || base->warped || !solve_columns(&list, base))
        return NULL;
    if (is_cause(&list) && is_made(&list, base->angles->pairs))
        made = candidate_copy(base);
    if (made) {
        made->warped = true;
        set_columns(made, &list);
        set_blank(made, &list);
        if (list.count == base->angles->pairs)
            set_angles(made, &list);
        column_list_say(&list, made->says, sizeof made->says);
    }
    solve_columns_fini(&list);
    return made;
}
