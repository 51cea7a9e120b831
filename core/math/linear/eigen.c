/* SPDX-License-Identifier: Apache-2.0
 * eigen.c - reflections make a symmetric matrix tridiagonal, then implicit QL steps make the
 * other elements as small as roundings (Householder 1958; Bowdler, Martin, Reinsch and
 * Wilkinson 1968, The QR and QL algorithms for symmetric matrices; Golub and Van Loan, Matrix
 * Computations, section 8.3). Only + - * / and square roots are used, in an order that depends
 * on n alone: no bit varies. */
#include "core/math/linear/eigen.h"

#include <math.h>

enum { STEPS = 64 }; /* most QL steps for an eigenvalue; two or three are usual */

/* Add factor * b to a. */
static void add_times(double *restrict a, double factor, const double *restrict b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] += factor * b[i];
}

static double product(const double *a, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static bool is_stopped(const struct pe_stop *stop)
{
    return stop && pe_stop_is_set(stop);
}

/* ---- tridiagonal ------------------------------------------------------------------------ */

/* Replace x by the vector v whose reflection I - 2 v v' / v'v turns x into (result, 0, 0, ...),
 * and return the result. v[0] is 0 where x has that form already, but for numbers that are lost
 * beside any element of a matrix. */
static double reflect(double *x, size_t n)
{
    const double first = x[0], rest = product(x + 1, x + 1, n - 1);
    const double length = sqrt(first * first + rest);

    if (rest < 0x1p-900) { /* below, v'v would lose digits */
        x[0] = 0;
        return first;
    }
    x[0] = first < 0 ? first - length : first + length;
    return first < 0 ? length : -length;
}

/* Replace the trailing rows of M, which are n long and `stride` apart, by those of H M H, where
 * H is the reflection of v: M - v w' - w v', w = f M v - (f^2 / 2) (v' M v) v, f = 2 / v'v. */
static void reflect_both(double *matrix, size_t stride, size_t n, const double *v, double *w)
{
    const double factor = 2 / product(v, v, n);

    for (size_t i = 0; i < n; i++)
        w[i] = 0;
    for (size_t i = 0; i < n; i++)
        add_times(w, factor * v[i], matrix + i * stride, n);
    add_times(w, -factor / 2 * product(w, v, n), v, n);
    for (size_t i = 0; i < n; i++) {
        double *restrict row = matrix + i * stride;

        for (size_t j = 0; j < n; j++)
            row[j] -= v[i] * w[j] + w[i] * v[j];
    }
}

/* Store the vector of reflection k in row k of `matrix`, in elements k + 1 to n - 1; diagonal
 * and beside (n - 1 elements) are those of the tridiagonal matrix. */
static void make_tridiagonal(double *matrix, size_t n, double *diagonal, double *beside,
                             double *scratch, const struct pe_stop *stop)
{
    for (size_t k = 0; k + 1 < n && !is_stopped(stop); k++) {
        double *x = matrix + k * n + k + 1;

        diagonal[k] = matrix[k * n + k];
        beside[k] = reflect(x, n - k - 1);
        if (x[0] != 0)
            reflect_both(x + n, n, n - k - 1, x, scratch);
    }
    diagonal[n - 1] = matrix[n * n - 1];
}

/* Multiply all reflections, each from the left onto the later ones. */
static void multiply_reflections(const double *matrix, size_t n, double *product_of,
                                 double *scratch, const struct pe_stop *stop)
{
    for (size_t i = 0; i < n * n; i++)
        product_of[i] = i % (n + 1) == 0;
    for (size_t k = n - 1; k-- > 0 && !is_stopped(stop);) {
        const size_t count = n - k - 1;
        const double *v = matrix + k * n + k + 1;
        const double factor = v[0] != 0 ? -2 / product(v, v, count) : 0;
        double *block = product_of + (k + 1) * n + k + 1;

        if (factor == 0)
            continue;
        for (size_t j = 0; j < count; j++)
            scratch[j] = 0;
        for (size_t i = 0; i < count; i++)
            add_times(scratch, v[i], block + i * n, count);
        for (size_t i = 0; i < count; i++)
            add_times(block + i * n, factor * v[i], scratch, count);
    }
}

static void transpose(double *matrix, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            const double kept = matrix[i * n + j];

            matrix[i * n + j] = matrix[j * n + i];
            matrix[j * n + i] = kept;
        }
    }
}

/* ---- diagonal --------------------------------------------------------------------------- */

/* Return the root of a^2 + b^2, whatever the sizes of a and b. */
static double length_of(double a, double b)
{
    const double more = fmax(fabs(a), fabs(b)), less = fmin(fabs(a), fabs(b));

    return more == 0 ? 0 : more * sqrt(1 + less / more * (less / more));
}

/* Replace a by c a - s b and b by s a + c b, element by element. */
static void turn(double *restrict a, double *restrict b, size_t n, double c, double s)
{
    for (size_t i = 0; i < n; i++) {
        const double x = a[i], y = b[i];

        a[i] = c * x - s * y;
        b[i] = s * x + c * y;
    }
}

/* Do one QL step on rows first .. last with the shift of Wilkinson; the rows of vectors are
 * rotated too. */
static void step(double *diagonal, double *beside, size_t first, size_t last, double *vectors,
                 size_t n)
{
    const double theta = (diagonal[first + 1] - diagonal[first]) / (2 * beside[first]);
    const double root = length_of(theta, 1);
    double g =
        diagonal[last] - diagonal[first] + beside[first] / (theta + (theta < 0 ? -root : root));
    double s = 1, c = 1, moved = 0;

    for (size_t i = last; i-- > first;) {
        const double f = s * beside[i], b = c * beside[i], r = length_of(f, g);
        double sum;

        beside[i + 1] = r;
        if (r == 0) { /* the matrix splits here: the next step begins with the halves */
            diagonal[i + 1] -= moved;
            beside[last] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        g = diagonal[i + 1] - moved;
        sum = (diagonal[i] - g) * s + 2 * c * b;
        moved = s * sum;
        diagonal[i + 1] = g + moved;
        g = c * sum - b;
        turn(vectors + i * n, vectors + (i + 1) * n, n, c, s);
    }
    diagonal[first] -= moved;
    beside[first] = g;
    beside[last] = 0;
}

/* Replace the diagonal by the eigenvalues; beside has n elements, the last one is 0. */
static void make_diagonal(double *diagonal, double *beside, size_t n, double *vectors,
                          const struct pe_stop *stop)
{
    double largest = 0;

    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(diagonal[i]) + fabs(beside[i]));
    for (size_t first = 0; first < n; first++) {
        for (int steps = 0; steps < STEPS && !is_stopped(stop); steps++) {
            size_t last = first;

            while (last + 1 < n && fabs(beside[last]) > 0x1p-54 * largest)
                last++;
            if (last == first)
                break;
            step(diagonal, beside, first, last, vectors, n);
        }
    }
}

static void swap_rows(double *vectors, size_t n, size_t a, size_t b)
{
    for (size_t i = 0; i < n; i++) {
        const double kept = vectors[a * n + i];

        vectors[a * n + i] = vectors[b * n + i];
        vectors[b * n + i] = kept;
    }
}

static void sort(double *values, double *vectors, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double kept = values[i];
        size_t least = i;

        for (size_t j = i + 1; j < n; j++)
            if (values[j] < values[least])
                least = j;
        if (least == i)
            continue;
        values[i] = values[least];
        values[least] = kept;
        swap_rows(vectors, n, i, least);
    }
}

bool eigen_symmetric(double *matrix, size_t n, double *values, double *vectors, double *scratch,
                     const struct pe_stop *stop)
{
    double *beside = scratch;

    make_tridiagonal(matrix, n, values, beside, scratch + n, stop);
    multiply_reflections(matrix, n, vectors, scratch + n, stop);
    transpose(vectors, n);
    beside[n - 1] = 0;
    make_diagonal(values, beside, n, vectors, stop);
    if (is_stopped(stop))
        return false;
    sort(values, vectors, n);
    return true;
}

double eigen_cost_ns(size_t n)
{
    return (double)n * (double)n * ((double)n + 50);
}
