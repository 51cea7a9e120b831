/* SPDX-License-Identifier: Apache-2.0
 * one_hot.c - a row of zeros with a single 1 at the column of the position. A learned table is
 * this matrix times the table. Su, kexue.fm 8130.
 */
#include "core/encoding.h"

#include <math.h>

enum { ROWS };
enum { OVERFLOW_ERROR, OVERFLOW_CLIP, OVERFLOW_MODULO };

struct one_hot {
    const struct pe_positions *pos;
    int64_t size;
    int overflow;
};

static const struct pe_choice overflows[] = {
    [OVERFLOW_ERROR] = {"error", NULL, "refuse positions outside 0:size", NULL},
    [OVERFLOW_CLIP] = {"clip", PE_WORDS("clamp"), "the nearest column", NULL},
    [OVERFLOW_MODULO] = {"modulo", PE_WORDS("wrap"), "pos mod size", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    PE_ROW_POS(struct one_hot, false),
    {PE_FIELD(struct one_hot, size), .type = PE_INT, .required = true, .min = 1, .max = 0x1p20,
     .summary = "columns: positions 0:size"},
    {PE_FIELD(struct one_hot, overflow), .type = PE_CHOICE, .choices = overflows,
     .summary = "what positions outside 0:size become"},
};

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_F32, "pos", "size"),
              .summary = "1 in the column of the position", .by_default = true,
              .bound = "exact"},
};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct one_hot *v = values;
    double low, high;

    pe_positions_range(v->pos, &low, &high);
    if (v->overflow == OVERFLOW_ERROR && (low < 0 || high >= (double)v->size))
        pe_fail(errors, PE_OUT_OF_RANGE, "pos",
                "must lie in 0:%lld, the columns, or give overflow=clip or modulo; got "
                "%g",
                (long long)v->size, low < 0 ? low : high);
}

static uint64_t column_of(const struct one_hot *v, double position)
{
    double size = (double)v->size, left;

    if (v->overflow == OVERFLOW_MODULO) {
        left = fmod(position, size);
        return (uint64_t)(left < 0 ? left + size : left);
    }
    return (uint64_t)fmin(fmax(position, 0), size - 1);
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
    .summary = "a single 1 in the column of the position",
    .source = "Su, kexue.fm 8130",
    .examples = PE_WORDS("pos=0:4&size=4", "pos=-1,5&size=4&overflow=modulo"),
    .family = PE_ABSOLUTE,
    PE_TABLES(struct one_hot, params, outputs),
    .check = check,
    .filler = &filler,
};
