/* SPDX-License-Identifier: Apache-2.0
 * mistake_heads.c - heads that have the numbers of other heads, or slopes of their own. They
 * are read out of the biases (solve/solve_heads.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/mistake/mistakes.h"
#include "core/verify/solve/solve_heads.h"

enum { HEADS_MOST = 512 };

/* Slopes of float32 are off by this, relative to their size. */
static const double same = 1e-6;

static bool is_equal(double one, double other)
{
    return fabs(one - other) <= same * fabs(other);
}

/* Makes the candidate whose heads are those of others. */
static struct candidate *move_heads(const struct candidate *base, const struct row_list *list,
                                    size_t axis)
{
    const uint64_t rows = candidate_rows(base, 0);
    struct candidate *made = candidate_copy(base);
    uint32_t *map = made ? claim_memory(base->claim, rows, sizeof *map) : NULL;
    uint64_t inner = 1;

    for (size_t i = axis + 1; i + 1 < base->view[0].rank; i++)
        inner *= base->view[0].dims[i];
    for (uint64_t row = 0; map && row < rows; row++) {
        const uint64_t head = row / inner % list->count;

        map[row] = (uint32_t)(row - head * inner + (uint64_t)list->found[head] * inner);
    }
    if (map) {
        made->rows = map;
        return made;
    }
    candidate_free(made);
    return NULL;
}

struct candidate *mistake_heads_moved(const struct candidate *base, size_t variant)
{
    struct candidate *made = NULL;
    struct row_list list;
    size_t axis;

    if (!solve_heads(&list, &axis, base))
        return NULL;
    if (row_list_right(&list) < list.count && row_list_count(&list, ROW_OTHER) == 0)
        made = move_heads(base, &list, axis);
    if (made)
        row_list_say(&list, made->says, sizeof made->says);
    row_list_fini(&list);
    return made;
}

/* ---- slopes ---------------------------------------------------------------------------- */

/* Every head has one slope. */
static bool is_one(const struct row_list *list, char *says, size_t size)
{
    for (uint64_t i = 1; i < list->count; i++)
        if (!is_equal(list->found[i], list->found[0]))
            return false;
    snprintf(says, size, "every head has the same slope, %.9g", list->found[0]);
    return true;
}

/* The slopes of fewer heads are repeated: each of several ranks made those of its own. */
static bool is_gathered(const struct candidate *base, const struct row_list *list, char *says,
                        size_t size)
{
    double slopes[HEADS_MOST];

    for (uint64_t ranks = 2; ranks <= list->count; ranks++) {
        const uint64_t heads = list->count / ranks;
        bool all = list->count % ranks == 0 && solve_heads_rule(base, heads, slopes);

        for (uint64_t i = 0; all && i < list->count; i++)
            all = is_equal(list->found[i], slopes[i % heads]);
        if (!all)
            continue;
        snprintf(says, size,
                 "the slopes are those of %llu heads, %llu times: each of %llu ranks made the "
                 "slopes of its own %llu heads, where those of %llu are right",
                 (unsigned long long)heads, (unsigned long long)ranks,
                 (unsigned long long)ranks, (unsigned long long)heads,
                 (unsigned long long)list->count);
        return true;
    }
    return false;
}

/* The slopes are those of the second or a later part of more heads; those of the first part are
 * the rule's with another bias_max. */
static bool is_part(const struct candidate *base, const struct row_list *list, char *says,
                    size_t size)
{
    double slopes[HEADS_MOST];

    for (uint64_t heads = 2 * list->count; heads <= HEADS_MOST && heads <= 8 * list->count;
         heads *= 2) {
        if (!solve_heads_rule(base, heads, slopes))
            return false;
        for (uint64_t first = list->count; first < heads; first += list->count) {
            bool all = true;

            for (uint64_t i = 0; all && i < list->count; i++)
                all = is_equal(list->found[i], slopes[first + i]);
            if (!all)
                continue;
            snprintf(says, size,
                     "the slopes are those of heads %llu:%llu of %llu heads, where those of "
                     "%llu are right",
                     (unsigned long long)first, (unsigned long long)(first + list->count),
                     (unsigned long long)heads, (unsigned long long)list->count);
            return true;
        }
    }
    return false;
}

/* The first head has the slope 1: the exponents of a geometric series count from 0. */
static bool is_from_zero(const struct row_list *list, char *says, size_t size)
{
    for (uint64_t i = 0; i < list->count; i++)
        if (!is_equal(list->found[i], list->claimed[i] / list->claimed[0]))
            return false;
    snprintf(says, size,
             "the exponents of the slopes count from 0, so that head 0 has the slope 1, where "
             "they count from 1 and it has %.9g",
             list->claimed[0]);
    return true;
}

/* Prints the slopes as a list; false if it is too long. */
static bool print_slopes(const struct row_list *list, char text[CHANGE_TEXT])
{
    size_t len = 0;

    for (uint64_t i = 0; i < list->count; i++) {
        if (len + 32 > CHANGE_TEXT)
            return false;
        len += (size_t)snprintf(text + len, CHANGE_TEXT - len, "%s%.9g", i > 0 ? "," : "",
                                list->found[i]);
    }
    return true;
}

/* Returns the claim with these slopes, of which it says what was read; NULL without memory. */
static struct candidate *make_slopes(const struct candidate *base, const struct row_list *list,
                                     const char *says)
{
    char text[CHANGE_TEXT];
    struct candidate *made =
        print_slopes(list, text) ? mistakes_change(base, "slopes", text) : NULL;

    if (made)
        snprintf(made->says, sizeof made->says, "%s", says);
    return made;
}

/* Returns whether slopes are a known mistake, of which it says what was made. */
typedef bool slopes_reader(const struct candidate *base, const struct row_list *list,
                           char *says, size_t size);

/* Reads the slopes of the heads, and makes the claim that has them if they are a mistake. */
static struct candidate *read_slopes(const struct candidate *base, slopes_reader *is_mistake)
{
    char says[PE_VERIFY_SENTENCE];
    struct candidate *made = NULL;
    struct row_list list;

    if (!solve_heads_slopes(&list, base))
        return NULL;
    if (is_mistake(base, &list, says, sizeof says))
        made = make_slopes(base, &list, says);
    row_list_fini(&list);
    return made;
}

static bool is_series(const struct candidate *base, const struct row_list *list, char *says,
                      size_t size)
{
    return is_one(list, says, size) || is_from_zero(list, says, size) ||
           is_gathered(base, list, says, size) || is_part(base, list, says, size);
}

struct candidate *mistake_heads_slopes(const struct candidate *base, size_t variant)
{
    return read_slopes(base, is_series);
}

/* One of four heads, or fewer, has a slope of its own. */
static bool is_few(const struct candidate *base, const struct row_list *list, char *says,
                   size_t size)
{
    enum { SAID = 3 };
    size_t wrong = 0, len = 0;

    for (uint64_t i = 0; i < list->count; i++) {
        if (is_equal(list->found[i], list->claimed[i]) || wrong++ >= SAID)
            continue;
        len += (size_t)snprintf(
            says + len, size - len, "%shead %llu has slope %.9g where this claim has %.9g",
            wrong > 1 ? ", " : "", (unsigned long long)i, list->found[i], list->claimed[i]);
    }
    if (wrong > SAID)
        len += (size_t)snprintf(says + len, size - len, ", and so on in %zu more heads",
                                wrong - SAID);
    snprintf(says + len, size - len, "; the other heads are right");
    return wrong > 0 && 4 * wrong <= list->count;
}

struct candidate *mistake_heads_one_slope(const struct candidate *base, size_t variant)
{
    return read_slopes(base, is_few);
}
