/* SPDX-License-Identifier: Apache-2.0
 * normalized.c - the position scaled to a fixed interval, whatever the length T.
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
    int64_t length;
    int interval, endpoint;
};

static const struct pe_choice intervals[] = {
    [UNIT] = {"0..1", PE_WORDS("unit"), NULL, NULL},
    [SIGNED] = {"-1..1", PE_WORDS("signed"), NULL, NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_choice endpoints[] = {
    [INCLUSIVE] = {"inclusive", NULL, "the first and the last position are the ends", NULL},
    [CENTRES] = {"centres", PE_WORDS("centers"), "middles of equal cells", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD(struct normalized, length), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p40, .summary = "positions 0:length"},
    {PE_FIELD(struct normalized, interval), .type = PE_CHOICE, .choices = intervals,
     .summary = "what the positions are scaled to"},
    {PE_FIELD(struct normalized, endpoint), .type = PE_CHOICE, .choices = endpoints,
     .summary = "where the ends of the interval lie"},
};

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_F32, "pos"), .summary = "the scaled position",
              .by_default = true, .bound = "0.501 ULP; f64 0.5 ULP"},
};

/* Numerator and denominator are whole and exact, so that only the division rounds. A single
 * inclusive position is the start of the interval. */
static double element(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct normalized *v = state;
    double length = (double)v->length;
    double cells = v->endpoint == CENTRES ? 2 * length : v->length == 1 ? 2 : 2 * (length - 1);
    double half = 2 * (double)col + (v->endpoint == CENTRES ? 1 : 0);

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
    .summary = "the position scaled to 0..1 or -1..1",
    .source = "Su, kexue.fm 8130; timm pos_embed_sincos.py, segment-anything prompt_encoder.py",
    .examples = PE_WORDS("length=4", "length=4&endpoint=centres", "length=5&interval=-1..1"),
    .family = PE_ABSOLUTE,
    PE_TABLES(struct normalized, params, outputs),
    .lengths = PE_WORDS("pos=length"),
    .filler = &filler,
    .prepare = prepare,
};
