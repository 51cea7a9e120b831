/* SPDX-License-Identifier: Apache-2.0
 * column_list.h - for each pair of the claim by what it turns and in which columns, beside what
 * the claim says; and the same in few words, as runs. */
#pragma once

#include "core/verify/solve/turn_reader.h"

struct column_item {
    struct turn turn;
    bool right;         /* it is that of its pair in the claim, */
    bool vague;         /* which turns too little to tell */
    double claimed;     /* its frequency in the claim; NAN: not known, */
    size_t own;         /* its pair, */
    bool same_axis;     /* whether `turn.like` turns along the same axis, */
    size_t one, other;  /* and of vectors its columns, */
    size_t mine, yours; /* and those that turn in the tensors */
};

struct column_list {
    const char *word; /* "pair", or "column" where the columns of a pair differ */
    size_t count;
    struct column_item *at;
    bool vectors;
    size_t cols;
    bool *zero; /* of vectors: columns that are zero besides */
};

/* Items that adjoin and are the same in one way. */
enum column_way {
    COLUMNS_RIGHT,
    COLUMNS_KIND,   /* still, zero or of no frequency */
    COLUMNS_SHIFT,  /* they turn as pairs that are `by` later */
    COLUMNS_RATIO,  /* their frequencies are `by` times the claim's */
    COLUMNS_AXIS,   /* their frequencies are right, along another axis */
    COLUMNS_SERIES, /* each frequency is `by` times the one before */
    COLUMNS_ONE,    /* a frequency of its own */
};

struct column_run {
    enum column_way way;
    size_t from, count;
    double by;
};

/* How pairs lie in the columns of vectors: pair i is columns first + step i and those `apart`
 * columns after. */
struct column_form {
    size_t first, step, apart;
};

struct column_run column_list_run(const struct column_list *list, size_t from);
size_t column_list_count(const struct column_list *list, enum turn_kind kind);
size_t column_list_right(const struct column_list *list);
/* Finds the form of the columns that turn in the tensors, or in the claim; false if there is
 * none. */
bool column_list_form(const struct column_list *list, bool claimed, struct column_form *form);
/* Returns whether the tensors have another form than the claim, which it finds. */
bool column_list_is_moved(const struct column_list *list, struct column_form *form);
/* Writes "columns 2i and 2i + 1". */
void column_list_print_form(const struct column_form *form, char *text, size_t size);
/* Writes half a sentence about what is not right, of which there is something: "pairs 50:64 are
 * turned by 8 times their frequencies; the other pairs are right". `size` is at least 300. */
void column_list_say(const struct column_list *list, char *text, size_t size);
/* Writes what the items of a run are: "8 times their frequencies". `size` is at least 100. */
void column_list_print_run(const struct column_list *list, const struct column_run *run,
                           char *text, size_t size);
