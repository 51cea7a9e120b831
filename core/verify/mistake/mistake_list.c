/* SPDX-License-Identifier: Apache-2.0
 * mistake_list.c - positions that lie on no line: padded, packed, shuffled, those of other
 * rows. They are read out of the tensors (solve/solve_rows.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/mistake/mistakes.h"
#include "core/verify/solve/solve_rows.h"

/* Returns whether positions rise by one throughout. */
static bool is_run(const double *pos, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++)
        if (pos[i] != pos[i - 1] + 1)
            return false;
    return true;
}

/* Returns whether positions stand still at first and then rise by one. */
static bool is_padded(const double *pos, uint64_t count)
{
    uint64_t still = 1;

    while (still < count && pos[still] == pos[0])
        still++;
    if (still < count && still > 1 && pos[still] != pos[still - 1] + 1)
        return is_run(pos + still, count - still); /* pads have a position of their own */
    return still > 1 && still < count && is_run(pos + still - 1, count - still + 1);
}

/* Returns whether positions rise by one but for falls, at each of which they begin anew: below
 * 0 none begins. */
static bool is_packed(const double *pos, uint64_t count)
{
    uint64_t falls = 0;

    for (uint64_t i = 1; i < count; i++) {
        falls += pos[i] < pos[i - 1];
        if (2 * falls > count)
            return false; /* they fall throughout */
        if (pos[i] < pos[i - 1] && pos[i] < 0)
            return false;
        if (pos[i] >= pos[i - 1] && pos[i] != pos[i - 1] + 1)
            return false;
    }
    return falls > 0;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* Returns whether the one list is the other in another order. */
static bool is_shuffled(const struct candidate *base, const struct row_list *list)
{
    const size_t bytes = list->count * sizeof(double);
    double *sorted = claim_memory(base->claim, 2, bytes);
    bool same = sorted != NULL;

    if (sorted) {
        memcpy(sorted, list->claimed, bytes);
        memcpy(sorted + list->count, list->found, bytes);
        qsort(sorted, list->count, sizeof(double), by_value);
        qsort(sorted + list->count, list->count, sizeof(double), by_value);
        same = memcmp(sorted, sorted + list->count, bytes) == 0;
    }
    free(sorted);
    return same;
}

/* Returns whether the positions are those of the claim, times a number, plus a number. */
static bool is_line(const struct row_list *list)
{
    const double *claimed = list->claimed, *found = list->found;
    const uint64_t last = list->count - 1;
    const double span = claimed[last] - claimed[0];
    const double scale = span != 0 ? (found[last] - found[0]) / span : 0;

    for (uint64_t i = 0; i <= last; i++)
        if (found[i] != found[0] + scale * (claimed[i] - claimed[0]))
            return false;
    return scale != 0 || list->count == 1;
}

/* Writes what was done with padding, or with documents, and the rows that show it. */
static void say(struct candidate *made, const char *what, const struct row_list *list)
{
    const size_t len = (size_t)snprintf(made->says, sizeof made->says, "%s%s", what,
                                        what[0] != '\0' ? ": " : "");

    row_list_say(list, made->says + len, sizeof made->says - len);
}

/* Makes the candidate of the positions that were found; rows without one stay empty. */
static struct candidate *make_positions(const struct candidate *base, struct row_list *list,
                                        const struct pe_param *param)
{
    const bool empty = row_list_count(list, ROW_EMPTY) > 0;
    char text[CHANGE_TEXT];
    const bool printed = row_list_print(list, text, sizeof text);
    struct candidate *made = NULL;

    for (uint64_t i = 0; i < list->count; i++)
        if (list->kind[i] == ROW_EMPTY)
            list->found[i] = list->claimed[i];
    if (param) {
        made = printed ? mistakes_change(base, param->name, text) : NULL;
    } else if ((made = empty ? mistakes_map(base, MAP_UNFILLED) : candidate_copy(base))) {
        free(made->angles->listed);
        made->angles->listed =
            claim_copy(list->found, list->count * sizeof *list->found, &base->claim->failed);
        made->angles->scale = 1;
        made->angles->offset = 0;
        made->angles->reversed = false;
        made->warped = true;
    }
    if (made && printed)
        mistakes_repair(made, param ? param->name : "pos", text);
    return made;
}

/* Makes the candidate of the positions that were read if they are of a kind. */
static struct candidate *make_list(const struct candidate *base,
                                   bool (*is_kind)(const struct candidate *base,
                                                   const struct row_list *list),
                                   const char *(*name)(const struct row_list *list))
{
    const struct pe_param *param;
    struct candidate *made = NULL;
    struct row_list list;

    if (!solve_rows(&list, base, &param))
        return NULL;
    if (row_list_count(&list, ROW_OTHER) == 0 && row_list_count(&list, ROW_MADE) > 0 &&
        row_list_right(&list) < list.count && is_kind(base, &list))
        made = make_positions(base, &list, param);
    if (made)
        say(made, name(&list), &list);
    row_list_fini(&list);
    return made;
}

static bool is_whole(const struct row_list *list)
{
    return row_list_count(list, ROW_MADE) == list->count;
}

static bool has_padding(const struct candidate *base, const struct row_list *list)
{
    return is_whole(list) &&
           (is_padded(list->claimed, list->count) || is_padded(list->found, list->count));
}

static const char *name_padding(const struct row_list *list)
{
    const bool claimed = is_padded(list->claimed, list->count);
    const bool found = is_padded(list->found, list->count);

    return claimed && found ? "padding has other positions"
           : claimed        ? "padding is counted as if it were tokens"
                            : "padding is counted out where the claim has none";
}

static bool has_documents(const struct candidate *base, const struct row_list *list)
{
    return is_whole(list) &&
           (is_packed(list->claimed, list->count) || is_packed(list->found, list->count));
}

static const char *name_documents(const struct row_list *list)
{
    const bool claimed = is_packed(list->claimed, list->count);
    const bool found = is_packed(list->found, list->count);

    return claimed && found ? "positions begin anew in other rows than the claim's"
           : claimed        ? "positions run on where the packed sequence begins anew"
                            : "positions begin anew where the claim's run on";
}

static bool is_in_another_order(const struct candidate *base, const struct row_list *list)
{
    return is_whole(list) && is_shuffled(base, list);
}

static const char *name_order(const struct row_list *list)
{
    return "the rows are in another order";
}

static const char *name_others(const struct row_list *list)
{
    return "";
}

/* Positions that no other row of the table of mistakes says. */
static bool is_of_others(const struct candidate *base, const struct row_list *list)
{
    return (row_list_count(list, ROW_EMPTY) == 0 ||
            row_list_right(list) + row_list_count(list, ROW_EMPTY) < list->count) &&
           !(is_whole(list) && is_line(list)) && !has_padding(base, list) &&
           !has_documents(base, list) && !is_in_another_order(base, list);
}

struct candidate *mistake_list_left_padding(const struct candidate *base, size_t variant)
{
    return variant == 1   ? mistake_mask_no_padding(base)
           : variant == 2 ? mistake_mask_padding_counted(base)
                          : make_list(base, has_padding, name_padding);
}

struct candidate *mistake_list_packing_ignored(const struct candidate *base, size_t variant)
{
    return variant == 1 ? mistake_mask_one_sequence(base)
                        : make_list(base, has_documents, name_documents);
}

struct candidate *mistake_list_rows_shuffled(const struct candidate *base, size_t variant)
{
    return variant == 1 ? mistake_rows_moved(base)
                        : make_list(base, is_in_another_order, name_order);
}

struct candidate *mistake_list_other_positions(const struct candidate *base, size_t variant)
{
    return make_list(base, is_of_others, name_others);
}
