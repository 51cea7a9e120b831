/* SPDX-License-Identifier: Apache-2.0
 * shown.h - what tensors show of the values of parameters, whatever the encoding: sizes in
 * their shapes, counts and runs in masks and positions. */
#pragma once

#include "core/encoding.h"
#include "core/verify/view.h"

enum { SHOWN_TEXTS = 32, SHOWN_LISTS = 6, SHOWN_LIST = 4096, SHOWN_SEGMENTS = 2 };

/* Values as texts, in the order in which they are tried. */
struct shown {
    char whole[SHOWN_TEXTS][24];     /* of PE_INT */
    size_t whole_count, whole_sizes; /* so many of them are sizes */
    char range[SHOWN_TEXTS][32];     /* of PE_POSITIONS */
    size_t range_count;
    char grid[SHOWN_TEXTS][32]; /* of PE_GRID */
    size_t grid_count;
    char list[SHOWN_LISTS][SHOWN_LIST]; /* of PE_REALS and PE_POSITIONS */
    size_t list_count;
    char segments[SHOWN_SEGMENTS][SHOWN_LIST]; /* of PE_SEGMENTS */
    size_t segment_count;
    bool masks;  /* a tensor of queries and keys has two values, as a mask has */
    bool failed; /* there was no memory to read a tensor */
};

/* Reads the shapes of the tensors, before all else; the result starts zeroed. */
void shown_read_sizes(struct shown *shown, const struct view *views, size_t count);
/* Returns the value number i for a parameter, of all or of sizes alone; NULL: no more. */
const char *shown_text(const struct shown *shown, const struct pe_param *param, bool sizes,
                       size_t i);
/* Adds a whole number, a list of them, or rows of a matrix, unless it is there already or there
 * is no place. */
void shown_add_whole(struct shown *shown, int64_t value);
void shown_add_list(struct shown *shown, const int64_t *values, size_t count);
void shown_add_rows(struct shown *shown, const int64_t *values, size_t rows, size_t cols);
