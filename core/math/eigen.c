/* SPDX-License-Identifier: Apache-2.0
 * eigen.c - cyclic Jacobi rotations: each makes one element off the diagonal zero, and a few
 * sweeps over all of them make the rest as small as roundings (Jacobi 1846; Golub and Van
 * Loan, Matrix Computations, section 8.5). Only + - * / and square roots: no bit varies. */
#include "core/math/eigen.h"

#include <math.h>
#include <stdbool.h>

enum { SWEEPS = 64 };

/* a' = c a - s b, b' = s a + c b, element by element. */
static void turn(double *a, double *b, size_t n, double c, double s)
{
    for (size_t i = 0; i < n; i++) {
        double x = a[i], y = b[i];

        a[i] = c * x - s * y;
        b[i] = s * x + c * y;
    }
}

/* Makes element (p, q) zero. False where it is already, within `tiny`. */
static bool rotate(double *matrix, size_t n, size_t p, size_t q, double tiny, double *vectors)
{
    double *row_p = matrix + p * n, *row_q = matrix + q * n, off = row_p[q];
    double pp = row_p[p], qq = row_q[q], theta, tangent, c, s;

    if (fabs(off) <= tiny)
        return false;
    theta = (qq - pp) / (2 * off);
    tangent = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    c = 1 / sqrt(tangent * tangent + 1);
    s = tangent * c;
    turn(row_p, row_q, n, c, s);
    for (size_t i = 0; i < n; i++) { /* columns are rows: the matrix is symmetric */
        matrix[i * n + p] = row_p[i];
        matrix[i * n + q] = row_q[i];
    }
    row_p[p] = pp - tangent * off;
    row_q[q] = qq + tangent * off;
    row_p[q] = row_q[p] = 0;
    turn(vectors + p * n, vectors + q * n, n, c, s);
    return true;
}

static void swap_rows(double *vectors, size_t n, size_t a, size_t b)
{
    for (size_t i = 0; i < n; i++) {
        double kept = vectors[a * n + i];

        vectors[a * n + i] = vectors[b * n + i];
        vectors[b * n + i] = kept;
    }
}

static void sort(double *values, double *vectors, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t least = i;
        double kept = values[i];

        for (size_t j = i + 1; j < n; j++) {
            if (values[j] < values[least])
                least = j;
        }
        if (least == i)
            continue;
        values[i] = values[least];
        values[least] = kept;
        swap_rows(vectors, n, i, least);
    }
}

void eigen_symmetric(double *matrix, size_t n, double *values, double *vectors)
{
    bool turned = true;
    double largest = 0;

    for (size_t i = 0; i < n * n; i++) {
        vectors[i] = i % (n + 1) == 0;
        largest = fmax(largest, fabs(matrix[i]));
    }
    for (int sweep = 0; sweep < SWEEPS && turned; sweep++) {
        turned = false;
        for (size_t p = 0; p + 1 < n; p++) {
            for (size_t q = p + 1; q < n; q++)
                turned = rotate(matrix, n, p, q, 0x1p-66 * largest, vectors) || turned;
        }
    }
    for (size_t i = 0; i < n; i++)
        values[i] = matrix[i * n + i];
    sort(values, vectors, n);
}

double eigen_cost_ns(size_t n)
{
    return 40 * (double)n * (double)n * (double)n;
}
