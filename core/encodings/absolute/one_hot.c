/* SPDX-License-Identifier: Apache-2.0
 * one_hot.c - a row of zeros with a single 1 at the column of the position. A learned table is
 * this matrix times the table. Su, kexue.fm 8130.
 */
#include "core/encoding.h"

#include <math.h>

enum { ROWS };
enum { ERROR, CLIP, MODULO };

struct one_hot {
    const struct pe_positions *pos;
    int64_t dim;
    int out_of_range;
};

static const struct pe_param params[] = {
    PE_ROW_POS(struct one_hot, false),
    {PE_FIELD(struct one_hot, dim), .type = PE_INT, .required = true, .min = 1, .max = 0x1p20,
     .summary = "width of a row: a column for each position of 0:dim"},
    {PE_FIELD(struct one_hot, out_of_range),
     PE_CHOICES(
         PE_ONE_AT(ERROR, "error", "positions outside 0:dim are refused"),
         [CLIP] =
             {"clip", PE_WORDS("clamp"),
              "the nearest column: the first for positions below 0, the last for those from "
              "dim on",
              NULL, NULL},
         [MODULO] = {"modulo", PE_WORDS("wrap"), "column pos mod dim", NULL, NULL}),
     .summary = "what a position outside 0:dim becomes"},
};

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_F32, "pos", "dim"), .label = "Rows", .sign = PE_NOT_NEGATIVE,
              .summary = "1 in the column of the position, 0 elsewhere", .by_default = true,
              .bound = "exact"},
};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct one_hot *v = values;
    double low, high;

    pe_positions_range(v->pos, &low, &high);
    if (v->out_of_range == ERROR && (low < 0 || high >= (double)v->dim))
        pe_fail(errors, PE_OUT_OF_RANGE, "pos",
                "must lie in 0:%lld, the columns, or give out_of_range=clip or modulo; got "
                "%g",
                (long long)v->dim, low < 0 ? low : high);
}

static uint64_t column_of(const struct one_hot *v, double position)
{
    double dim = (double)v->dim, left;

    if (v->out_of_range == MODULO) {
        left = fmod(position, dim);
        return (uint64_t)(left < 0 ? left + dim : left);
    }
    return (uint64_t)fmin(fmax(position, 0), dim - 1);
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct one_hot *v = state;

    for (uint64_t r = 0; r < rect->rows; r++) {
        uint64_t one = column_of(v, pe_positions_at(v->pos, rect->row + r));

        for (uint64_t c = 0; c < rect->cols; c++)
            out[0][r * rect->cols + c] = rect->col + c == one;
    }
}

static const struct pe_filler filler = {.reference = fill, .ns_per_element = 1};

const struct pe_encoding pe_encoding_one_hot = {
    .name = "one-hot",
    .title = "One-hot position",
    .formula = "rows[p][c] = 1 where c = p, else 0",
    .when_to_use =
        "The input of a layer that learns its own positions: a learned table is this matrix "
        "times the table. It also shows what any encoding by table can tell apart.",
    .what_goes_wrong =
        "It holds as many numbers as positions times columns and knows no position from dim "
        "on: out_of_range=clip gives all longer positions one code, as a clamped learned "
        "table does, and modulo lets a later position pass for an earlier one.",
    .picture = "pos=0:48&dim=48",
    .summary = "a single 1 in the column of the position",
    .source = "Su, kexue.fm 8130",
    .examples = PE_WORDS("pos=0:4&dim=4", "pos=-1,5&dim=4&out_of_range=modulo"),
    .family = PE_ABSOLUTE,
    PE_TABLES(struct one_hot, params, outputs),
    .check = check,
    .filler = &filler,
};
