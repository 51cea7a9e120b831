/* SPDX-License-Identifier: Apache-2.0
 * radix.c - the digits of the position in a base, and how they extend beyond the trained
 * length, which explains rotary embeddings as digits (Su, kexue.fm 9675 and 9706).
 *
 *     digit_k = floor(p / b^(digits-1-k)) mod b
 *     interpolate: the digits of floor(p / factor), the fraction added to the last
 *
 * direct refuses what the digits cannot hold; extrapolate is direct with leading digits in
 * reserve, convert is direct with a larger base. RoPE's pair i is such a digit, its linear
 * scaling is interpolate, NTK-aware scaling is convert.
 */
#include "core/encoding.h"

#include <math.h>

enum { ROWS };
enum { DIRECT, INTERPOLATE };
enum { MSD_FIRST, LSD_FIRST };
enum { MAX_DIGITS = 64 };

struct radix {
    const struct pe_positions *pos;
    int64_t base, digits;
    double factor;
    int out_of_range, layout;
};

static const struct pe_param params[] = {
    PE_ROW_POS(struct radix, true),
    {PE_FIELD(struct radix, base), .type = PE_INT, .min = 2, .max = 0x1p53, .preset = 10,
     .summary = "base of the digits: each digit is a whole number below it"},
    {PE_FIELD(struct radix, digits), .type = PE_INT, .required = true, .min = 1,
     .max = MAX_DIGITS, PE_OWN("posenc", SHAPE, BASIC),
     .summary = "number of digits, the columns of a row"},
    {PE_FIELD(struct radix, out_of_range),
     PE_CHOICES([DIRECT] =
                    {"direct", PE_WORDS("extrapolate", "convert"),
                     "the position as it is, refused where digits cannot hold it: more digits "
                     "extrapolate, a larger base converts",
                     NULL, NULL},
                PE_ONE_AT_WITH(
                    INTERPOLATE, "interpolate",
                    "the position divided by factor, its fraction added to the last digit",
                    "factor=2")),
     .summary = "how positions beyond the trained length become digits"},
    {PE_FIELD(struct radix, factor), .type = PE_REAL, .required = true, .min = 1, .max = 1e18,
     .when = "out_of_range=interpolate",
     .summary = "divisor of the positions: how many times longer the context becomes"},
    {PE_FIELD(struct radix, layout),
     PE_CHOICES(PE_ONE_AT(MSD_FIRST, "msd-first", "the most significant digit first"),
                PE_ONE_AT(LSD_FIRST, "lsd-first", "the least significant digit first")),
     .summary = "order of the digits in a row"},
};

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_F32, "pos", "digit"), .label = "Rows",
              .sign = PE_NOT_NEGATIVE, .summary = "the digits of each position",
              .by_default = true, .bound = "0.501 ULP; f64 1 ULP"},
};

/* Returns the integral part of p / factor and, in *rest, the exact remainder of fmod. */
static double quotient_of(const struct radix *v, double position, double *rest)
{
    if (v->out_of_range == DIRECT) {
        *rest = 0;
        return position;
    }
    *rest = fmod(position, v->factor);
    return rint((position - *rest) / v->factor);
}

static void check_range(const struct radix *v, struct pe_errors *errors)
{
    double low, high, rest, capacity = 1;

    for (int64_t i = 0; i < v->digits && capacity <= 0x1p53; i++)
        capacity *= (double)v->base; /* exact until it is beyond every position */
    pe_positions_range(v->pos, &low, &high);
    if (low < 0 || quotient_of(v, high, &rest) >= fmin(capacity, 0x1p54))
        pe_fail(errors, PE_OUT_OF_RANGE, "pos",
                "must lie in 0:%lld^%lld%s, what the digits can hold; got %.17g",
                (long long)v->base, (long long)v->digits,
                v->out_of_range == INTERPOLATE ? " after division by factor" : "",
                low < 0 ? low : high);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct radix *v = values;

    if (v->out_of_range == DIRECT && !pe_positions_whole(v->pos))
        pe_fail(errors, PE_CONFLICT, "pos",
                "must be whole; fractions go with out_of_range=interpolate");
    else
        check_range(v, errors);
}

static void digits_of(const struct radix *v, double position, double row[MAX_DIGITS])
{
    double rest, quotient = quotient_of(v, position, &rest);
    uint64_t left = (uint64_t)quotient, base = (uint64_t)v->base;

    for (int64_t i = 0; i < v->digits; i++, left /= base)
        row[v->layout == MSD_FIRST ? v->digits - 1 - i : i] = (double)(left % base);
    if (v->out_of_range == INTERPOLATE)
        row[v->layout == MSD_FIRST ? v->digits - 1 : 0] += rest / v->factor;
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct radix *v = state;
    double row[MAX_DIGITS];

    for (uint64_t r = 0; r < rect->rows; r++) {
        digits_of(v, pe_positions_at(v->pos, rect->row + r), row);
        for (uint64_t c = 0; c < rect->cols; c++)
            out[0][r * rect->cols + c] = row[rect->col + c];
    }
}

static const struct pe_filler filler = {.reference = fill, .ns_per_element = 5};

const struct pe_encoding pe_encoding_radix = {
    .name = "radix",
    .title = "Digits of the position",
    .formula = "rows[p][k] = floor(p / base^(digits-1-k)) mod base\n"
               "interpolate: p / factor in place of p, its fraction added to the last digit",
    .when_to_use =
        "A picture of how RoPE is extended, for study: pair i of RoPE acts like digit i. More "
        "digits are extrapolation, division by factor is linear scaling, a larger base is "
        "NTK-aware scaling (Su, kexue.fm 9675).",
    .what_goes_wrong =
        "A digit in reserve is 0 in all of training, so that the model has not learned it "
        "when extrapolation needs it. Digits are not continuous: 99 and 100 differ in all "
        "columns, and interpolation crowds the last digit only.",
    .picture = "pos=0:128&base=4&digits=6",
    .summary = "the digits of the position in a base, and their extension to longer contexts",
    .source = "Su, kexue.fm 9675 and 9706",
    .examples =
        PE_WORDS("pos=1749&digits=4", "pos=1749&digits=3&out_of_range=interpolate&factor=2",
                 "pos=1749&digits=3&out_of_range=convert&base=16"),
    .family = PE_ABSOLUTE,
    PE_TABLES(struct radix, params, outputs),
    .check = check,
    .lengths = PE_WORDS("digit=digits"),
    .filler = &filler,
};
