/* SPDX-License-Identifier: Apache-2.0
 * mistake_rows.c - rows that are other rows of the claim, found by comparing each with all: in
 * another order, or those of one side of a table twice. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/expected.h"
#include "core/verify/mistake/mistakes.h"
#include "core/verify/solve/row_list.h"

enum { ROWS_MOST = 2048, ELEMENTS_MOST = 1 << 18 };
#define OF_ROW 2.0     /* operations to hold a row against another, */
#define OF_ELEMENT 2.0 /* and for each element until they differ */
/* Operations to find all rows: those that begin alike are compared with each other in full. */
static const double operations_most = 1e8;

/* The numbers of the tensor, of the claim, and their bounds; and for each row of the tensor the
 * row of the claim that it is. */
struct rows {
    struct claim *claim;
    struct row_buffer memory;
    double *data, *expected, *bound;
    uint64_t count, cols;
    bool *taken;
    uint32_t *map;
};

static void rows_fini(struct rows *rows)
{
    free(rows->memory.at);
    free(rows->taken);
    free(rows->map);
}

/* Returns the columns of all tensors that are judged, cosines beside sines; 0: they are no
 * tables of as many rows, which can be compared with each other. */
static uint64_t joined_columns(const struct candidate *base)
{
    const uint64_t rows = candidate_rows(base, 0);
    uint64_t cols = 0;

    for (size_t i = 0; i < base->claim->subject_count; i++) {
        if (base->tensor[i]->output->natural > PE_BF16 || base->tensor[i]->rank < 1 ||
            base->tensor[i]->dims[0] != rows || candidate_rows(base, i) != rows)
            return 0;
        cols += candidate_cols(base, i);
    }
    return base->changes.count == 0 && !base->warped && !base->rows && base->map == MAP_NONE &&
                   rows >= 3 && rows <= ROWS_MOST && rows * cols <= ELEMENTS_MOST
               ? cols
               : 0;
}

/* Reads a row of the tensors and of the claim, one subject behind the other. */
static void read_row(const struct rows *rows, const struct candidate *base, uint64_t row)
{
    const size_t all = rows->count * rows->cols;
    size_t at = row * rows->cols;

    for (size_t i = 0; i < base->claim->subject_count; i++) {
        const size_t cols = candidate_cols(base, i);

        expected_row(base, i, row, row_buffer_part(rows->memory, all + at, cols),
                     row_buffer_part(rows->memory, 2 * all + at, cols));
        view_row(&base->view[i], row, row_buffer_part(rows->memory, at, cols));
        at += cols;
    }
}

static bool rows_init(struct rows *rows, const struct candidate *base)
{
    *rows = (struct rows){.claim = base->claim,
                          .count = candidate_rows(base, 0),
                          .cols = joined_columns(base)};
    if (rows->cols == 0)
        return false;
    const size_t all = rows->count * rows->cols;
    rows->memory = row_buffer_new(3 * all, &base->claim->failed);
    rows->taken = claim_memory(base->claim, rows->count, sizeof *rows->taken);
    rows->map = claim_memory(base->claim, rows->count, sizeof *rows->map);
    if (!rows->memory.at || !rows->taken || !rows->map) {
        rows_fini(rows);
        return false;
    }
    rows->data = row_buffer_part(rows->memory, 0, all).at;
    rows->expected = row_buffer_part(rows->memory, all, all).at;
    rows->bound = row_buffer_part(rows->memory, 2 * all, all).at;
    for (uint64_t i = 0; i < rows->count; i++)
        read_row(rows, base, i);
    return true;
}

/* Returns the row of the claim's numbers that is the tensor's row: the next one from its own
 * on that is not taken. */
static uint64_t find_row(const struct rows *rows, uint64_t row)
{
    const double *data = rows->data + row * rows->cols;

    for (uint64_t step = 0; step < rows->count; step++) {
        const uint64_t i = (row + step) % rows->count, at = i * rows->cols;
        uint64_t col = 0;

        while (!rows->taken[i] && col < rows->cols &&
               fabs(data[col] - rows->expected[at + col]) <= rows->bound[at + col])
            col++;
        rows->claim->operations += OF_ROW + OF_ELEMENT * (double)col;
        if (!rows->taken[i] && col == rows->cols)
            return i;
    }
    return rows->count;
}

/* Returns whether the work is more than rows are worth, or the caller wants it to end. */
static bool is_spent(const struct rows *rows, double begun)
{
    return rows->claim->operations - begun > operations_most ||
           pe_stop_is_set(rows->claim->limits->stop);
}

/* Finds the row of the claim for each; each is taken once, or as often as it fits. False if one
 * has none, none has moved, or the work was ended. */
static bool match(struct rows *rows, bool once)
{
    const double begun = rows->claim->operations;
    bool moved = false;

    for (uint64_t i = 0; i < rows->count; i++) {
        const uint64_t found = is_spent(rows, begun) ? rows->count : find_row(rows, i);

        if (found == rows->count)
            return false;
        rows->taken[found] = once;
        rows->map[i] = (uint32_t)found;
        moved = moved || found != i;
    }
    return moved;
}

/* Makes the candidate of the rows that were found. */
static struct candidate *make(const struct candidate *base, struct rows *rows)
{
    struct candidate *made = candidate_copy(base);

    if (made) {
        made->rows = rows->map;
        rows->map = NULL;
    }
    return made;
}

struct candidate *mistake_rows_moved(const struct candidate *base)
{
    struct candidate *made = NULL;
    struct rows rows;

    if (!rows_init(&rows, base))
        return NULL;
    if (match(&rows, true))
        made = make(base, &rows);
    rows_fini(&rows);
    return made;
}

/* Returns the row about which the rows of one side are those of the other: 0 if there is
 * none. */
static uint64_t find_centre(const struct rows *rows)
{
    uint64_t first = 0;

    while (first < rows->count && rows->map[first] == first)
        first++;
    if (first == rows->count || (first + rows->map[first]) % 2 != 0)
        return 0;
    const uint64_t centre = (first + rows->map[first]) / 2;
    for (uint64_t i = 0; i < rows->count; i++)
        if (rows->map[i] != i && rows->map[i] + i != 2 * centre)
            return 0;
    for (uint64_t i = 1; i <= centre && centre + i < rows->count; i++)
        if (rows->map[centre + i] != rows->map[centre - i])
            return 0;
    return centre;
}

struct candidate *mistake_rows_mirrored(const struct candidate *base)
{
    struct candidate *made = NULL;
    struct rows rows;

    if (!rows_init(&rows, base))
        return NULL;
    const uint64_t centre = match(&rows, false) ? find_centre(&rows) : 0;
    const bool after = centre > 0 && rows.map[centre + 1] != centre + 1;
    if (centre > 0)
        made = make(base, &rows);
    if (made)
        snprintf(made->says, sizeof made->says,
                 "the rows on one side of row %llu are those of the other side: rows %llu:%llu "
                 "have the numbers of distances of the other sign, as if of |distance|",
                 (unsigned long long)centre, (unsigned long long)(after ? centre + 1 : 0),
                 (unsigned long long)(after ? rows.count : centre));
    mistakes_tell(made, "distances", "");
    rows_fini(&rows);
    return made;
}

/* Rows of which some are the same row of the claim, but not about a centre. */
struct candidate *mistake_rows_repeated(const struct candidate *base, size_t variant)
{
    static const struct row_words words = {"row", "row", "of no row"};
    struct candidate *made = NULL;
    struct row_list list;
    struct rows rows;

    if (base->claim->subject_count > 1 || !rows_init(&rows, base))
        return NULL;
    if (match(&rows, false) && find_centre(&rows) == 0 && row_list_init(&list, rows.count)) {
        list.words = &words;
        for (uint64_t i = 0; i < rows.count; i++) {
            list.claimed[i] = (double)i;
            list.found[i] = rows.map[i];
        }
        made = make(base, &rows);
        if (made)
            row_list_say(&list, made->says, sizeof made->says);
        row_list_fini(&list);
    }
    rows_fini(&rows);
    return made;
}
