/* SPDX-License-Identifier: Apache-2.0
 * wavelength.c - wavelengths by double-double division, and sums over a ladder. */
#include "core/math/wavelength.h"

#include <math.h>
#include <string.h>

#include "core/math/product.h"

/* 2 pi as a double-double. */
static const double two_pi_hi = 0x1.921fb54442d18p+2, two_pi_lo = 0x1.1a62633145c07p-52;

double wavelength_of(const struct phase_freq *freq)
{
    double quotient = two_pi_hi / freq->hi;
    double product = quotient * freq->hi;
    double rest = two_pi_hi - product; /* exact: they agree in their leading bits */

    if (freq->hi == 0)
        return INFINITY; /* a pair that stands still */
    rest = rest - product_error(quotient, freq->hi, product) + two_pi_lo - quotient * freq->lo;
    return quotient + rest / freq->hi;
}

struct sum { /* Neumaier's compensated sum */
    double total, lost;
};

static void add(struct sum *sum, double value)
{
    double total = sum->total + value;

    if (fabs(sum->total) >= fabs(value))
        sum->lost += (sum->total - total) + value;
    else
        sum->lost += (value - total) + sum->total;
    sum->total = total;
}

double wavelength_cosines(const struct phase_freq *freq, size_t pairs, double distance)
{
    struct sum sum = {0, 0};

    for (size_t i = 0; i < pairs; i++) {
        double sine, cosine;

        phase_sincos_at(&freq[i], distance, &sine, &cosine);
        add(&sum, cosine);
    }
    return sum.total + sum.lost;
}

double wavelength_chords(const struct phase_freq *freq, size_t pairs, double distance)
{
    struct sum sum = {0, 0};

    for (size_t i = 0; i < pairs; i++) {
        double sine, cosine;

        phase_sincos_at(&freq[i], distance / 2, &sine, &cosine);
        add(&sum, 4 * sine * sine);
    }
    return sum.total + sum.lost;
}

static void fill_vector(const void *state, const struct pe_rect *rect, double *const out[],
                        const void *const input[], void *scratch)
{
    (void)input;
    (void)scratch;
    for (uint64_t row = 0; out[0] && row < rect->rows; row++)
        memcpy(out[0] + row * rect->cols, (const double *)state + rect->col,
               rect->cols * sizeof(double));
}

const struct pe_filler wavelength_vector_filler = {.reference = fill_vector,
                                                   .ns_per_element = 1};
