/* SPDX-License-Identifier: Apache-2.0
 * integer.c - the raw position as a number: start + step * p for p = 0 .. length-1.
 *
 * The code is unbounded and unique, but training saw no values beyond its length. Cumulative
 * counts over a mask are the encoding ids-from-mask. Su, kexue.fm 8130, Positional encodings.
 */
#include "core/encoding.h"

#include <math.h>

enum { ROWS };

struct integer {
    int64_t length, start, step;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct integer, length), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p40, .summary = "how many positions"},
    {PE_FIELD(struct integer, start), .type = PE_INT, .min = -0x1p52, .max = 0x1p52,
     .summary = "the first; some count from 1"},
    {PE_FIELD(struct integer, step), .type = PE_INT, .min = -0x1p40, .max = 0x1p40, .preset = 1,
     .summary = "from one position to the next"},
};

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_I64, "pos"), .summary = "the number of each position",
              .by_default = true, .bound = "exact"},
};

static double last_of(const struct integer *v)
{
    return (double)v->start + (double)v->step * (double)(v->length > 0 ? v->length - 1 : 0);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct integer *v = values;

    if (fabs(last_of(v)) > 0x1p53)
        pe_fail(errors, PE_OUT_OF_RANGE, "length",
                "must keep start + step * (length - 1) within 2^53, where whole numbers "
                "are exact; got %g",
                last_of(v));
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct integer *v = values;

    return (struct pe_interval){fmin((double)v->start, last_of(v)),
                                fmax((double)v->start, last_of(v))};
}

static double element(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct integer *v = state;

    return (double)v->start + (double)v->step * (double)col;
}

static const struct pe_filler filler = {.element = element, .ns_per_element = 1};

const struct pe_encoding pe_encoding_integer = {
    .name = "integer",
    .summary = "the position itself, as a number",
    .source = "Su, kexue.fm 8130: the plainest absolute position",
    .examples = PE_WORDS("length=4", "length=4&start=1", "length=5&start=10&step=-2"),
    .family = PE_ABSOLUTE,
    PE_TABLES(struct integer, params, outputs),
    .check = check,
    .lengths = PE_WORDS("pos=length"),
    .range = range,
    .filler = &filler,
};
