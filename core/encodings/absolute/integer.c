/* SPDX-License-Identifier: Apache-2.0
 * integer.c - the raw position as a number: start + step * p.
 *
 * The code is unbounded and unique, but training saw no values beyond its length. Cumulative
 * counts over a mask are the encoding ids-from-mask. Su, kexue.fm 8130, Positional encodings.
 */
#include "core/encoding.h"

#include <math.h>

enum { ROWS };

struct integer {
    const struct pe_positions *pos;
    int64_t len, start, step;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct integer, len), .type = PE_INT, .required = true, .min = 0, .max = 0x1p40,
     .when = "!pos", .expanded = true, .summary = "number of positions, from 0 on"},
    {PE_FIELD(struct integer, pos), .type = PE_POSITIONS, .optional = true, .unit = "positions",
     .summary = "positions of the rows, as 0:128 or 5,9,12, in place of len"},
    {PE_FIELD(struct integer, start), .type = PE_INT, .min = -0x1p52, .max = 0x1p52,
     PE_OWN("posenc", POSITIONS, ADVANCED),
     .summary = "number of position 0; some models count from 1"},
    {PE_FIELD(struct integer, step), .type = PE_INT, .min = -0x1p40, .max = 0x1p40, .preset = 1,
     PE_OWN("posenc", POSITIONS, ADVANCED),
     .summary = "difference between the numbers of a position and of the one before"},
};

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_I64, "pos"), .label = "Rows", .one_of = "len|pos",
              .summary = "the number of each position", .by_default = true, .bound = "exact"},
};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    const struct integer *v = values;

    if (!v->pos)
        pe_args_put_slice(args, offsetof(struct integer, pos), 0, v->len, errors);
}

static double number_of(const struct integer *v, double position)
{
    return fma((double)v->step, position, (double)v->start);
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct integer *v = values;
    double low, high;

    pe_positions_range(v->pos, &low, &high);
    return (struct pe_interval){fmin(number_of(v, low), number_of(v, high)),
                                fmax(number_of(v, low), number_of(v, high))};
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct pe_interval most = range(args, values, ROWS);

    if (most.low < -0x1p53 || most.high > 0x1p53)
        pe_fail(errors, PE_OUT_OF_RANGE, "pos",
                "must keep start + step * pos within 2^53, where whole numbers are exact; got "
                "%g",
                most.low < -0x1p53 ? most.low : most.high);
}

static double element(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct integer *v = state;

    return number_of(v, pe_positions_at(v->pos, col));
}

static const struct pe_filler filler = {.element = element, .ns_per_element = 4};

const struct pe_encoding pe_encoding_integer = {
    .name = "integer",
    .title = "Integer position",
    .formula = "rows[p] = start + step p",
    .when_to_use = "The plainest absolute position: position ids for a model's own table, a "
                   "temperature or time axis, a baseline. For ids of padded or packed batches "
                   "take ids-from-mask or ids-packed.",
    .what_goes_wrong =
        "The numbers are not bounded: positions beyond the trained length are values that the "
        "model has never seen. Some libraries count from 1 (DETR's cumulative sums), and "
        "bfloat16 holds whole numbers only to 256, so that positions beyond it collapse.",
    .picture = "len=64",
    .summary = "the position itself, as a number",
    .source = "Su, kexue.fm 8130: the plainest absolute position",
    .examples = PE_WORDS("len=4", "len=4&start=1", "len=5&start=10&step=-2", "pos=5,9,12"),
    .family = PE_ABSOLUTE,
    .revision = 2,
    PE_TABLES(struct integer, params, outputs),
    .resolve = resolve,
    .check = check,
    .range = range,
    .filler = &filler,
};
