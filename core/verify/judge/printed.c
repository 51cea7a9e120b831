/* SPDX-License-Identifier: Apache-2.0
 * printed.c - see printed.h. */
#include "core/verify/judge/printed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/verify/fit.h"

/* With fewer places the last one is more than a thousandth of cosines and sines; float32's own
 * numbers have so few digits where they are large. */
enum { PLACES_LEAST = 3, PLACES_MOST = 7, PLACE_ROWS = 16 };

/* Numbers that were not rounded may have few places by themselves, 0.1 and 0.01; of numbers
 * that were, nine of ten have the last place, unless they are near 0 or 1. */
static const double share_least = 1.0 / 3;

/* How the tensors were printed: the fewest places that give all of their elements. */
struct printed {
    int places;
    bool digits;    /* places are digits that count, from the first that is not 0 on */
    uint64_t whole; /* elements that have the last place, */
    uint64_t count; /* of all */
};

/* Powers of ten from 10^-TEN_LEAST on: pow may round them in another way on another machine. */
enum { TEN_LEAST = 15 };
static const double tens[] = {1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8,
                              1e-7,  1e-6,  1e-5,  1e-4,  1e-3,  1e-2,  1e-1, 1,
                              1e1,   1e2,   1e3,   1e4,   1e5,   1e6,   1e7,  1e8};
enum { TENS = sizeof tens / sizeof *tens };

/* Returns the value of the last of so many places of a number; 0: it is smaller than a digit of
 * which there is a power, or larger. */
static double last_place(const struct printed *printed, int places, double number)
{
    const double size = fabs(number);
    int first = 0; /* the power of ten above the first digit */

    if (printed->digits && size > 0)
        for (first = -TEN_LEAST; first + TEN_LEAST < TENS && tens[first + TEN_LEAST] <= size;)
            first++;
    const int power = first - places + TEN_LEAST;
    return power >= 0 && first + TEN_LEAST < TENS ? tens[power] : 0;
}

/* Returns whether a number is that of so many places, rounded to the dtype. */
static bool is_printed(const struct printed *printed, int places, enum pe_dtype dtype,
                       double number)
{
    const double place = last_place(printed, places, number);

    if (!isfinite(number) || place == 0)
        return !isfinite(number);
    const double rounded = nearbyint(number / place) * place;
    return fabs(rounded - number) <= fabs(number) * (dtype == PE_F32 ? 0x1p-24 : 0x1p-50);
}

/* Raises the places until they give a row, and counts the elements that have the last of them;
 * returns whether so few places give it. */
static bool add_row(struct printed *printed, enum pe_dtype dtype, struct row_buffer row)
{
    for (size_t i = 0; i < row.capacity; i++) {
        int places = printed->places;

        while (places <= PLACES_MOST && !is_printed(printed, places, dtype, row.at[i]))
            places++;
        if (places > PLACES_MOST)
            return false;
        if (places > printed->places)
            printed->whole = 0;
        printed->places = places;
        printed->whole += !is_printed(printed, places - 1, dtype, row.at[i]);
        printed->count++;
    }
    return true;
}

/* Finds the places of all tensors; false if they were not printed so, or there is no memory. */
static bool find_places(struct printed *printed, const struct candidate *base)
{
    struct row_buffer memory = row_buffer_new(base->widest, &base->claim->failed);
    bool found = memory.at != NULL;

    printed->places = PLACES_LEAST;
    for (size_t i = 0; found && i < base->claim->subject_count; i++) {
        const struct view *view = &base->view[i];
        const struct row_buffer row = row_buffer_part(memory, 0, candidate_cols(base, i));

        found = (view->dtype == PE_F32 || view->dtype == PE_F64) &&
                base->tensor[i]->output->natural <= PE_BF16;
        for (uint64_t j = 0; found && j < candidate_rows(base, i); j++) {
            view_row(view, j, row);
            found = add_row(printed, view->precision, row);
        }
    }
    free(memory.at);
    return found && (double)printed->whole > share_least * (double)printed->count;
}

static bool is_within(void *context, const struct fit_row *row)
{
    const struct printed *printed = context;

    for (uint64_t i = 0; i < row->cols; i++) {
        const double distance = fabs(row->expected[i] - row->data[i]);

        if (row->expected[i] != row->data[i] &&
            !(distance <=
              row->bound[i] + last_place(printed, printed->places, row->data[i]) / 2))
            return false;
    }
    return true;
}

bool printed_explains(const struct candidate *base, char profile[PE_VERIFY_TEXT])
{
    for (int digits = 0; digits < 2; digits++) {
        struct printed printed = {.digits = digits};

        if (!find_places(&printed, base) || !fit_each_row(base, is_within, &printed))
            continue;
        snprintf(profile, PE_VERIFY_TEXT, "%s=%d", digits ? "digits" : "decimals",
                 printed.places);
        return true;
    }
    return false;
}

double printed_place(const struct view *view, bool *failed)
{
    struct printed printed = {.places = PLACES_LEAST};
    const uint64_t rows = view_rows(view) < PLACE_ROWS ? view_rows(view) : PLACE_ROWS;
    struct row_buffer row = row_buffer_new(view_cols(view), failed);
    bool found = row.at && (view->dtype == PE_F32 || view->dtype == PE_F64);

    for (uint64_t i = 0; found && i < rows; i++) {
        view_row(view, i, row);
        found = add_row(&printed, view->precision, row);
    }
    free(row.at);
    found = found && (double)printed.whole > share_least * (double)printed.count;
    return found ? tens[TEN_LEAST - printed.places] : 0;
}
