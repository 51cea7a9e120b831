/* SPDX-License-Identifier: Apache-2.0
 * xpos.c - rotary tables with a scale that decays with distance: queries are multiplied by it,
 * keys divided.
 *
 *     zeta_j = (2j + gamma r) / ((1 + gamma) r)    scale = zeta_j^((p - centre) / scale_base)
 *     cos = scale cos(p w_j)    sin = scale sin(p w_j)    (keys, downscale=1: over scale)
 *
 * centre: 0, floor(length/2) (x-transformers, flash-attention) or ceil(length/2) (torchscale,
 * whose first exponent is floor(-length/2)). Sun et al. 2022, A Length-Extrapolatable
 * Transformer. It is for causal attention only: scores after a query grow.
 */
#include "core/encodings/rotary/xpos.h"

#include <math.h>

enum { SCALE, COS, SIN };
enum { CENTRE_NONE, CENTRE_FLOOR_HALF, CENTRE_TORCHSCALE };

const struct pe_choice xpos_centres[] = {
    PE_ONE_AT(CENTRE_NONE, "none", "position 0, so that cached keys stay right (AudioCraft)"),
    PE_ONE_AT(CENTRE_FLOOR_HALF, "floor_half",
              "position floor(length / 2), as flash-attention"),
    PE_ONE_AT(CENTRE_TORCHSCALE, "torchscale", "position ceil(length / 2), as torchscale"),
    {NULL, NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    XPOS_ROWS,
    LADDER_ROWS(struct xpos, ladder),
};

#define SCALE_NAMES XPOS_NAMES, "downscale"

static const struct pe_output outputs[] = {
    [SCALE] = {PE_OUTPUT("scale", PE_F32, "pos", "pair"), .label = "Scale",
               .sign = PE_NOT_NEGATIVE, .scale = PE_LOGARITHMIC, .columns = PE_COLUMN_PAIR,
               .summary = "factor on both columns of a pair at each position",
               .uses = PE_WORDS(SCALE_NAMES), .bound = "0.501 ULP; f64 1 ULP"},
    [COS] = {PE_OUTPUT("cos", PE_F32, "pos", "pair"), .label = "Cosines",
             .columns = PE_COLUMN_PAIR,
             .summary = "cosines of position times frequency, times the scale",
             .by_default = true, .uses = PE_WORDS(SCALE_NAMES),
             .bound = "0.501 ULP; f64 3 ULP"},
    [SIN] = {PE_OUTPUT("sin", PE_F32, "pos", "pair"), .label = "Sines",
             .columns = PE_COLUMN_PAIR,
             .summary = "sines of position times frequency, times the scale", .group = "cos",
             .by_default = true, .uses = PE_WORDS(SCALE_NAMES),
             .bound = "0.501 ULP; f64 3 ULP"},
};

/* ---- rules ------------------------------------------------------------------------------- */

void xpos_resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct xpos *x = values;
    double low, high;

    pe_positions_range(x->pos, &low, &high);
    if (x->centre != CENTRE_NONE && x->centre_len == PE_ABSENT_INT)
        x->centre_len = high < 0 ? 0 : (int64_t)high + 1;
    ladder_resolve(&x->ladder, pe_positions_count(x->pos) ? high + 1 : NAN, errors);
}

static double centre_of(const struct xpos *x)
{
    if (x->centre == CENTRE_NONE)
        return 0;
    return (double)(x->centre == CENTRE_FLOOR_HALF ? x->centre_len / 2
                                                   : x->centre_len - x->centre_len / 2);
}

/* Returns ln of zeta_j, which is negative. */
static struct dd log_zeta(const struct xpos *x, size_t pair)
{
    double width = (double)(2 * ladder_pairs(&x->ladder));
    struct dd top = elementary_add(elementary_product(x->zeta_gamma, width),
                                   (struct dd){2 * (double)pair, 0});
    struct dd bottom =
        elementary_multiply(elementary_sum(1, x->zeta_gamma), (struct dd){width, 0});

    return elementary_log_dd(elementary_divide(top, bottom));
}

/* Returns the largest size of an exponent of e, which is that of pair 0. */
static double largest(const struct xpos *x)
{
    double low, high, centre = centre_of(x);

    pe_positions_range(x->pos, &low, &high);
    return fmax(fabs(low - centre), fabs(high - centre)) / x->scale_base * -log_zeta(x, 0).hi;
}

void xpos_check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const double sized = 0x1p32; /* so many positions are refused for their number */
    const struct xpos *x = values;

    if ((double)pe_positions_count(x->pos) < sized && largest(x) > 700)
        pe_fail(errors, PE_OUT_OF_RANGE, "pos",
                "must stay where scales are doubles, within %.0f of the centre, %.0f",
                floor(700 * x->scale_base / -log_zeta(x, 0).hi), centre_of(x));
}

/* ---- sizes ------------------------------------------------------------------------------ */

/* Adds up the table and a logarithm a pair. */
double xpos_plan_ns(const struct pe_args *args, const void *values)
{
    const struct ladder *ladder = &((const struct xpos *)values)->ladder;

    return ladder_plan_ns(ladder) + 300 * (double)ladder_pairs(ladder);
}

/* ---- filling ----------------------------------------------------------------------------- */

struct xpos_scaled {
    const struct xpos *values;
    struct dd *logs; /* [pairs]: ln zeta_j / scale_base, negated for 1 / scale */
    double centre;
    struct rotation rotation;
};

static double scale_at(const struct xpos_scaled *scaled, double position, uint64_t pair)
{
    struct dd away = elementary_sum(position, -scaled->centre);

    return elementary_exp(elementary_multiply(away, scaled->logs[pair]));
}

/* Finds each row's position once, since a scattered list is searched for it. */
static void fill_scale(const void *state, const struct pe_rect *rect, double *const out[],
                       const void *const input[], void *scratch)
{
    const struct xpos_scaled *scaled = state;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        double position = pe_positions_at(scaled->values->pos, rect->row + row);

        for (uint64_t col = 0; col < rect->cols; col++)
            out[0][row * rect->cols + col] = scale_at(scaled, position, rect->col + col);
    }
}

static void fill_tables(const void *state, const struct pe_rect *rect, double *const out[],
                        const void *const input[], void *scratch)
{
    const struct xpos_scaled *scaled = state;

    rotation_filler.reference(&scaled->rotation, rect, out, input, scratch);
    for (uint64_t row = 0; row < rect->rows; row++) {
        double position = pe_positions_at(scaled->values->pos, rect->row + row);

        for (uint64_t col = 0; col < rect->cols; col++) {
            double scale = scale_at(scaled, position, rect->col + col);

            for (size_t slot = 0; slot < 2; slot++)
                if (out[slot])
                    out[slot][row * rect->cols + col] *= scale;
        }
    }
}

void xpos_row(const struct xpos_scaled *scaled, double position, double *cosine, double *sine)
{
    const size_t pairs = scaled->rotation.table->pairs;

    rotation_row(&scaled->rotation, 0, pairs, position, sine, cosine);
    for (size_t i = 0; i < pairs; i++) {
        const double scale = scale_at(scaled, position, i);

        cosine[i] *= scale;
        sine[i] *= scale;
    }
}

void xpos_invert(struct xpos_scaled *scaled)
{
    scaled->rotation.amplitude = 1 / scaled->rotation.amplitude;
}

static size_t scratch_of(const void *state, uint64_t elements)
{
    const struct xpos_scaled *scaled = state;

    return rotation_filler.scratch ? rotation_filler.scratch(&scaled->rotation, elements) : 0;
}

static const struct pe_filler scale_filler = {.reference = fill_scale, .ns_per_element = 40};
static const struct pe_filler tables_filler = {
    .reference = fill_tables, .scratch = scratch_of, .ns_per_element = 80};

struct xpos_scaled *xpos_scaled_new(struct pe_build *build, const struct xpos *x, bool over)
{
    const struct rotation_table *table = pe_build_table(build);
    size_t pairs = ladder_pairs(&x->ladder);
    struct xpos_scaled *scaled = pe_build_alloc(build, sizeof *scaled);
    double sign = over ? -1 : 1;

    if (!scaled)
        return NULL;
    *scaled = (struct xpos_scaled){
        .values = x,
        .logs = pe_build_alloc(build, pairs * sizeof *scaled->logs),
        .centre = centre_of(x),
        .rotation = {.table = table,
                     .pos = x->pos,
                     .zero_position = NAN,
                     .cols = pairs,
                     .band_count = 2,
                     .bands = {{0, ROTATION_COS, 0, pairs, 0, 1},
                               {1, ROTATION_SIN, 0, pairs, 0, 1}}},
    };
    if (!scaled->logs || !ladder_profile_rotation(build, &x->ladder, table, &scaled->rotation))
        return NULL;
    for (size_t j = 0; j < pairs; j++)
        scaled->logs[j] =
            elementary_divide(log_zeta(x, j), (struct dd){sign * x->scale_base, 0});
    return scaled;
}

void xpos_note(struct pe_build *build, const struct xpos *x)
{
    ladder_facts(build, &x->ladder);
    pe_build_fact(build, "centre", centre_of(x));
    if (pe_positions_count(x->pos) > 0 && largest(x) > 88)
        pe_build_warn(build, "scales leave the range of float32 here: rows far from the centre "
                             "are 0 or infinite in it");
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct xpos *x = values;
    const struct pe_args *args = pe_build_args(build);
    struct xpos_scaled *scaled = xpos_scaled_new(build, x, x->downscale);

    if (!scaled)
        return;
    pe_build_fill(build, SCALE, &scale_filler, scaled);
    if (pe_wants(args, COS) || pe_wants(args, SIN))
        pe_build_fill(build, COS, &tables_filler, scaled);
    xpos_note(build, x);
}

const struct pe_encoding pe_encoding_xpos = {
    .name = "xpos",
    .title = "xPos",
    .formula =
        "scale_i(p) = zeta_i^((p - centre) / scale_base), zeta_i = (2i/r + gamma) / (1 + "
        "gamma); queries times scale, keys over scale",
    .when_to_use =
        "xPos makes scores decay with distance, so that a model works beyond its trained "
        "length: LeX, torchscale, AudioCraft. RetNet has its idea of decay.",
    .what_goes_wrong =
        "Queries are multiplied and keys divided: the same table for both undoes the decay. "
        "torchscale centres on half the length, which changes with every decoded token, so "
        "cached keys are wrong unless centre=none.",
    .picture = "pos=0:64&dim=32&scale_base=64",
    .summary = "rotary tables with a scale that makes scores decay with distance",
    .source = "Sun et al. 2022, A Length-Extrapolatable Transformer; torchscale, "
              "flash-attention, x-transformers",
    .examples = PE_WORDS("pos=0:4&dim=8", "pos=100&dim=8&out=scale",
                         "pos=0:5&dim=8&out=scale&centre=torchscale",
                         "pos=0:5&dim=64&downscale=1&centre=floor_half&centre_len=9"),
    .family = PE_ROTARY,
    .revision = 2,
    PE_TABLES(struct xpos, params, outputs),
    .resolve = xpos_resolve,
    .check = xpos_check,
    .lengths = PE_WORDS("pair=rotary_dim/2"),
    .plan_ns = xpos_plan_ns,
    .table_key = ladder_first_table_key,
    .table_build = ladder_first_table_build,
    .table_free = rotation_table_free,
    .prepare = prepare,
};
