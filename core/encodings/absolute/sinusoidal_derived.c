/* SPDX-License-Identifier: Apache-2.0
 * sinusoidal_derived.c - matrices of the ladder of a sinusoidal encoding that are not its rows:
 * the matrix that shifts rows, and similarities of rows. */
#include <math.h>

#include "core/encodings/absolute/sinusoidal.h"
#include "core/math/trig/wavelength.h"

/* ---- shift ------------------------------------------------------------------------------- *
 * The matrix M with PE(p + k) = M PE(p) has the columns of the rows:
 * sin(a+b) = cos b sin a + sin b cos a, cos(a+b) = cos b cos a - sin b sin a. */

struct shift { /* the pair and the wave of each row and column of the matrix */
    size_t dim;
    const double *sine, *cosine; /* [pairs]: sine and cosine of shift * w_i */
    const size_t *pair;          /* [dim]: pair of each column */
    const enum rotation_wave *wave;
};

static double shift_at(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct shift *s = state;

    if (s->pair[row] != s->pair[col] || s->wave[row] == ROTATION_ZERO ||
        s->wave[col] == ROTATION_ZERO)
        return 0;
    if (s->wave[row] == s->wave[col])
        return s->cosine[s->pair[row]];
    return s->wave[row] == ROTATION_SIN ? s->sine[s->pair[row]] : -s->sine[s->pair[row]];
}

static const struct pe_filler shift_filler = {.element = shift_at, .ns_per_element = 3};

void sinusoidal_shift_prepare(struct pe_build *build, size_t group, const struct sinusoidal *s,
                              const struct rotation_table *table)
{
    struct rotation_band bands[ROTATION_MAX_BANDS];
    size_t dim = (size_t)s->dim, band_count = sinusoidal_bands(s, bands);
    struct shift *state = pe_build_alloc(build, sizeof *state);
    double *sine = pe_build_alloc(build, table->pairs * sizeof *sine);
    double *cosine = pe_build_alloc(build, table->pairs * sizeof *cosine);
    size_t *pair = pe_build_alloc(build, dim * sizeof *pair);
    enum rotation_wave *wave = pe_build_alloc(build, dim * sizeof *wave);

    if (!state || !sine || !cosine || !pair || !wave)
        return;
    for (size_t i = 0; i < table->pairs; i++)
        phase_sincos_at(&table->freq[i], s->shift, &sine[i], &cosine[i]);
    for (const struct rotation_band *band = bands; band < bands + band_count; band++) {
        for (size_t j = 0; j < band->count; j++) {
            pair[band->col + j * band->step] = band->first + j;
            wave[band->col + j * band->step] = band->wave;
        }
    }
    *state = (struct shift){dim, sine, cosine, pair, wave};
    pe_build_fill(build, group, &shift_filler, state);
}

/* ---- similarity -------------------------------------------------------------------------- *
 *     PE(p) . PE(p + k) = A^2 sum_i cos(k w_i)
 *     |PE(p) - PE(p + k)|^2 = A^2 sum_i 4 sin^2(k w_i / 2)
 *
 * Both depend on the distance k alone, not on the layout. Where the distance of two positions
 * is no double, the rows themselves are multiplied. */

struct similarity { /* the state of both outputs of similarities */
    const struct rotation_table *table;
    const struct pe_positions *distance, *pos; /* one of the two is NULL */
    int measure;
    double amplitude;
};

/* Makes the measure from a sum over pairs, of chords for euclidean and of cosines otherwise. */
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

/* Says whether p - q is a double (Knuth's two-sum) and one that phase_sincos_at takes. */
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

static double similarity_at(const void *state, uint64_t row, uint64_t col,
                            const void *const input[])
{
    const struct similarity *s = state;

    if (s->distance)
        return compare(s, pe_positions_at(s->distance, col));
    return compare_rows(s, pe_positions_at(s->pos, row), pe_positions_at(s->pos, col));
}

/* Returns the cost of a sum of up to 32768 cosines; blocks are cut by this cost. */
static double cost(const void *state, enum pe_dtype dtype)
{
    return 20 + 40 * (double)((const struct similarity *)state)->table->pairs;
}

static const struct pe_filler similarity_filler = {.element = similarity_at, .cost = cost};

void sinusoidal_similarity_prepare(struct pe_build *build, size_t group,
                                   const struct sinusoidal *s,
                                   const struct rotation_table *table, bool by_distance)
{
    const struct similarity state = {table, by_distance ? s->distance : NULL, s->pos,
                                     s->measure, s->amplitude};

    pe_build_fill_copy(build, group, &similarity_filler, &state, sizeof state);
}
