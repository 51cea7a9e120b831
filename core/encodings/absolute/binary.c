/* SPDX-License-Identifier: Apache-2.0
 * binary.c - the bits of the position, one bit a column.
 *
 *     column c = floor(p / 2^(dim-1-c)) mod 2, the most significant first
 *     gray: the bits of p xor (p >> 1); neighbouring positions differ in exactly one bit
 *
 * Bit k has period 2^(k+1): sines and cosines are its smooth version. Su, kexue.fm 8130;
 * Gray 1953 for the reflected code.
 */
#include "core/encoding.h"

#include <math.h>

enum { ROWS };
enum { MSB_FIRST, LSB_FIRST };
enum { REFUSED, MODULO };
enum { CODE_BINARY, CODE_GRAY };

struct binary {
    const struct pe_positions *pos;
    int64_t dim;
    int bit_order, out_of_range, code;
    bool is_signed;
};

static const struct pe_param params[] = {
    PE_ROW_POS(struct binary, false),
    {PE_FIELD(struct binary, dim), .type = PE_INT, .required = true, .min = 1, .max = 64,
     .summary = "number of bits, the columns of a row"},
    {PE_FIELD(struct binary, bit_order),
     PE_CHOICES(PE_ONE_AT(MSB_FIRST, "msb-first", "the most significant bit first"),
                PE_ONE_AT(LSB_FIRST, "lsb-first",
                          "the least significant bit first, which changes at each position")),
     PE_OWN("posenc", CONVENTION, BASIC), .summary = "order of the bits in a row"},
    {PE_FIELD(struct binary, code),
     PE_CHOICES(
         PE_ONE_AT(CODE_BINARY, "binary", "the binary digits of the position"),
         PE_ONE_AT(CODE_GRAY, "gray",
                   "the reflected code of Gray: neighbouring positions differ in one bit")),
     PE_OWN("posenc", CONVENTION, BASIC), .summary = "code that writes the position as bits"},
    {PE_FIELD(struct binary, out_of_range),
     PE_CHOICES(PE_ONE_AT(REFUSED, "error", "positions outside 0:2^dim are refused"),
                [MODULO] = {"modulo", PE_WORDS("wrap"),
                            "the bits of pos mod 2^dim: -1 has ones alone", NULL, NULL}),
     .summary = "what a position outside 0:2^dim becomes"},
    {.name = "signed",
     .offset = offsetof(struct binary, is_signed),
     .type = PE_BOOL,
     PE_OWN("posenc", CONVENTION, BASIC),
     .summary = "bits are -1 and 1 in place of 0 and 1"},
};

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_F32, "pos", "dim"), .label = "Rows",
              .summary = "the bits of each position", .by_default = true, .bound = "exact"},
};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct binary *v = values;
    double low, high;

    pe_positions_range(v->pos, &low, &high);
    if (v->out_of_range == REFUSED && (low < 0 || high >= ldexp(1, (int)v->dim)))
        pe_fail(errors, PE_OUT_OF_RANGE, "pos",
                "must lie in 0:2^%lld, what dim bits can tell apart, or give "
                "out_of_range=modulo; got %.17g",
                (long long)v->dim, low < 0 ? low : high);
}

/* Returns the code of p mod 2^dim; for p < 0, two's complement has the bits of p mod 2^dim. */
static uint64_t code_of(const struct binary *v, double position)
{
    uint64_t mask = v->dim == 64 ? UINT64_MAX : ((uint64_t)1 << v->dim) - 1;
    uint64_t bits = (uint64_t)(int64_t)position & mask;

    return v->code == CODE_GRAY ? bits ^ (bits >> 1) : bits;
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct binary *v = state;

    for (uint64_t r = 0; r < rect->rows; r++) {
        uint64_t code = code_of(v, pe_positions_at(v->pos, rect->row + r));

        for (uint64_t c = 0; c < rect->cols; c++) {
            uint64_t col = rect->col + c,
                     shift = v->bit_order == MSB_FIRST ? (uint64_t)v->dim - 1 - col : col;
            double bit = (double)(code >> shift & 1);

            out[0][r * rect->cols + c] = v->is_signed ? 2 * bit - 1 : bit;
        }
    }
}

static const struct pe_filler filler = {.reference = fill, .ns_per_element = 1};

const struct pe_encoding pe_encoding_binary = {
    .name = "binary",
    .title = "Binary position",
    .formula = "rows[p][c] = floor(p / 2^(dim-1-c)) mod 2, the most significant bit first\n"
               "gray: the bits of p xor floor(p / 2)",
    .when_to_use =
        "The shortest code of a position, for study and for small networks: 20 bits tell a "
        "million positions apart. Bit k has period 2^(k+1), and sines and cosines "
        "(sinusoidal) are its smooth version.",
    .what_goes_wrong =
        "The code is not continuous: from 3 to 4 all of three bits change, from 4 to 5 one. "
        "code=gray changes one bit at each step, but the number of differing bits still does "
        "not grow with the distance. Code that stores the least significant bit first has "
        "all columns reversed.",
    .picture = "pos=0:64&dim=6",
    .summary = "the bits of the position, plain or in Gray's order",
    .source = "Su, kexue.fm 8130; Gray 1953",
    .examples = PE_WORDS("pos=0:8&dim=3", "pos=5&dim=4&code=gray",
                         "pos=-1&dim=4&out_of_range=modulo&signed=1"),
    .family = PE_ABSOLUTE,
    PE_TABLES(struct binary, params, outputs),
    .check = check,
    .filler = &filler,
};
