/* SPDX-License-Identifier: Apache-2.0
 * sinusoidal_similarity.c - rows compared with each other:
 *
 *     PE(p) . PE(p + k) = A^2 sum_i cos(k w_i),
 *     |PE(p) - PE(p + k)|^2 = A^2 sum_i 4 sin^2(k w_i / 2),
 *
 * which depend on the distance k alone, not on the layout. Where the distance of two positions
 * is no double, the rows themselves are multiplied. */
#include <math.h>

#include "core/encodings/absolute/sinusoidal.h"
#include "core/math/trig/wavelength.h"

struct similarity { /* state of both similarity outputs */
    const struct rotation_table *table;
    const struct pe_positions *distance, *pos; /* one of them */
    int measure;
    double amplitude;
};

/* From the sum over pairs: of chords for euclidean, else of cosines. */
static double measure(const struct similarity *s, double sum)
{
    if (s->measure == MEASURE_EUCLIDEAN)
        return s->amplitude * sqrt(sum);
    if (s->measure == MEASURE_COSINE)
        return sum / (double)s->table->pairs;
    return s->amplitude * s->amplitude * sum;
}

static double compare(const struct similarity *s, double distance)
{
    const struct phase_freq *freq = s->table->freq;
    size_t pairs = s->table->pairs;

    return measure(s, s->measure == MEASURE_EUCLIDEAN
                          ? wavelength_chords(freq, pairs, distance)
                          : wavelength_cosines(freq, pairs, distance));
}

/* p - q is a double, and one that phase_sincos_at takes (Knuth's two-sum). */
static bool is_exact(double p, double q)
{
    double distance = p - q, minus_q = distance - p;

    return fabs(distance) <= 0x1p53 && p - (distance - minus_q) == 0 && q + minus_q == 0;
}

static double compare_rows(const struct similarity *s, double p, double q)
{
    double sum = 0;

    if (is_exact(p, q))
        return compare(s, p - q);
    for (size_t i = 0; i < s->table->pairs; i++) {
        double p_sine, p_cosine, q_sine, q_cosine;

        phase_sincos_at(&s->table->freq[i], p, &p_sine, &p_cosine);
        phase_sincos_at(&s->table->freq[i], q, &q_sine, &q_cosine);
        if (s->measure == MEASURE_EUCLIDEAN)
            sum += (p_sine - q_sine) * (p_sine - q_sine) +
                   (p_cosine - q_cosine) * (p_cosine - q_cosine);
        else
            sum += p_sine * q_sine + p_cosine * q_cosine;
    }
    return measure(s, sum);
}

static void fill_similarity(const void *state, const struct pe_rect *rect, double *const out[],
                            const void *const input[], void *scratch)
{
    const struct similarity *s = state;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        for (uint64_t col = 0; col < rect->cols; col++) {
            out[0][row * rect->cols + col] =
                s->distance ? compare(s, pe_positions_at(s->distance, rect->col + col))
                            : compare_rows(s, pe_positions_at(s->pos, rect->row + row),
                                           pe_positions_at(s->pos, rect->col + col));
        }
    }
}

/* A sum of up to 32768 cosines; blocks are cut by this cost. */
static double cost(const void *state, enum pe_dtype dtype)
{
    return 20 + 40 * (double)((const struct similarity *)state)->table->pairs;
}

static const struct pe_filler similarity_filler = {.reference = fill_similarity, .cost = cost};

void sinusoidal_similarity_prepare(struct pe_build *build, size_t group,
                                   const struct sinusoidal *s,
                                   const struct rotation_table *table, bool by_distance)
{
    struct similarity *state = pe_build_alloc(build, sizeof *state);

    if (!state)
        return;
    *state = (struct similarity){table, by_distance ? s->distance : NULL, s->pos, s->measure,
                                 s->amplitude};
    pe_build_fill(build, group, &similarity_filler, state);
}
