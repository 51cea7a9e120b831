/* SPDX-License-Identifier: Apache-2.0
 * levels.c - see levels.h. The floats are those of "FP8 Formats for Deep Learning"
 * (Micikevicius et al., arXiv:2209.05433); integers of 8 bits stand for multiples of the
 * largest number by 127, or for steps from the least number to the largest by 255. */
#include "core/verify/judge/levels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/fit.h"

/* Levels by which numbers are rounded: floats with so many bits of the fraction, or steps of
 * one size from `origin` on. */
static const struct kind {
    const char *name;
    int fraction, least; /* bits; the exponent of the smallest step: 0 and 0 for equal steps */
    double largest;
    int steps; /* of equal ones, to either side of 0 */
    bool from_least;
} kinds[] = {
    {"f8-e4m3", .fraction = 3, .least = -9, .largest = 448},
    {"f8-e5m2", .fraction = 2, .least = -16, .largest = 57344},
    {"int8", .steps = 127},
    {"uint8", .steps = 255, .from_least = true},
};

/* Any two numbers are the ends of levels, and powers of two are floats: so many others must be
 * levels before a tensor is known by them. */
enum { OTHERS_LEAST = 48 };

/* The levels of the tensors. */
struct levels {
    const struct kind *kind;
    uint64_t others; /* elements that are no end, no 0 and no power of two */
    double origin[CLAIM_SUBJECTS], step[CLAIM_SUBJECTS]; /* of equal steps */
};

/* Steps are computed in float32 where a program does so, and so are the levels. */
static const double inexact = 0x1p-21;

static double step_at(const struct levels *levels, size_t subject, double number)
{
    int exponent;

    if (levels->kind->steps > 0)
        return levels->step[subject];
    (void)frexp(number, &exponent);
    exponent -= 1 + levels->kind->fraction;
    return ldexp(1, exponent > levels->kind->least ? exponent : levels->kind->least);
}

/* Returns whether a number is a level. */
static bool is_level(const struct levels *levels, size_t subject, double number)
{
    const double step = step_at(levels, subject, number);
    const double from = number - levels->origin[subject];
    const double off = fabs(from - step * nearbyint(from / step));

    return levels->kind->steps > 0 ? off <= inexact * fmax(fabs(number), step)
                                   : off == 0 && fabs(number) <= levels->kind->largest;
}

/* Returns whether a level says more than that it is one. */
static bool is_other(const struct levels *levels, size_t subject, double number)
{
    const double at =
        fabs(nearbyint((number - levels->origin[subject]) / levels->step[subject]));
    int exponent;

    return levels->kind->steps > 0 ? at > 0 && at < levels->kind->steps
                                   : number != 0 && fabs(frexp(number, &exponent)) != 0.5;
}

static bool set_levels(struct levels *levels, const struct candidate *base)
{
    for (size_t i = 0; i < base->claim->subject_count; i++) {
        const struct view *view = &base->view[i];
        const bool spread = levels->kind->from_least;

        if (view->dtype > PE_BF16 || base->tensor[i]->output->natural > PE_BF16 || view->nan ||
            view->infinite || !view->finite)
            return false;
        levels->origin[i] = spread ? view->least : 0;
        levels->step[i] =
            (spread ? view->most - view->least : fmax(fabs(view->least), fabs(view->most))) /
            fmax(1, levels->kind->steps);
        if (levels->kind->steps > 0 && !(levels->step[i] > 0))
            return false;
    }
    return true;
}

static bool is_within(void *context, const struct fit_row *row)
{
    struct levels *levels = context;

    for (uint64_t i = 0; i < row->cols; i++) {
        const double data = row->data[i], expected = row->expected[i];
        const double step =
            fmax(step_at(levels, row->subject, data), step_at(levels, row->subject, expected));

        if (!is_level(levels, row->subject, data) ||
            !(fabs(expected - data) <= row->bound[i] + step * (0.5 + inexact)))
            return false;
        levels->others += is_other(levels, row->subject, data);
    }
    return true;
}

bool levels_explain(const struct candidate *base, char profile[PE_VERIFY_TEXT])
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct levels levels = {.kind = &kinds[i]};

        if (!set_levels(&levels, base) || !fit_each_row(base, is_within, &levels) ||
            levels.others < OTHERS_LEAST)
            continue;
        snprintf(profile, PE_VERIFY_TEXT, "%s", kinds[i].name);
        return true;
    }
    return false;
}
