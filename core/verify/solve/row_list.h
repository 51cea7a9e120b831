/* SPDX-License-Identifier: Apache-2.0
 * row_list.h - for each row of a table the position that makes it, beside the one that the
 * claim has; and the same in few words, as slices. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum row_kind {
    ROW_MADE,  /* it is that of a position */
    ROW_EMPTY, /* it is zero, and the claim's is not */
    ROW_OTHER, /* no position makes it */
};

/* The words for the items of a list, rows of positions for example. */
struct row_words {
    const char *one, *made; /* "row", "position" */
    const char *none;       /* what those are that none makes: "of no position" */
};

struct row_list {
    const struct row_words *words; /* NULL: rows and positions */
    uint64_t count;
    double *claimed, *found; /* positions; found where the row is made */
    unsigned char *kind;     /* of enum row_kind */
};

/* Rows that adjoin, of one kind, whose positions rise by one step, or are the claim's. */
struct row_run {
    enum row_kind kind;
    bool right; /* its positions are the claim's */
    uint64_t row, count;
    double first, step;
};

/* False when out of memory. */
bool row_list_init(struct row_list *list, uint64_t count);
void row_list_fini(struct row_list *list);
uint64_t row_list_count(const struct row_list *list, enum row_kind kind);
/* Returns the number of rows whose positions are the claim's. */
uint64_t row_list_right(const struct row_list *list);
/* Reads the run that begins at this row. */
struct row_run row_list_run(const struct row_list *list, uint64_t row);
/* Writes the positions that were found as slices, "0:20,0,0,5:9"; false if there is no room, or
 * a row has none. */
bool row_list_print(const struct row_list *list, char *text, size_t size);
/* Writes half a sentence about the rows that are not right, of which there is one at least:
 * "rows 20:32 are those of positions 21:33; the other rows are right". `size` is at least
 * 200. */
void row_list_say(const struct row_list *list, char *text, size_t size);
/* Writes what the rows of a run are: "positions 21:33", "zeros". `size` is at least 64. */
void row_list_print_run(const struct row_list *list, const struct row_run *run, char *text,
                        size_t size);
