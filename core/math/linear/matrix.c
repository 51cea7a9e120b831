/* SPDX-License-Identifier: Apache-2.0
 * matrix.c - see matrix.h. Scaling and squaring: Moler and Van Loan 2003, Nineteen Dubious Ways
 * to Compute the Exponential of a Matrix, method 3. */
#include "core/math/linear/matrix.h"

#include <math.h>
#include <string.h>

/* Terms of the polynomial: (1/8)^13 / 13! is below 2^-71. */
enum { DEGREE = 13 };

void matrix_product(const double *restrict a, const double *restrict b, size_t n,
                    double *restrict out)
{
    memset(out, 0, n * n * sizeof *out);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            const double factor = a[i * n + k];

            for (size_t j = 0; j < n; j++)
                out[i * n + j] += factor * b[k * n + j];
        }
    }
}

double matrix_norm(const double *a, size_t n)
{
    double norm = 0;

    for (size_t i = 0; i < n; i++) {
        double sum = 0;

        for (size_t j = 0; j < n; j++)
            sum += fabs(a[i * n + j]);
        norm = fmax(norm, sum);
    }
    return norm;
}

/* ---- exponential ------------------------------------------------------------------------- */

/* Computes out = I + a/1 (I + a/2 (I + ... a/13)) for an a of norm at most 1/8. */
static void take_polynomial(const double *a, size_t n, double *out, double *scratch)
{
    memset(out, 0, n * n * sizeof *out);
    for (size_t i = 0; i < n; i++)
        out[i * n + i] = 1;
    for (int term = DEGREE; term > 0; term--) {
        matrix_product(a, out, n, scratch);
        for (size_t i = 0; i < n * n; i++)
            out[i] = scratch[i] / term;
        for (size_t i = 0; i < n; i++)
            out[i * n + i] += 1;
    }
}

void matrix_exponential(const double *a, size_t n, double *out, double *scratch)
{
    double *scaled = scratch, *square = scratch + n * n, scale = 1;
    int squarings = 0;

    for (double norm = matrix_norm(a, n); norm * scale > 0.125; scale /= 2)
        squarings++;
    for (size_t i = 0; i < n * n; i++)
        scaled[i] = a[i] * scale;
    take_polynomial(scaled, n, out, square);
    for (int i = 0; i < squarings; i++) {
        matrix_product(out, out, n, square);
        memcpy(out, square, n * n * sizeof *out);
    }
}

/* ---- Cayley ------------------------------------------------------------------------------ */

static void exchange_rows(double *a, size_t n, size_t first, size_t second)
{
    for (size_t j = 0; first != second && j < n; j++) {
        const double kept = a[first * n + j];

        a[first * n + j] = a[second * n + j];
        a[second * n + j] = kept;
    }
}

static void subtract_row(double *a, size_t n, size_t from, size_t row, double factor)
{
    for (size_t j = 0; j < n; j++)
        a[from * n + j] -= factor * a[row * n + j];
}

bool matrix_cayley(const double *s, size_t n, double *out, double *scratch)
{
    for (size_t i = 0; i < n * n; i++) {
        const double unit = i % (n + 1) == 0;

        scratch[i] = unit + s[i];
        out[i] = unit - s[i];
    }
    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;

        for (size_t i = k + 1; i < n; i++)
            pivot = fabs(scratch[i * n + k]) > fabs(scratch[pivot * n + k]) ? i : pivot;
        if (scratch[pivot * n + k] == 0)
            return false;
        exchange_rows(scratch, n, k, pivot);
        exchange_rows(out, n, k, pivot);
        for (size_t i = 0; i < n; i++) {
            const double factor = scratch[i * n + k] / scratch[k * n + k];

            if (i == k || factor == 0)
                continue;
            subtract_row(scratch, n, i, k, factor);
            subtract_row(out, n, i, k, factor);
        }
    }
    for (size_t i = 0; i < n * n; i++)
        out[i] /= scratch[i / n * (n + 1)];
    return true;
}
