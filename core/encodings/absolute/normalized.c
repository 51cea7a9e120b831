/* SPDX-License-Identifier: Apache-2.0
 * normalized.c - the position p scaled to a fixed interval, whatever the length T = len.
 *
 *     inclusive p / (T - 1)     centres (p + 1/2) / T     and 2x - 1 of either for -1..1
 *
 * A distance has another code in a sequence of another length. timm's and Perceiver's
 * grids are -1..1 inclusive (linspace); Segment Anything and DINOv3 take centres.
 */
#include "core/encoding.h"

enum { ROWS };
enum { UNIT, SIGNED };
enum { INCLUSIVE, CENTRES };

struct normalized {
    int64_t len;
    const struct pe_positions *pos;
    int interval, endpoint;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct normalized, len), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p40, .summary = "number of positions that the interval is divided among"},
    {PE_FIELD(struct normalized, pos), .type = PE_POSITIONS, .optional = true,
     .unit = "positions", .summary = "positions of the rows within 0:len; all by default"},
    {PE_FIELD(struct normalized, interval),
     PE_CHOICES([UNIT] = {"0..1", PE_WORDS("unit"), "from 0 at the start to 1 at the end", NULL,
                          NULL},
                [SIGNED] = {"-1..1", PE_WORDS("signed"), "from -1 at the start to 1 at the end",
                            NULL, NULL}),
     PE_OWN("posenc", CONVENTION, BASIC),
     .summary = "the interval that the positions are scaled to"},
    {PE_FIELD(struct normalized, endpoint),
     PE_CHOICES(
         PE_ONE_AT(
             INCLUSIVE, "inclusive",
             "the first and the last position are the ends of the interval (timm, Perceiver)"),
         [CENTRES] = {"centres", PE_WORDS("centers"),
                      "the interval has len equal cells, and positions are their middles "
                      "(Segment Anything, DINOv3)",
                      NULL, NULL}),
     PE_OWN("NumPy", CONVENTION, BASIC),
     .summary = "whether the ends of the interval are positions, or borders of cells"},
};

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_F32, "pos"), .label = "Rows",
              .summary = "the scaled position, a number a position", .by_default = true,
              .bound = "0.501 ULP; f64 0.5 ULP"},
};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    const struct normalized *v = values;

    if (!v->pos)
        pe_args_put_slice(args, offsetof(struct normalized, pos), 0, v->len, errors);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct normalized *v = values;
    double low, high;

    pe_positions_range(v->pos, &low, &high);
    if (pe_positions_count(v->pos) > 0 && (low < 0 || high >= (double)v->len))
        pe_fail(errors, PE_OUT_OF_RANGE, "pos", "must lie in 0:%lld, as len says; got %.17g",
                (long long)v->len, low < 0 ? low : high);
}

/* Numerator and denominator are whole and exact, so that only the division rounds. A single
 * inclusive position is the start of the interval. */
static double element(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct normalized *v = state;
    double len = (double)v->len;
    double cells = v->endpoint == CENTRES ? 2 * len : v->len == 1 ? 2 : 2 * (len - 1);
    double half = 2 * pe_positions_at(v->pos, col) + (v->endpoint == CENTRES ? 1 : 0);

    return (v->interval == SIGNED ? 2 * half - cells : half) / cells;
}

static const struct pe_filler filler = {.element = element, .ns_per_element = 2};

static void prepare(struct pe_build *build, const void *values)
{
    pe_build_warn(build, "a step depends on the length: the same distance has another code in "
                         "a sequence of another length");
}

const struct pe_encoding pe_encoding_normalized = {
    .name = "normalized",
    .title = "Normalized position",
    .formula = "inclusive: rows[p] = p / (len - 1)\n"
               "centres: rows[p] = (p + 1/2) / len\n"
               "interval=-1..1: 2 x - 1 of either",
    .when_to_use =
        "One number a position, as input of Fourier features or of a small network: "
        "coordinates of images and volumes (timm, Perceiver, Segment Anything, DINOv3).",
    .what_goes_wrong =
        "The step depends on len: the same distance has another code in a sequence of another "
        "length. Grids of ends (linspace) and grids of middles of cells differ by half a step "
        "at the borders, and by that much a ported model sees a shifted image.",
    .picture = "len=64",
    .summary = "the position scaled to 0..1 or -1..1",
    .source = "Su, kexue.fm 8130; timm pos_embed_sincos.py, segment-anything prompt_encoder.py",
    .examples = PE_WORDS("len=4", "len=4&endpoint=centres", "len=5&interval=-1..1"),
    .family = PE_ABSOLUTE,
    PE_TABLES(struct normalized, params, outputs),
    .resolve = resolve,
    .check = check,
    .filler = &filler,
    .prepare = prepare,
};
