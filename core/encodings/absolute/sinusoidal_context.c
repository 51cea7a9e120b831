/* SPDX-License-Identifier: Apache-2.0
 * sinusoidal_context.c - how often pairs turn in a context of L positions:
 *
 *     turns_i = L / lambda_i,    critical dim = 2 |{i : lambda_i < L}|
 *
 * For Vaswani's ladder the latter is 2 ceil(d/2 ln(L / 2 pi) / ln base) within 0 .. d, the
 * critical dimension of Liu et al. 2023, Scaling Laws of RoPE-based Extrapolation. */
#include <math.h>

#include "core/encodings/absolute/sinusoidal.h"
#include "core/math/trig/wavelength.h"

void sinusoidal_context_turns(struct pe_build *build, size_t group, const struct sinusoidal *s,
                              const struct rotation_table *table)
{
    double *turns = pe_build_alloc(build, table->pairs * sizeof *turns);

    if (!turns)
        return;
    for (size_t i = 0; i < table->pairs; i++)
        turns[i] = s->context / wavelength_of(&table->freq[i]);
    pe_build_fill(build, group, &wavelength_vector_filler, turns);
}

void sinusoidal_context_critical(struct pe_build *build, size_t group,
                                 const struct sinusoidal *s, const struct rotation_table *table)
{
    double *dim = pe_build_alloc(build, sizeof *dim);

    if (!dim)
        return;
    *dim = 0;
    for (size_t i = 0; i < table->pairs; i++)
        *dim += wavelength_below(&table->freq[i], s->context) ? 2 : 0;
    *dim = fmin(*dim, (double)s->dim); /* an odd dim may show one wave of its last pair */
    pe_build_fill(build, group, &wavelength_vector_filler, dim);
}
