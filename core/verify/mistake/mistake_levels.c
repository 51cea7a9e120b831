/* SPDX-License-Identifier: Apache-2.0
 * mistake_levels.c - numbers of a quantized table: steps of one size, as int4 has them, or few
 * significant bits. Both are read out of the tensors. Numbers that are all levels of 8 bits are
 * no mistake (judge/levels.h). */
#include <math.h>
#include <stdio.h>

#include "core/verify/fit.h"
#include "core/verify/map.h"
#include "core/verify/mistake/mistakes.h"

enum { STEPS_LEAST = 7, STEPS_MOST = 255, BITS_LEAST = 2, BITS_MOST = 5, PARTS = 4 };
/* Fewer numbers than this may have few levels by chance. */
enum { NUMBERS_LEAST = 48 };

/* Numbers are whole multiples to within this, since the step is known to float32. */
static const double nearly = 1e-3;
/* Bits are few to within this, since numbers may have been printed. */
static const double printed = 1e-6;

/* Sees each number of the sample of all subjects, until `see` is false; returns whether it
 * never was. */
static bool each_number(const struct candidate *base, bool (*see)(double *context, double x),
                        double *context)
{
    bool on = true;

    for (size_t i = 0; i < base->claim->subject_count; i++) {
        const uint64_t rows = candidate_rows(base, i), cols = candidate_cols(base, i);

        base->claim->operations += (double)fit_sample_count(rows) * (double)cols;
        for (size_t j = 0; on && j < fit_sample_count(rows); j++) {
            view_row(&base->view[i], fit_sample_row(rows, j), base->data);
            for (uint64_t col = 0; on && col < cols; col++)
                on = see(context, base->data.at[col]);
        }
    }
    return on;
}

/* context: the least size that is not 0, the largest. */
static bool see_size(double *context, double x)
{
    const double size = fabs(x);

    if (size > 0 && size < context[0])
        context[0] = size;
    context[1] = fmax(context[1], size);
    return isfinite(x);
}

/* context: the step. */
static bool see_step(double *context, double x)
{
    const double steps = x / *context;

    return fabs(steps - nearbyint(steps)) <= nearly;
}

/* context: the significant bits. */
static bool see_bits(double *context, double x)
{
    int exponent;
    const double whole = ldexp(frexp(x, &exponent), (int)*context);

    return fabs(whole - nearbyint(whole)) <= printed * fabs(whole);
}

/* The least size is a step, or some of them. */
static struct candidate *make_steps(const struct candidate *base, const double size[2])
{
    char text[CANDIDATE_TEXT];

    for (int part = 1; part <= PARTS; part++) {
        const double count = nearbyint(size[1] / size[0] * part);
        double step = size[1] / count;

        if (!(count >= STEPS_LEAST && count <= STEPS_MOST) ||
            !each_number(base, see_step, &step))
            continue;
        struct candidate *made = mistakes_map(base, MAP_LEVELS);
        if (made)
            made->shift = step;
        snprintf(text, sizeof text, "%.0f levels of either sign", count);
        mistakes_tell(made, text, "float32");
        return made;
    }
    return NULL;
}

static struct candidate *make_bits(const struct candidate *base)
{
    char text[CANDIDATE_TEXT];

    for (double bits = BITS_LEAST; bits <= BITS_MOST; bits++) {
        if (!each_number(base, see_bits, &bits))
            continue;
        struct candidate *made = mistakes_map(base, MAP_LEVELS);
        if (made)
            made->cells = (uint64_t)bits;
        snprintf(text, sizeof text, "%.0f significant bits", bits);
        mistakes_tell(made, text, "float32");
        return made;
    }
    return NULL;
}

static bool are_many(const struct candidate *base)
{
    uint64_t count = 0;

    for (size_t i = 0; i < base->claim->subject_count; i++)
        count += candidate_rows(base, i) * candidate_cols(base, i);
    return count >= NUMBERS_LEAST;
}

struct candidate *mistake_levels(const struct candidate *base, size_t variant)
{
    double size[2] = {INFINITY, 0};

    if (base->tensor[0]->output->natural > PE_BF16 || base->enc->family == PE_MASK ||
        base->map != MAP_NONE || !are_many(base) || !each_number(base, see_size, size) ||
        size[1] == 0)
        return NULL;
    return variant == 0 ? make_steps(base, size) : make_bits(base);
}
