/* SPDX-License-Identifier: Apache-2.0
 * matrix_dd.c - see matrix_dd.h. The polynomial has few products by Paterson and Stockmeyer
 * 1973; scaling and squaring as in Moler and Van Loan 2003, method 3. */
#include "core/math/linear/matrix_dd.h"

#include <math.h>
#include <string.h>

#include "core/math/number/elementary.h"
#include "core/posenc.h"

/* Terms of the polynomial: (1/8)^20 / 20! is below 2^-121. */
enum { DEGREE = 20, POWERS = 4 };

static void product(const struct dd *a, const struct dd *b, size_t n, struct dd *out,
                    const struct pe_stop *stop)
{
    for (size_t i = 0; i < n && !pe_stop_is_set(stop); i++)
        for (size_t j = 0; j < n; j++) {
            struct dd sum = {0, 0};

            for (size_t k = 0; k < n; k++)
                sum = elementary_add(sum, elementary_multiply(a[i * n + k], b[k * n + j]));
            out[i * n + j] = sum;
        }
}

/* Returns the number of halvings after which no row has a sum of magnitudes above 1/8. */
static int halvings_of(const struct dd *a, size_t n)
{
    double norm = 0;
    int halvings = 0;

    for (size_t i = 0; i < n; i++) {
        double sum = 0;

        for (size_t j = 0; j < n; j++)
            sum += fabs(a[i * n + j].hi);
        norm = fmax(norm, sum);
    }
    for (; norm > .125; norm /= 2)
        halvings++;
    return halvings;
}

/* Adds the terms of degrees first .. first+count-1, divided by the power of `first`:
 * 1 / first! + a / (first+1)! + ...; powers[p] is a^(p+1). */
static void add_terms(const struct dd *const powers[], size_t n, int first, int count,
                      const struct dd *inverse, struct dd *out)
{
    for (size_t i = 0; i < n * n; i++) {
        if (i % (n + 1) == 0)
            out[i] = elementary_add(out[i], inverse[first]);
        for (int p = 1; p < count; p++)
            out[i] = elementary_add(out[i],
                                    elementary_multiply(powers[p - 1][i], inverse[first + p]));
    }
}

/* Computes the polynomial by steps of POWERS degrees; spare has n^2 numbers. */
static void take_polynomial(const struct dd *const powers[], size_t n, struct dd *out,
                            struct dd *spare, const struct pe_stop *stop)
{
    struct dd inverse[DEGREE + 1] = {{1, 0}};

    for (int k = 1; k <= DEGREE; k++)
        inverse[k] = elementary_divide(inverse[k - 1], (struct dd){k, 0});
    memset(out, 0, n * n * sizeof *out);
    add_terms(powers, n, DEGREE, 1, inverse, out);
    for (int first = DEGREE - POWERS; first >= 0; first -= POWERS) {
        product(powers[POWERS - 1], out, n, spare, stop);
        memcpy(out, spare, n * n * sizeof *out);
        add_terms(powers, n, first, POWERS, inverse, out);
    }
}

bool matrix_exponential_dd(const struct dd *a, size_t n, struct dd *out, struct dd *scratch,
                           const struct pe_stop *stop)
{
    const size_t size = n * n;
    struct dd *scaled = scratch, *spare = scratch + POWERS * size;
    const struct dd *const powers[POWERS] = {scaled, scaled + size, scaled + 2 * size,
                                             scaled + 3 * size};
    const int halvings = halvings_of(a, n);
    const double scale = ldexp(1, -halvings);

    for (size_t i = 0; i < size; i++)
        scaled[i] = (struct dd){a[i].hi * scale, a[i].lo * scale};
    for (int p = 1; p < POWERS; p++)
        product(scaled, powers[p - 1], n, scaled + (size_t)p * size, stop);
    take_polynomial(powers, n, out, spare, stop);
    for (int i = 0; i < halvings; i++) {
        product(out, out, n, spare, stop);
        memcpy(out, spare, size * sizeof *out);
    }
    return !pe_stop_is_set(stop);
}
