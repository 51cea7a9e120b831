/* SPDX-License-Identifier: Apache-2.0
 * eigen_reflect.c - see eigen_reflect.h. A pass over the rows of a matrix does the rest of one
 * reflection and the sums of the next one, so that each row is read once a reflection. The
 * loops are vectorised over columns, each of which is added in the order of the rows. */
#include "core/math/linear/eigen_reflect.h"

#include <math.h>
#include <string.h>

#include "core/math/cpu.h"
#include "core/math/linear/eigen_lanes.h"

enum { TILE = EIGEN_TILE };

#define INLINE static inline __attribute__((always_inline))

static double product(const double *a, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* ---- tridiagonal ------------------------------------------------------------------------ */

/* Replaces x by the vector v whose reflection I - 2 v v' / v'v turns x into (result, 0, 0,
 * ...), and returns the result. v[0] is 0 where x has that form already, but for numbers
 * that are lost beside any element of a matrix. */
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

/* A reflection H of the vector v: H M H = M - v w' - w v', w = f M v - (f^2 / 2) (v' M v) v,
 * f = 2 / v'v. Its elements are counted as the columns of the matrix are. */
struct reflection {
    const double *v;
    double *w, factor; /* f; 0: the reflection changes nothing */
};

/* Rows and columns from..n-1 of a matrix, which is n long and wide. */
struct corner {
    double *matrix;
    size_t n, from;
};

/* Do the rest of a reflection on columns from..n-1 of a row of the matrix. */
INLINE void finish_row(const struct reflection *done, double *restrict row, size_t i,
                       size_t from, size_t n)
{
    const double *restrict v = done->v, *restrict w = done->w;
    const double vi = v[i], wi = w[i];

    for (size_t j = from; j < n; j++)
        row[j] -= vi * w[j] + wi * v[j];
}

INLINE void add_row(const struct reflection *next, const double *restrict row, size_t i,
                    size_t from, size_t n)
{
    const double by = next->factor * next->v[i];
    double *restrict sums = next->w;

    for (size_t j = from; j < n; j++)
        sums[j] += by * row[j];
}

/* Do both, two rows at a time. */
INLINE void finish_and_add(const struct reflection *done, const struct reflection *next,
                           const struct corner *at)
{
    const double *restrict v = done->v, *restrict w = done->w;
    double *restrict sums = next->w;
    size_t i = at->from;

    for (; i + 1 < at->n; i += 2) {
        double *restrict one = at->matrix + i * at->n, *restrict two = one + at->n;
        const double v1 = v[i], w1 = w[i], v2 = v[i + 1], w2 = w[i + 1];
        const double by1 = next->factor * next->v[i], by2 = next->factor * next->v[i + 1];

        for (size_t j = at->from; j < at->n; j++) {
            const double x = one[j] - (v1 * w[j] + w1 * v[j]);
            const double y = two[j] - (v2 * w[j] + w2 * v[j]);

            one[j] = x;
            two[j] = y;
            sums[j] = sums[j] + by1 * x + by2 * y;
        }
    }
    if (i < at->n) {
        finish_row(done, at->matrix + i * at->n, i, at->from, at->n);
        add_row(next, at->matrix + i * at->n, i, at->from, at->n);
    }
}

/* Do the rest of the reflection `done` on the corner, and add its rows to the w of `next`. */
INLINE void pass(const struct reflection *done, const struct reflection *next,
                 const struct corner *at)
{
    if (done->factor != 0 && next->factor != 0) {
        finish_and_add(done, next, at);
        return;
    }
    for (size_t i = at->from; i < at->n; i++) {
        double *row = at->matrix + i * at->n;

        if (done->factor != 0)
            finish_row(done, row, i, at->from, at->n);
        if (next->factor != 0)
            add_row(next, row, i, at->from, at->n);
    }
}

static void pass_generic(const struct reflection *done, const struct reflection *next,
                         const struct corner *at)
{
    pass(done, next, at);
}

CPU_TARGET_AVX2 static void pass_avx2(const struct reflection *done,
                                      const struct reflection *next, const struct corner *at)
{
    pass(done, next, at);
}

CPU_TARGET_AVX512 static void pass_avx512(const struct reflection *done,
                                          const struct reflection *next,
                                          const struct corner *at)
{
    pass(done, next, at);
}

typedef void passer(const struct reflection *done, const struct reflection *next,
                    const struct corner *at);
static passer *const passers[CPU_PATH_COUNT] = {
    [CPU_GENERIC] = pass_generic, [CPU_AVX2] = pass_avx2, [CPU_AVX512] = pass_avx512};

void eigen_make_tridiagonal(double *matrix, size_t n, double *diagonal, double *beside,
                            double *scratch, const struct pe_stop *stop)
{
    struct reflection done = {NULL, scratch, 0}, next = {NULL, scratch + n, 0};

    for (size_t k = 0; k < n && !pe_stop_is_set(stop); k++) {
        const struct corner corner = {matrix, n, k + 1};
        double *row = matrix + k * n;

        if (done.factor != 0)
            finish_row(&done, row, k, k, n);
        diagonal[k] = row[k];
        if (k + 1 == n)
            return;
        beside[k] = reflect(row + k + 1, n - k - 1);
        next = (struct reflection){row, next.w, 0};
        if (row[k + 1] != 0)
            next.factor = 2 / product(row + k + 1, row + k + 1, n - k - 1);
        memset(next.w, 0, n * sizeof *next.w);
        passers[cpu_path()](&done, &next, &corner);
        if (next.factor != 0) {
            const double sum = product(next.w + k + 1, row + k + 1, n - k - 1);
            const double by = -next.factor / 2 * sum;

            for (size_t j = k + 1; j < n; j++)
                next.w[j] += by * row[j];
        }
        const struct reflection last = done;
        done = next;
        next = last;
    }
}

/* ---- their product ----------------------------------------------------------------------- */

/* TILE columns of the product of some reflections, and one more reflection: it changes rows
 * from..n-1, v[i] belongs to row i, and the product of v and the rows is `sums`. */
struct tile {
    double *rows; /* [n][TILE] */
    size_t n, from;
    const double *v, *before; /* before: the v of the reflection before it, NULL: none */
    double factor;            /* -f; 0: the reflection changes nothing */
    double sums[TILE];
};

/* Apply the reflection; `sums` become those of the reflection before it, which changes one row
 * more. */
#define REFLECT(tile, LANES)                                                                   \
    do {                                                                                       \
        enum { COUNT = TILE * sizeof(double) / sizeof(LANES) };                                \
        const double *before = tile->before ? tile->before : tile->v;                          \
        LANES *row = (LANES *)(tile->rows + (tile->from - 1) * TILE),                          \
              *kept = (LANES *)tile->sums;                                                     \
        LANES sums[COUNT], next[COUNT];                                                        \
                                                                                               \
        for (size_t t = 0; t < COUNT; t++) {                                                   \
            sums[t] = kept[t];                                                                 \
            next[t] = 0.0 + before[tile->from - 1] * row[t];                                   \
        }                                                                                      \
        for (size_t i = tile->from; i < tile->n; i++) {                                        \
            const double by = tile->factor * tile->v[i], more = before[i];                     \
                                                                                               \
            row += COUNT;                                                                      \
            for (size_t t = 0; t < COUNT; t++) {                                               \
                const LANES x = row[t] + by * sums[t];                                         \
                                                                                               \
                row[t] = x;                                                                    \
                next[t] += more * x;                                                           \
            }                                                                                  \
        }                                                                                      \
        for (size_t t = 0; t < COUNT; t++)                                                     \
            kept[t] = next[t];                                                                 \
    } while (0)

static void reflect_generic(struct tile *tile)
{
    REFLECT(tile, eigen_lanes_generic);
}

CPU_TARGET_AVX2 static void reflect_avx2(struct tile *tile)
{
    REFLECT(tile, eigen_lanes_avx2);
}

CPU_TARGET_AVX512 static void reflect_avx512(struct tile *tile)
{
    REFLECT(tile, eigen_lanes_avx512);
}

static void (*const reflecters[CPU_PATH_COUNT])(struct tile *) = {
    [CPU_GENERIC] = reflect_generic, [CPU_AVX2] = reflect_avx2, [CPU_AVX512] = reflect_avx512};

/* Sets the tile to columns first, first + 1, ... of the identity, which the reflections before
 * number `last` change alone. */
static void begin_tile(struct tile *tile, const double *matrix, size_t first, size_t last)
{
    memset(tile->rows, 0, tile->n * TILE * sizeof *tile->rows);
    memset(tile->sums, 0, sizeof tile->sums);
    for (size_t t = 0; t < TILE && first + t < tile->n; t++) {
        tile->rows[(first + t) * TILE + t] = 1;
        if (last > 0 && first + t >= last)
            tile->sums[t] = matrix[(last - 1) * tile->n + first + t];
    }
}

void eigen_multiply_reflections(const double *matrix, size_t n, double *transpose,
                                double *scratch, const struct pe_stop *stop)
{
    double *factors = scratch;
    struct tile tile = {.rows = scratch + n, .n = n};

    for (size_t k = 0; k + 1 < n; k++) {
        const double *v = matrix + k * n + k + 1;

        factors[k] = v[0] != 0 ? -2 / product(v, v, n - k - 1) : 0;
    }
    for (size_t first = 0; first < n && !pe_stop_is_set(stop); first += TILE) {
        size_t k = n - first < TILE ? n - 1 : first + TILE - 1;

        begin_tile(&tile, matrix, first, k);
        while (k-- > 0) {
            tile.from = k + 1;
            tile.v = matrix + k * n;
            tile.before = k > 0 ? tile.v - n : NULL;
            tile.factor = factors[k];
            reflecters[cpu_path()](&tile);
        }
        for (size_t t = 0; t < TILE && first + t < n; t++)
            for (size_t i = 0; i < n; i++)
                transpose[(first + t) * n + i] = tile.rows[i * TILE + t];
    }
}
