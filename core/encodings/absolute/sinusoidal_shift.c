/* SPDX-License-Identifier: Apache-2.0
 * sinusoidal_shift.c - the matrix M with PE(p + k) = M PE(p), made of the same columns as the
 * rows: sin(a+b) = cos b sin a + sin b cos a, cos(a+b) = cos b cos a - sin b sin a. */
#include "core/encodings/absolute/sinusoidal.h"

struct shift { /* state: what each row and column of the matrix stands for */
    size_t dim;
    const double *sine, *cosine; /* [pairs], of shift * w_i */
    const size_t *pair;          /* [dim] */
    const enum rotation_wave *wave;
};

static double element(const struct shift *s, size_t row, size_t col)
{
    if (s->pair[row] != s->pair[col] || s->wave[row] == ROTATION_ZERO ||
        s->wave[col] == ROTATION_ZERO)
        return 0;
    if (s->wave[row] == s->wave[col])
        return s->cosine[s->pair[row]];
    return s->wave[row] == ROTATION_SIN ? s->sine[s->pair[row]] : -s->sine[s->pair[row]];
}

static void fill_shift(const void *state, const struct pe_rect *rect, double *const out[],
                       const void *const input[], void *scratch)
{
    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        for (uint64_t col = 0; col < rect->cols; col++)
            out[0][row * rect->cols + col] =
                element(state, (size_t)(rect->row + row), (size_t)(rect->col + col));
    }
}

static const struct pe_filler shift_filler = {.reference = fill_shift, .ns_per_element = 3};

void sinusoidal_shift_prepare(struct pe_build *build, size_t group, const struct sinusoidal *s,
                              const struct rotation_table *table)
{
    struct rotation_band bands[ROTATION_MAX_BANDS];
    size_t dim = (size_t)s->dim, band_count = sinusoidal_columns_bands(s, bands);
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
