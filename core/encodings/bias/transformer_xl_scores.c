/* SPDX-License-Identifier: Apache-2.0
 * transformer_xl_scores.c - sinusoids of all distances, projected while planning, and the
 * scores computed from them. */
#include <math.h>

#include "core/encodings/bias/transformer_xl.h"
#include "core/math/linear/dot.h"
#include "core/math/relative/lookup.h"
#include "core/math/tensor_row.h"
#include "core/math/trig/phase_row.h"

enum { QUERIES, KEYS }; /* inputs */

/* Writes the smallest and the largest distance that wanted outputs need. */
static void span(const struct pe_args *args, const struct transformer_xl *xl, double *low,
                 double *high)
{
    double first, columns;

    *low = *high = 0;
    if (pe_wants(args, XL_SCORES))
        query_key_range(&xl->pairs, low, high);
    if (pe_wants(args, XL_RAW_BD)) {
        columns = (double)transformer_xl_rows(xl, &first);
        *low = fmin(*low, first - columns + 1);
        *high = fmax(*high, first);
    }
    *low = transformer_xl_distance(xl, *low);
    *high = transformer_xl_distance(xl, *high);
}

double transformer_xl_scores_products(const struct pe_args *args,
                                      const struct transformer_xl *xl)
{
    double low, high;

    if (!pe_wants(args, XL_SCORES) && !pe_wants(args, XL_RAW_BD))
        return 0;
    span(args, xl, &low, &high);
    return (high - low + 1) * (double)xl->w_r.rows * (double)xl->w_r.cols;
}

/* ---- segments ---------------------------------------------------------------------------- */

static const struct pe_reals *key_segments(const struct transformer_xl *xl)
{
    return xl->k_segment_ids.rows > 0 ? &xl->k_segment_ids : &xl->q_segment_ids;
}

void transformer_xl_segments_check(const struct transformer_xl *xl, struct pe_errors *errors)
{
    uint64_t wide = xl->queries.dims[0] * xl->queries.dims[2];
    uint64_t queries = pe_positions_count(xl->pairs.q), keys = pe_positions_count(xl->pairs.k);

    if (xl->seg_embed.rows == 0)
        return;
    if (xl->seg_embed.rows != 2 || xl->seg_embed.cols != wide)
        pe_fail(errors, PE_CONFLICT, "seg_embed",
                "must have 2 rows of %llu elements, heads times dim; got %zu of %zu",
                (unsigned long long)wide, xl->seg_embed.rows, xl->seg_embed.cols);
    if (xl->q_segment_ids.cols != queries)
        pe_fail(errors, PE_CONFLICT, "q_segment_ids",
                "must have a number a query, %llu, with seg_embed; got %zu",
                (unsigned long long)queries, xl->q_segment_ids.cols);
    else if (key_segments(xl)->cols != keys)
        pe_fail(errors, PE_CONFLICT, "k_segment_ids", "must have a number a key, %llu; got %zu",
                (unsigned long long)keys, key_segments(xl)->cols);
}

/* Adds (query + r_s_bias) . seg_embed, whose row says if query and key share a segment. */
static struct dd add_segment(const struct transformer_xl *xl, uint64_t head, uint64_t q,
                             uint64_t k, const double *query, struct dd sum)
{
    size_t dim = (size_t)xl->queries.dims[2];
    bool other =
        xl->seg_embed.rows > 0 && xl->q_segment_ids.values[q] != key_segments(xl)->values[k];
    const double *embed;

    if (xl->seg_embed.rows == 0)
        return sum;
    embed = xl->seg_embed.values + (other ? xl->seg_embed.cols : 0) + (size_t)head * dim;
    sum = dot_add(sum, query, embed, dim);
    return xl->r_s_bias.rows == 0
               ? sum
               : dot_add(sum, xl->r_s_bias.values + (size_t)head * dim, embed, dim);
}

/* ---- projected sinusoids ----------------------------------------------------------------- */

struct scores {
    const struct transformer_xl *xl;
    size_t dim, wide;  /* elements of a head, and of all heads */
    double low;        /* smallest distance */
    double *high_part; /* w_r^T R, [distances][wide] */
    double *low_part;
    struct dd scale;
};

static void project(struct scores *s, size_t row, const double *waves)
{
    const struct pe_reals *w = &s->xl->w_r;

    for (size_t c = 0; c < s->wide; c++) {
        struct dd sum = {0, 0};

        for (size_t i = 0; i < w->rows; i++)
            sum = elementary_add(sum, elementary_product(waves[i], w->values[i * w->cols + c]));
        s->high_part[row * s->wide + c] = sum.hi;
        s->low_part[row * s->wide + c] = sum.lo;
    }
}

static bool make_projected(struct pe_build *build, struct scores *s, size_t rows)
{
    size_t model = s->xl->w_r.rows, pairs = model / 2;
    const struct phase_freq *freq = transformer_xl_frequencies(build, s->xl, model);
    double *waves = pe_build_alloc(build, model * sizeof *waves);

    s->high_part = pe_build_alloc(build, rows * s->wide * sizeof(double));
    s->low_part = pe_build_alloc(build, rows * s->wide * sizeof(double));
    if (!freq || !waves || !s->high_part || !s->low_part)
        return false;
    for (size_t row = 0; row < rows; row++) {
        phase_row(freq, pairs, s->low + (double)row, 1, waves, waves + pairs);
        project(s, row, waves);
    }
    return true;
}

/* ---- elements ---------------------------------------------------------------------------- */

/* Returns (query + v) . projected sinusoid of the distance. */
static struct dd meet_distance(const struct scores *s, uint64_t head, const double *query,
                               double distance)
{
    const struct pe_reals *v = &s->xl->v;
    size_t row = (size_t)(transformer_xl_distance(s->xl, distance) - s->low);
    size_t at = row * s->wide + (size_t)head * s->dim;
    const double *learned = v->rows > 0 ? v->values + (size_t)head * s->dim : NULL;
    struct dd sum = dot_add((struct dd){0, 0}, query, s->high_part + at, s->dim);
    double rest = 0;

    if (learned)
        sum = dot_add(sum, learned, s->high_part + at, s->dim);
    for (size_t i = 0; i < s->dim; i++)
        rest += (query[i] + (learned ? learned[i] : 0)) * s->low_part[at + i];
    return isfinite(rest) ? elementary_add(sum, (struct dd){rest, 0}) : sum;
}

static double finite_or_plain(struct dd sum)
{
    return isfinite(sum.hi + sum.lo) ? sum.hi + sum.lo : sum.hi;
}

static void fill_scores(const void *state, const struct pe_rect *rect, double *const out[],
                        const void *const input[], void *scratch)
{
    const struct scores *s = state;
    const struct transformer_xl *xl = s->xl;
    uint64_t queries = pe_positions_count(xl->pairs.q), keys = pe_positions_count(xl->pairs.k);
    double *query = scratch, *key = query + s->dim;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        uint64_t head = (rect->row + row) / queries;
        double at = pe_positions_at(xl->pairs.q, (rect->row + row) % queries);

        tensor_row(&xl->queries, input[QUERIES], rect->row + row, 0, s->dim, query);
        for (uint64_t col = 0; col < rect->cols; col++) {
            uint64_t k = rect->col + col;
            struct dd sum = meet_distance(s, head, query, at - pe_positions_at(xl->pairs.k, k));

            tensor_row(&xl->keys, input[KEYS], head * keys + k, 0, s->dim, key);
            sum = dot_add(sum, query, key, s->dim);
            if (xl->u.rows > 0)
                sum = dot_add(sum, xl->u.values + (size_t)head * s->dim, key, s->dim);
            sum = add_segment(xl, head, (rect->row + row) % queries, k, query, sum);
            out[0][row * rect->cols + col] =
                isfinite(sum.hi) ? finite_or_plain(elementary_multiply(sum, s->scale))
                                 : sum.hi * s->scale.hi;
        }
    }
}

static void fill_raw(const void *state, const struct pe_rect *rect, double *const out[],
                     const void *const input[], void *scratch)
{
    const struct scores *s = state;
    uint64_t queries = pe_positions_count(s->xl->pairs.q);
    double *query = scratch, first;

    transformer_xl_rows(s->xl, &first);
    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        tensor_row(&s->xl->queries, input[QUERIES], rect->row + row, 0, s->dim, query);
        for (uint64_t col = 0; col < rect->cols; col++)
            out[0][row * rect->cols + col] = finite_or_plain(meet_distance(
                s, (rect->row + row) / queries, query, first - (double)(rect->col + col)));
    }
}

static size_t scratch_bytes(const void *state, uint64_t elements)
{
    return 2 * ((const struct scores *)state)->dim * sizeof(double);
}

static double cost(const void *state, enum pe_dtype dtype)
{
    return 50 + 30 * (double)((const struct scores *)state)->dim;
}

static const struct pe_filler scores_filler = {
    .reference = fill_scores, .scratch = scratch_bytes, .cost = cost};
static const struct pe_filler raw_filler = {
    .reference = fill_raw, .scratch = scratch_bytes, .cost = cost};

void transformer_xl_scores_fill(struct pe_build *build, const struct transformer_xl *xl)
{
    const struct pe_args *args = pe_build_args(build);
    bool scores = pe_wants(args, XL_SCORES), raw = pe_wants(args, XL_RAW_BD);
    struct scores *s = pe_build_alloc(build, sizeof *s);
    double high;

    if (!s)
        return;
    if (!scores && !raw)
        return;
    s->xl = xl;
    s->dim = (size_t)xl->queries.dims[2];
    s->wide = xl->w_r.cols;
    s->scale = isnan(xl->softmax_scale) ? lookup_scale(true, s->dim)
                                        : (struct dd){xl->softmax_scale, 0};
    span(args, xl, &s->low, &high);
    if (!make_projected(build, s, (size_t)(high - s->low) + 1))
        return;
    if (scores)
        pe_build_fill(build, XL_SCORES, &scores_filler, s);
    if (raw)
        pe_build_fill(build, XL_RAW_BD, &raw_filler, s);
}
