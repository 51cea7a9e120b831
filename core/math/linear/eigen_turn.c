/* SPDX-License-Identifier: Apache-2.0
 * eigen_turn.c - see eigen_turn.h. A sweep over a tile keeps one row in registers: it reads and
 * writes one row a rotation. */
#include "core/math/linear/eigen_turn.h"

#include <string.h>

#include "core/math/cpu.h"
#include "core/math/linear/eigen_lanes.h"

enum { TILE = EIGEN_TILE, SWEEPS_OF_ALL = 128 };

size_t eigen_turns_most(size_t n)
{
    return SWEEPS_OF_ALL * n;
}

/* Do the sweeps on the tile, [rows][TILE]. */
#define SWEEP(turns, LANES)                                                                    \
    do {                                                                                       \
        enum { COUNT = TILE * sizeof(double) / sizeof(LANES) };                                \
        const struct eigen_turn *turn = turns->turns;                                          \
                                                                                               \
        for (size_t k = 0; k < turns->sweep_count; k++) {                                      \
            LANES *row = (LANES *)(turns->tile + turns->sweeps[k].last * TILE), lower[COUNT];  \
                                                                                               \
            for (size_t t = 0; t < COUNT; t++)                                                 \
                lower[t] = row[t];                                                             \
            for (size_t i = turns->sweeps[k].count; i > 0; i--, turn++, row -= COUNT) {        \
                const double c = turn->c, s = turn->s;                                         \
                                                                                               \
                for (size_t t = 0; t < COUNT; t++) {                                           \
                    const LANES upper = row[(ptrdiff_t)t - COUNT], b = lower[t];               \
                                                                                               \
                    lower[t] = c * upper - s * b;                                              \
                    row[t] = s * upper + c * b;                                                \
                }                                                                              \
            }                                                                                  \
            for (size_t t = 0; t < COUNT; t++)                                                 \
                row[t] = lower[t];                                                             \
        }                                                                                      \
    } while (0)

static void sweep_generic(const struct eigen_turns *turns)
{
    SWEEP(turns, eigen_lanes_generic);
}

CPU_TARGET_AVX2 static void sweep_avx2(const struct eigen_turns *turns)
{
    SWEEP(turns, eigen_lanes_avx2);
}

CPU_TARGET_AVX512 static void sweep_avx512(const struct eigen_turns *turns)
{
    SWEEP(turns, eigen_lanes_avx512);
}

static void (*const sweepers[CPU_PATH_COUNT])(const struct eigen_turns *) = {
    [CPU_GENERIC] = sweep_generic, [CPU_AVX2] = sweep_avx2, [CPU_AVX512] = sweep_avx512};

void eigen_turns_do(struct eigen_turns *turns)
{
    const size_t n = turns->n;

    for (size_t col = 0; turns->turn_count > 0 && col < n; col += TILE) {
        const size_t cols = n - col < TILE ? n - col : TILE;

        memset(turns->tile, 0, cols < TILE ? n * TILE * sizeof(double) : 0);
        for (size_t i = 0; i < n; i++)
            memcpy(turns->tile + i * TILE, turns->rows + i * n + col, cols * sizeof(double));
        sweepers[cpu_path()](turns);
        for (size_t i = 0; i < n; i++)
            memcpy(turns->rows + i * n + col, turns->tile + i * TILE, cols * sizeof(double));
    }
    turns->turn_count = turns->sweep_count = 0;
}

void eigen_turns_begin(struct eigen_turns *turns, size_t last)
{
    if (turns->sweep_count == EIGEN_SWEEPS ||
        turns->turn_count + last > eigen_turns_most(turns->n))
        eigen_turns_do(turns);
    turns->sweeps[turns->sweep_count++] = (struct eigen_sweep){last, 0};
}
