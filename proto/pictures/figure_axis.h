/* SPDX-License-Identifier: Apache-2.0
 * figure_axis.h - an axis of a tensor in a figure: what it is called, and which value each of
 * its entries stands for. */
#pragma once

#include "core/posenc.h"
#include "proto/pictures/tick.h"

struct figure_axis {
    const char *label;              /* "position"; "" where nobody named the axis */
    uint64_t count;                 /* entries */
    struct pe_positions *positions; /* the values of the entries; NULL: they are numbered */
    bool even;                      /* the values are first, first + step, ... */
    double first, step;
};

struct figure_mark {
    double at; /* the entry, from 0; not whole between entries */
    char text[TICK_TEXT_SIZE];
};

/* Describes axis number `axis` of the tensor, with the values that the arguments give it;
 * PE_OK, or PE_NO_MEMORY. */
enum pe_status figure_axis_make(struct figure_axis *made, const struct pe_args *args,
                                const struct pe_tensor_info *tensor, size_t axis);
void figure_axis_fini(struct figure_axis *axis);
/* Finds about `about` round values of the axis; returns their number. */
size_t figure_axis_marks(const struct figure_axis *axis, double about,
                         struct figure_mark marks[TICK_MAX]);
/* Returns whether two axes of a tensor count the same things, so that its cells are squares. */
bool figure_axis_alike(const struct pe_tensor_info *tensor, size_t axis, size_t other);
