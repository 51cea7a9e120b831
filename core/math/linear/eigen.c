/* SPDX-License-Identifier: Apache-2.0
 * eigen.c - reflections make a symmetric matrix tridiagonal, then implicit QL steps make the
 * other elements as small as roundings (Householder 1958; Bowdler, Martin, Reinsch and
 * Wilkinson 1968, The QR and QL algorithms for symmetric matrices; Golub and Van Loan, Matrix
 * Computations, section 8.3). The columns of a tile stay in the fastest cache, where all
 * reflections or many rotations are done on them. Only + - * / and square roots are used, in an
 * order that depends on n alone: no bit varies. */
#include "core/math/linear/eigen.h"

#include <math.h>

#include "core/math/linear/eigen_turn.h"

enum { STEPS = 64 }; /* most QL steps for an eigenvalue; two or three are usual */

/* ---- diagonal --------------------------------------------------------------------------- */

/* Returns the root of a^2 + b^2, whatever the sizes of a and b. */
static double length_of(double a, double b)
{
    const double x = fabs(a), y = fabs(b), more = x > y ? x : y, less = x > y ? y : x;

    return more == 0 ? 0 : more * sqrt(1 + less / more * (less / more));
}

/* Do one QL step on rows first .. last with the shift of Wilkinson; the rows of `turns` are
 * rotated too. */
static void step(double *diagonal, double *beside, size_t first, size_t last,
                 struct eigen_turns *turns)
{
    const double theta = (diagonal[first + 1] - diagonal[first]) / (2 * beside[first]);
    const double root = length_of(theta, 1);
    double g =
        diagonal[last] - diagonal[first] + beside[first] / (theta + (theta < 0 ? -root : root));
    double s = 1, c = 1, moved = 0;

    eigen_turns_begin(turns, last);
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
        eigen_turns_add(turns, c, s);
    }
    diagonal[first] -= moved;
    beside[first] = g;
    beside[last] = 0;
}

/* Replaces the diagonal by the eigenvalues; beside has n elements, the last one is 0. */
static void make_diagonal(double *diagonal, double *beside, size_t n, struct eigen_turns *turns,
                          const struct pe_stop *stop)
{
    double largest = 0;

    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(diagonal[i]) + fabs(beside[i]));
    for (size_t first = 0; first < n; first++) {
        for (int steps = 0; steps < STEPS && !pe_stop_is_set(stop); steps++) {
            size_t last = first;

            while (last + 1 < n && fabs(beside[last]) > 0x1p-54 * largest)
                last++;
            if (last == first)
                break;
            step(diagonal, beside, first, last, turns);
        }
    }
    eigen_turns_do(turns);
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

size_t eigen_scratch(size_t n)
{
    return (EIGEN_TILE + 3) * n + 2 * eigen_turns_most(n);
}

bool eigen_symmetric(double *matrix, size_t n, double *values, double *vectors, double *scratch,
                     const struct pe_stop *stop)
{
    double *beside = scratch, *rest = scratch + n;
    struct eigen_turns turns = {.rows = vectors, .n = n, .tile = rest};

    turns.turns = (struct eigen_turn *)(rest + EIGEN_TILE * n);
    eigen_make_tridiagonal(matrix, n, values, beside, rest, stop);
    eigen_multiply_reflections(matrix, n, vectors, rest, stop);
    beside[n - 1] = 0;
    make_diagonal(values, beside, n, &turns, stop);
    if (pe_stop_is_set(stop))
        return false;
    sort(values, vectors, n);
    return true;
}

double eigen_cost_ns(size_t n)
{
    return (double)n * (double)n * (0.5 * (double)n + 50);
}
