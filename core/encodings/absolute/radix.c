/* SPDX-License-Identifier: Apache-2.0
 * radix.c - the digits of the position in a base, and how they extend beyond the trained
 * length, which explains rotary embeddings as digits (Su, kexue.fm 9675 and 9706).
 *
 *     digit_k = floor(p / b^(digits-1-k)) mod b
 *     interpolate: the digits of floor(p / s), the fraction of p / s added to the last
 *
 * direct refuses what the digits cannot hold; extrapolate is direct with leading digits in
 * reserve, convert is direct with a larger base. RoPE's pair i is such a digit, its linear
 * scaling is interpolate, NTK-aware scaling is convert.
 */
#include "core/encoding.h"

#include <math.h>

enum { ROWS };
enum { MODE_DIRECT, MODE_INTERPOLATE };
enum { MSD_FIRST, LSD_FIRST };
enum { MAX_DIGITS = 64 };

struct radix {
    const struct pe_positions *pos;
    int64_t base, digits;
    double scale;
    int mode, order;
};

static const struct pe_choice modes[] = {
    [MODE_DIRECT] = {"direct", PE_WORDS("extrapolate", "convert"),
                     "the digits of the position: give more digits to extrapolate, another "
                     "base to convert",
                     NULL},
    [MODE_INTERPOLATE] = {"interpolate", NULL, "the digits of pos / scale", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_choice orders[] = {
    [MSD_FIRST] = {"msd-first", NULL, "the most significant digit first", NULL},
    [LSD_FIRST] = {"lsd-first", NULL, "the units first", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    PE_ROW_POS(struct radix, true),
    {PE_FIELD(struct radix, base), .type = PE_INT, .min = 2, .max = 0x1p53, .preset = 10,
     .summary = "base of the digits"},
    {PE_FIELD(struct radix, digits), .type = PE_INT, .required = true, .min = 1,
     .max = MAX_DIGITS, .summary = "digits of a row"},
    {PE_FIELD(struct radix, mode), .type = PE_CHOICE, .choices = modes,
     .summary = "how positions beyond the trained length are met"},
    {PE_FIELD(struct radix, scale), .type = PE_REAL, .required = true, .min = 1, .max = 1e18,
     .when = "mode=interpolate", .summary = "what the position is divided by"},
    {PE_FIELD(struct radix, order), .type = PE_CHOICE, .choices = orders,
     .summary = "order of the columns"},
};

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_F32, "pos", "digits"),
              .summary = "the digits of each position", .by_default = true,
              .bound = "0.501 ULP; f64 1 ULP"},
};

/* Returns the integral part of p / s and, in *rest, the exact remainder of fmod, below s. */
static double quotient_of(const struct radix *v, double position, double *rest)
{
    *rest = v->mode == MODE_INTERPOLATE ? fmod(position, v->scale) : 0;
    return v->mode == MODE_INTERPOLATE ? rint((position - *rest) / v->scale) : position;
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
                v->mode == MODE_INTERPOLATE ? " after division by scale" : "",
                low < 0 ? low : high);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct radix *v = values;

    if (v->mode == MODE_DIRECT && !pe_positions_whole(v->pos))
        pe_fail(errors, PE_CONFLICT, "pos",
                "must be whole; fractions go with mode=interpolate");
    else
        check_range(v, errors);
}

static void digits_of(const struct radix *v, double position, double row[MAX_DIGITS])
{
    double rest, quotient = quotient_of(v, position, &rest);
    uint64_t left = (uint64_t)quotient, base = (uint64_t)v->base;

    for (int64_t i = 0; i < v->digits; i++, left /= base)
        row[v->order == MSD_FIRST ? v->digits - 1 - i : i] = (double)(left % base);
    if (v->mode == MODE_INTERPOLATE)
        row[v->order == MSD_FIRST ? v->digits - 1 : 0] += rest / v->scale;
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
    .summary = "the digits of the position in a base, and their extension to longer contexts",
    .source = "Su, kexue.fm 9675 and 9706",
    .examples = PE_WORDS("pos=1749&digits=4", "pos=1749&digits=3&mode=interpolate&scale=2",
                         "pos=1749&digits=3&mode=convert&base=16"),
    .family = PE_ABSOLUTE,
    PE_TABLES(struct radix, params, outputs),
    .check = check,
    .filler = &filler,
};
