/* SPDX-License-Identifier: Apache-2.0
 * wavelength.c - computes wavelengths by double-double division, and sums over a ladder. */
#include "core/math/trig/wavelength.h"

#include <math.h>
#include <string.h>

#include "core/math/number/compensated.h"
#include "core/math/number/two_product.h"

/* 2 pi as a double-double. */
static const double two_pi_hi = 0x1.921fb54442d18p+2, two_pi_lo = 0x1.1a62633145c07p-52;

double wavelength_of(const struct phase_freq *freq)
{
    double quotient = two_pi_hi / freq->hi;
    double product = quotient * freq->hi;
    double rest = two_pi_hi - product; /* exact: both agree in their leading bits */

    if (freq->hi == 0)
        return INFINITY; /* a frequency of 0 */
    rest =
        rest - two_product_error(quotient, freq->hi, product) + two_pi_lo - quotient * freq->lo;
    return quotient + rest / freq->hi;
}

bool wavelength_below(const struct phase_freq *freq, double context)
{
    double turn = freq->hi * context, lost;

    if (fabs(turn - two_pi_hi) > 1)
        return turn > two_pi_hi;
    lost = two_product_error(freq->hi, context, turn) + freq->lo * context;
    return (turn - two_pi_hi) + (lost - two_pi_lo) > 0x1p-90;
}

double wavelength_cosines(const struct phase_freq *freq, size_t pairs, double distance)
{
    struct compensated sum = {0, 0};

    for (size_t i = 0; i < pairs; i++) {
        double sine, cosine;

        phase_sincos_at(&freq[i], distance, &sine, &cosine);
        compensated_add(&sum, cosine);
    }
    return compensated_value(&sum);
}

double wavelength_chords(const struct phase_freq *freq, size_t pairs, double distance)
{
    struct compensated sum = {0, 0};

    for (size_t i = 0; i < pairs; i++) {
        double sine, cosine;

        phase_sincos_at(&freq[i], distance / 2, &sine, &cosine);
        compensated_add(&sum, 4 * sine * sine);
    }
    return compensated_value(&sum);
}

void wavelength_check_sums(double sums, size_t pairs, struct pe_errors *errors)
{
    const double limit = 0x1p24; /* about 0.2 s of cosines */
    double work = sums * (double)pairs;

    if (work <= limit)
        return;
    pe_fail(errors, PE_TOO_LARGE, NULL,
            "similarities times pairs must be at most %.0f, asked %.0f; ask for fewer "
            "distances or a smaller dim",
            limit, work);
    pe_note_limit(errors, (uint64_t)limit, work < 0x1p64 ? (uint64_t)work : UINT64_MAX);
}

static void fill_vector(const void *state, const struct pe_rect *rect, double *const out[],
                        const void *const input[], void *scratch)
{
    for (uint64_t row = 0; out[0] && row < rect->rows; row++)
        memcpy(out[0] + row * rect->cols, (const double *)state + rect->col,
               rect->cols * sizeof(double));
}

const struct pe_filler wavelength_vector_filler = {.reference = fill_vector,
                                                   .ns_per_element = 1};
