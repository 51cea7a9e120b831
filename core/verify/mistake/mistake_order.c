/* SPDX-License-Identifier: Apache-2.0
 * mistake_order.c - rows and columns in another order, rows that were never filled, and numbers
 * of another encoding. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/expected.h"
#include "core/verify/mistake/mistakes.h"
#include "core/verify/other.h"
#include "core/verify/solve/row_list.h"

enum { ENCODINGS = 200 }; /* more than there are */

enum { MATCH_ROWS = 8, MATCH_COLUMNS = 2048 };
enum { LISTED_MOST = 1 << 20 }; /* rows, of each of which 17 bytes are kept */

struct match {
    struct row_buffer memory, expected, bound, data; /* MATCH_ROWS rows of each subject */
    size_t rows, cols;
};

/* Reads some rows of every tensor that is as wide as the first. */
static bool match_init(struct match *match, const struct candidate *base)
{
    const size_t subjects = base->claim->subject_count;

    match->cols = candidate_cols(base, 0);
    match->rows = 0;
    if (match->cols < 2 || match->cols > MATCH_COLUMNS)
        return false;
    const size_t all = subjects * MATCH_ROWS * match->cols;
    match->memory = row_buffer_new(3 * all, &base->claim->failed);
    if (!match->memory.at)
        return false;
    match->expected = row_buffer_part(match->memory, 0, all);
    match->bound = row_buffer_part(match->memory, all, all);
    match->data = row_buffer_part(match->memory, 2 * all, all);
    for (size_t subject = 0; subject < subjects; subject++) {
        const uint64_t rows = candidate_rows(base, subject);

        for (uint64_t i = 0; i < rows && i < MATCH_ROWS; i++) {
            uint64_t row = rows <= MATCH_ROWS ? i : (rows - 1) * (i + 1) / MATCH_ROWS;
            const size_t at = match->rows++ * match->cols;

            if (candidate_cols(base, subject) != match->cols)
                continue;
            expected_row(base, subject, row, row_buffer_part(match->expected, at, match->cols),
                         row_buffer_part(match->bound, at, match->cols));
            view_row(&base->view[subject], row, row_buffer_part(match->data, at, match->cols));
        }
    }
    return match->rows > 0;
}

/* Returns the sum of the distances of two columns; infinite if one is beyond its bound. */
static double column_distance(const struct match *match, size_t data, size_t expected)
{
    double sum = 0;

    for (size_t i = 0; i < match->rows; i++) {
        const size_t at = i * match->cols;
        const double distance =
            fabs(match->data.at[at + data] - match->expected.at[at + expected]);

        if (!(distance <= match->bound.at[at + expected]))
            return INFINITY;
        sum += distance;
    }
    return sum;
}

/* Finds for each column of the tensor the nearest of the claim; each is taken once. */
static bool match_columns(const struct candidate *base, const struct match *match,
                          uint32_t *columns)
{
    bool *taken = claim_memory(base->claim, match->cols, sizeof *taken), moved = false,
         ok = taken != NULL;

    for (size_t i = 0; ok && i < match->cols; i++) {
        size_t best = match->cols;
        double least = INFINITY;

        for (size_t j = 0; j < match->cols; j++) {
            double distance = taken[j] ? INFINITY : column_distance(match, i, j);

            if (distance < least) {
                least = distance;
                best = j;
            }
        }
        ok = best < match->cols;
        if (ok)
            taken[best] = true;
        columns[i] = (uint32_t)best;
        moved = moved || i != best;
    }
    free(taken);
    return ok && moved;
}

struct candidate *mistake_order_columns_shuffled(const struct candidate *base, size_t variant)
{
    struct candidate *made = NULL;
    struct match match;
    uint32_t *columns;

    if (base->columns || base->tensor[0]->output->natural > PE_BF16 ||
        base->changes.count > 0 || base->warped || base->map != MAP_NONE ||
        base->grid_width > 0 || !match_init(&match, base))
        return NULL;
    columns = claim_memory(base->claim, base->widest, sizeof *columns);
    if (columns && match_columns(base, &match, columns))
        made = candidate_copy(base);
    if (made) {
        made->columns = columns;
        columns = NULL;
    }
    free(columns);
    free(match.memory.at);
    return made;
}

static bool is_zero(const double *row, uint64_t cols)
{
    for (uint64_t i = 0; i < cols; i++)
        if (row[i] != 0)
            return false;
    return true;
}

/* Lists which rows of all subjects with as many rows as the first are zero. */
static void list_empty(struct row_list *list, const struct candidate *base,
                       struct row_buffer row)
{
    for (uint64_t i = 0; i < list->count; i++) {
        bool zero = true;

        for (size_t j = 0; zero && j < base->claim->subject_count; j++) {
            if (candidate_rows(base, j) != list->count)
                continue;
            view_row(&base->view[j], i, row);
            zero = is_zero(row.at, candidate_cols(base, j));
        }
        list->claimed[i] = list->found[i] = (double)i;
        list->kind[i] = zero ? ROW_EMPTY : ROW_MADE;
    }
}

/* Tells which rows are empty; of those in one run, as a slice too. */
static void tell_empty(struct candidate *made, const struct row_list *list, uint64_t count)
{
    char text[CANDIDATE_TEXT];
    uint64_t first = 0;

    while (list->kind[first] != ROW_EMPTY)
        first++;
    const uint64_t end = first + row_list_run(list, first).count;
    snprintf(text, sizeof text, "%llu:%llu", (unsigned long long)first,
             (unsigned long long)end);
    if (end - first == count)
        mistakes_tell(made, text, "");
    row_list_say(list, made->says, sizeof made->says);
}

/* Some rows are zero and some are not. */
struct candidate *mistake_order_unfilled_rows(const struct candidate *base, size_t variant)
{
    struct candidate *made = NULL;
    struct row_buffer row = row_buffer_new(base->widest, &base->claim->failed);
    struct row_list list;

    const bool applies = row.at && base->tensor[0]->output->natural <= PE_BF16 &&
                         candidate_rows(base, 0) <= LISTED_MOST;
    const bool ready = applies && row_list_init(&list, candidate_rows(base, 0));
    base->claim->failed = base->claim->failed || (applies && !ready);
    if (ready) {
        list_empty(&list, base, row);
        const uint64_t zero = row_list_count(&list, ROW_EMPTY);

        made = zero > 0 && zero < list.count ? mistakes_map(base, MAP_UNFILLED) : NULL;
        if (made)
            tell_empty(made, &list, zero);
        row_list_fini(&list);
    }
    free(row.at);
    return made;
}

/* The variants of mistake_order_encoding: every encoding, with the claim's sizes; then with
 * a distance that is one more, or less, for rules of which one includes it; then with a size
 * that the claim has not, from 1 on. */
struct candidate *mistake_order_encoding(const struct candidate *base, size_t variant)
{
    const struct pe_encoding *enc =
        variant % ENCODINGS < pe_count() ? pe_at(variant % ENCODINGS) : NULL;
    const size_t step = variant / ENCODINGS;

    if (!enc || enc == base->claim->enc || enc->family != base->claim->enc->family ||
        base->changes.count > 0 || base->warped)
        return NULL;
    return other_encoding(base->claim, enc, step < 3 ? (step == 2 ? -1 : (int)step) : 0,
                          step < 3 ? 0 : (int64_t)step - 2);
}
