/* SPDX-License-Identifier: Apache-2.0
 * clamped.c - positions as int32, and their differences on each CPU path. */
#include "core/math/relative/clamped.h"

#include <math.h>

#include "core/math/cpu.h"
#include "core/math/relative/scattered.h"

enum { LIST_MOST = 1 << 20, RUN = 512 };
static const double far = 0x1p30; /* a difference of such positions is an int32 */

/* Writes positions less `base`, and less `shift`, which `base` has no bits for near 2^53;
 * returns false if a position is not whole. */
static bool write_positions(const struct pe_positions *pos, double base, int32_t shift,
                            int32_t *out)
{
    const uint64_t count = pe_positions_count(pos);
    double values[RUN];
    bool whole = true;

    for (uint64_t from = 0; from < count; from += RUN) {
        const size_t run = count - from < RUN ? (size_t)(count - from) : RUN;

        scattered_write(pos, from, run, values);
        for (size_t i = 0; i < run; i++) {
            whole = whole && values[i] == nearbyint(values[i]);
            out[from + i] = (int32_t)(values[i] - base) - shift;
        }
    }
    return whole;
}

/* Returns the lowest position, or NAN where two positions are too far from each other. */
static double base_of(const struct pe_positions *q, const struct pe_positions *k)
{
    double low_q, high_q, low_k, high_k;

    pe_positions_range(q, &low_q, &high_q);
    pe_positions_range(k, &low_k, &high_k);
    const double low = fmin(low_q, low_k), high = fmax(high_q, high_k);

    return fabs(low) <= 0x1p53 && fabs(high) <= 0x1p53 && high - low < far ? low : NAN;
}

const struct clamped *clamped_new(struct pe_build *build, const struct toeplitz *matrix,
                                  int64_t most)
{
    const struct pe_positions *q = matrix->q, *k = matrix->k;
    const uint64_t queries = pe_positions_count(q), keys = pe_positions_count(k);
    const size_t list = 2 * (size_t)most + 1;
    struct clamped *clamped;
    int32_t *numbers;
    double base;

    if (most < 1 || most > CLAMPED_MOST || queries == 0 || queries > LIST_MOST || keys == 0 ||
        keys > LIST_MOST)
        return NULL;
    const size_t bytes = (list + queries + keys) * sizeof *numbers;
    base = base_of(q, k);
    if (isnan(base) || !pe_build_reserve(build, bytes))
        return NULL;
    clamped = pe_build_alloc(build, sizeof *clamped);
    numbers = pe_build_alloc(build, bytes);
    if (!clamped || !numbers || !write_positions(q, base, 0, numbers + list) ||
        !write_positions(k, base, (int32_t)most, numbers + list + queries))
        return NULL;
    for (size_t i = 0; i < list; i++)
        numbers[i] = (int32_t)matrix->value(matrix->context, 0, (double)i - (double)most);
    *clamped =
        (struct clamped){(int32_t)most, numbers, numbers + list, numbers + list + queries};
    return clamped;
}

/* ---- indices ----------------------------------------------------------------------------- */

__attribute__((always_inline)) static inline void indices(int32_t query, int32_t last,
                                                          const int32_t *restrict keys,
                                                          size_t count, int32_t *restrict out)
{
    for (size_t i = 0; i < count; i++) {
        const int32_t index = query - keys[i], least = index < 0 ? 0 : index;

        out[i] = least > last ? last : least;
    }
}

static void indices_generic(int32_t query, int32_t last, const int32_t *keys, size_t count,
                            int32_t *out)
{
    indices(query, last, keys, count, out);
}

CPU_TARGET_AVX2 static void indices_avx2(int32_t query, int32_t last, const int32_t *keys,
                                         size_t count, int32_t *out)
{
    indices(query, last, keys, count, out);
}

CPU_TARGET_AVX512 static void indices_avx512(int32_t query, int32_t last, const int32_t *keys,
                                             size_t count, int32_t *out)
{
    indices(query, last, keys, count, out);
}

void clamped_indices(const struct clamped *clamped, uint64_t query, uint64_t key, size_t count,
                     int32_t *out)
{
    static void (*const paths[CPU_PATH_COUNT])(int32_t, int32_t, const int32_t *, size_t,
                                               int32_t *) = {[CPU_GENERIC] = indices_generic,
                                                             [CPU_AVX2] = indices_avx2,
                                                             [CPU_AVX512] = indices_avx512};

    paths[cpu_path()](clamped->queries[query], 2 * clamped->most, clamped->keys + key, count,
                      out);
}
