/* SPDX-License-Identifier: Apache-2.0
 * sinusoidal_similarity.c - rows compared with each other (CATALOGUE 7, similarity):
 *
 *     PE(p) . PE(p + k) = A^2 sum_i cos(k w_i),
 *     |PE(p) - PE(p + k)|^2 = A^2 sum_i 4 sin^2(k w_i / 2),
 *
 * which depend on the distance k alone, not on the layout. */
#include <math.h>

#include "core/encodings/absolute/sinusoidal.h"
#include "core/math/wavelength.h"

struct similarity { /* state of both similarity outputs */
    const struct rotation_table *table;
    const struct pe_positions *distance, *pos; /* one of them */
    int measure;
    double amplitude;
};

static double compare(const struct similarity *s, double distance)
{
    size_t pairs = s->table->pairs;

    if (s->measure == MEASURE_EUCLIDEAN)
        return s->amplitude * sqrt(wavelength_chords(s->table->freq, pairs, distance));
    if (s->measure == MEASURE_COSINE)
        return wavelength_cosines(s->table->freq, pairs, distance) / (double)pairs;
    return s->amplitude * s->amplitude * wavelength_cosines(s->table->freq, pairs, distance);
}

static void fill_similarity(const void *state, const struct pe_rect *rect, double *const out[],
                            const void *const input[], void *scratch)
{
    const struct similarity *s = state;

    (void)input;
    (void)scratch;
    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        for (uint64_t col = 0; col < rect->cols; col++) {
            double distance =
                s->distance ? pe_positions_at(s->distance, rect->col + col)
                            : pe_positions_at(s->pos, rect->row + row) -
                                  pe_positions_at(s->pos, rect->col + col);

            out[0][row * rect->cols + col] = compare(s, distance);
        }
    }
}

/* A sum of up to 32768 cosines; blocks are cut by this cost. */
static const struct pe_filler similarity_filler = {.reference = fill_similarity,
                                                   .ns_per_element = 20000};

enum pe_status sinusoidal_similarity_prepare(struct pe_build *build, size_t group,
                                             const struct sinusoidal *s,
                                             const struct rotation_table *table,
                                             bool by_distance)
{
    struct similarity *state = pe_build_alloc(build, sizeof *state);

    if (!state)
        return PE_NO_MEMORY;
    *state = (struct similarity){table, by_distance ? s->distance : NULL, s->pos,
                                 s->measure, s->amplitude};
    pe_build_fill(build, group, &similarity_filler, state);
    return PE_OK;
}
