/* SPDX-License-Identifier: Apache-2.0
 * column_list.c - runs of pairs, the longest in any way that explains them. */
#include "core/verify/solve/column_list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SERIES_LEAST = 4, SAID = 3 };

/* Ratios of frequencies are one number to this: float32's angles tell them no better. */
static const double same = 1e-4;

static bool is_near(double one, double other)
{
    return fabs(one - other) <= same * fabs(other);
}

static bool turns(const struct column_item *item)
{
    return item->turn.kind <= TURN_FREE && !item->right;
}

/* Returns whether an item continues a run that the first of two begins. */
static bool goes_on(const struct column_list *list, const struct column_run *run, size_t i)
{
    const struct column_item *item = &list->at[i], *first = &list->at[run->from];

    if (run->way == COLUMNS_RIGHT)
        return item->right;
    if (run->way == COLUMNS_KIND)
        return !item->right && item->turn.kind == first->turn.kind;
    if (!turns(item))
        return false;
    if (run->way == COLUMNS_SHIFT)
        return item->turn.kind == TURN_KNOWN &&
               (double)item->turn.like - (double)item->own == run->by;
    if (run->way == COLUMNS_RATIO)
        return item->same_axis && item->claimed != 0 &&
               is_near(item->turn.frequency / item->claimed, run->by);
    if (run->way == COLUMNS_AXIS)
        return !item->same_axis && is_near(item->turn.frequency, item->claimed);
    return run->way == COLUMNS_SERIES && item->same_axis == first->same_axis &&
           is_near(item->turn.frequency / item[-1].turn.frequency, run->by);
}

/* Returns the whole number, or the part of one by a whole number, that a ratio is near. */
static double round_ratio(double ratio)
{
    const double times = nearbyint(ratio), part = nearbyint(1 / ratio);

    return is_near(ratio, times) ? times : is_near(ratio * part, 1) ? 1 / part : ratio;
}

/* Returns a run of a way from an item on, of which the first is in it. */
static struct column_run run_of(const struct column_list *list, size_t from,
                                enum column_way way)
{
    const struct column_item *item = &list->at[from];
    struct column_run run = {way, from, 1, 0};

    if (way == COLUMNS_SHIFT)
        run.by = (double)item->turn.like - (double)item->own;
    else if (way == COLUMNS_RATIO)
        run.by = round_ratio(item->turn.frequency / item->claimed);
    else if (way == COLUMNS_SERIES && from + 1 < list->count)
        run.by = item[1].turn.frequency / item->turn.frequency;
    while (from + run.count < list->count && goes_on(list, &run, from + run.count))
        run.count++;
    return run;
}

struct column_run column_list_run(const struct column_list *list, size_t from)
{
    struct column_run best = {COLUMNS_ONE, from, 1, 0};

    if (list->at[from].right)
        return run_of(list, from, COLUMNS_RIGHT);
    if (!turns(&list->at[from]))
        return run_of(list, from, COLUMNS_KIND);
    for (enum column_way way = COLUMNS_SHIFT; way <= COLUMNS_SERIES; way++) {
        const struct column_run run = run_of(list, from, way);
        const size_t least = way == COLUMNS_SERIES  ? SERIES_LEAST
                             : way == COLUMNS_RATIO ? 2
                                                    : 1;

        if (run.count >= least && (way == COLUMNS_SERIES || goes_on(list, &run, from)) &&
            (run.count > best.count || best.way == COLUMNS_ONE))
            best = run;
    }
    return best;
}

size_t column_list_right(const struct column_list *list)
{
    size_t right = 0;

    for (size_t i = 0; i < list->count; i++)
        right += list->at[i].right;
    return right;
}

size_t column_list_count(const struct column_list *list, enum turn_kind kind)
{
    size_t count = 0;

    for (size_t i = 0; i < list->count; i++)
        count += list->at[i].turn.kind == kind;
    return count;
}

bool column_list_form(const struct column_list *list, bool claimed, struct column_form *form)
{
    size_t known = 0, from = 0;

    *form = (struct column_form){.step = 1};
    for (size_t i = 0; list->vectors && i < list->count; i++) {
        const struct column_item *item = &list->at[i];
        const size_t one = claimed ? item->one : item->mine;
        const size_t other = claimed ? item->other : item->yours;

        if (item->vague || one >= other)
            continue;
        if (known == 0) {
            *form = (struct column_form){one, 1, other - one};
            from = i;
        } else if (known == 1) {
            form->step = one > form->first ? (one - form->first) / (i - from) : 0;
        }
        if (other - one != form->apart || one != form->first + form->step * (i - from))
            return false;
        known++;
    }
    if (known < 2 || form->step == 0 || form->step * from > form->first)
        return false;
    form->first -= form->step * from;
    return true;
}

bool column_list_is_moved(const struct column_list *list, struct column_form *form)
{
    struct column_form claimed;

    return column_list_form(list, false, form) && column_list_form(list, true, &claimed) &&
           memcmp(form, &claimed, sizeof claimed) != 0;
}

/* ---- sentences ------------------------------------------------------------------------- */

/* Writes "pairs 3:5", "pair 3". */
static int print_items(const char *word, size_t from, size_t count, char *text, size_t size)
{
    if (count == 1)
        return snprintf(text, size, "%s %zu", word, from);
    return snprintf(text, size, "%ss %zu:%zu", word, from, from + count);
}

void column_list_print_run(const struct column_list *list, const struct column_run *run,
                           char *text, size_t size)
{
    const struct column_item *item = &list->at[run->from], *last = item + run->count - 1;
    const char *its = run->count > 1 ? "their frequencies" : "its frequency";
    char like[64];

    print_items("pair", item->turn.like, run->way == COLUMNS_SHIFT ? run->count : 1, like,
                sizeof like);
    if (run->way == COLUMNS_RIGHT)
        snprintf(text, size, "right");
    else if (run->way == COLUMNS_KIND)
        snprintf(text, size, "%s",
                 item->turn.kind == TURN_STILL  ? "not turned"
                 : item->turn.kind == TURN_ZERO ? "zero: never written"
                                                : "turned by no frequency");
    else if (run->way == COLUMNS_SHIFT)
        snprintf(text, size, "turned by the %s of %s",
                 item->same_axis ? run->count > 1 ? "frequencies" : "frequency"
                                 : "coordinates and frequencies",
                 like);
    else if (run->way == COLUMNS_RATIO)
        snprintf(text, size, "turned by %.6g times %s", run->by, its);
    else if (run->way == COLUMNS_AXIS)
        snprintf(text, size, "turned at %s along another axis, by the coordinates of %s", its,
                 like);
    else if (run->way == COLUMNS_SERIES)
        snprintf(text, size,
                 "turned by frequencies from %.6g to %.6g, where %.6g to %.6g are "
                 "right",
                 item->turn.frequency, last->turn.frequency, item->claimed, last->claimed);
    else
        snprintf(text, size, "turned by the frequency %.6g, where %.6g is right",
                 item->turn.frequency, item->claimed);
}

static size_t say_runs(const struct column_list *list, char *text, size_t size)
{
    size_t len = 0, wrong = 0;

    for (size_t i = 0; i < list->count;) {
        const struct column_run run = column_list_run(list, i);
        char is[120];

        i += run.count;
        if (run.way == COLUMNS_RIGHT || wrong++ >= SAID || len + 160 > size)
            continue;
        len += (size_t)snprintf(text + len, size - len, "%s", wrong > 1 ? ", " : "");
        len += (size_t)print_items(list->word, run.from, run.count, text + len, size - len);
        column_list_print_run(list, &run, is, sizeof is);
        len += (size_t)snprintf(text + len, size - len, " %s %s", run.count > 1 ? "are" : "is",
                                is);
    }
    if (wrong > SAID)
        len += (size_t)snprintf(text + len, size - len, ", and so on in %zu more runs",
                                wrong - SAID);
    if (wrong > 0 && column_list_right(list) > 0 && len < size)
        len +=
            (size_t)snprintf(text + len, size - len, "; the other %ss are right", list->word);
    return len;
}

/* Writes "2i + 32". */
static void print_column(const struct column_form *form, size_t more, char *text, size_t size)
{
    const size_t first = form->first + more;
    char step[24] = "";

    if (form->step > 1)
        snprintf(step, sizeof step, "%zu", form->step);
    if (first == 0)
        snprintf(text, size, "%si", step);
    else
        snprintf(text, size, "%si + %zu", step, first);
}

void column_list_print_form(const struct column_form *form, char *text, size_t size)
{
    char one[40], other[40];

    print_column(form, 0, one, sizeof one);
    print_column(form, form->apart, other, sizeof other);
    snprintf(text, size, "columns %s and %s", one, other);
}

/* Says in which columns pairs turn, where that is not the claim's. */
static size_t say_form(const struct column_list *list, char *text, size_t size)
{
    struct column_form found, claimed;
    char mine[100], right[100], yours[40];

    if (!column_list_is_moved(list, &found) || !column_list_form(list, true, &claimed))
        return 0;
    column_list_print_form(&found, mine, sizeof mine);
    column_list_print_form(&claimed, right, sizeof right);
    if (found.first != claimed.first || found.step != claimed.step)
        return (size_t)snprintf(text, size, "pair i turns in %s where this claim has %s", mine,
                                right);
    print_column(&found, 0, mine, sizeof mine);
    print_column(&found, found.apart, yours, sizeof yours);
    print_column(&claimed, claimed.apart, right, sizeof right);
    return (size_t)snprintf(text, size,
                            "the partner of column %s is %s where this claim has %s", mine,
                            yours, right);
}

static size_t say_zeros(const struct column_list *list, char *text, size_t size)
{
    size_t first = 0, end = list->cols, count = 0;

    for (size_t i = 0; list->zero && i < list->cols; i++)
        count += list->zero[i];
    if (count == 0)
        return 0;
    while (!list->zero[first])
        first++;
    while (!list->zero[end - 1])
        end--;
    size_t len = (size_t)snprintf(text, size, "%s", count < end - first ? "some of " : "");
    len += (size_t)print_items("column", first, end - first, text + len, size - len);
    return len + (size_t)snprintf(text + len, size - len, " %s zero: never written",
                                  count > 1 ? "are" : "is");
}

void column_list_say(const struct column_list *list, char *text, size_t size)
{
    char zeros[100] = "";
    size_t len = say_form(list, text, size);

    if (len > 0)
        len +=
            (size_t)snprintf(text + len, size - len, ", and %zu of %zu frequencies are right",
                             column_list_right(list), list->count);
    else
        text[0] = '\0';
    if (column_list_right(list) < list->count) {
        len += (size_t)snprintf(text + len, size - len, "%s", len > 0 ? "; " : "");
        len += say_runs(list, text + len, size - len);
    }
    if (say_zeros(list, zeros, sizeof zeros) > 0 && len < size)
        snprintf(text + len, size - len, "%s%s", len > 0 ? "; " : "", zeros);
}
