/* SPDX-License-Identifier: Apache-2.0
 * choose.c - elements by number, on each CPU path: AVX2 and later gather several at once. */
#include "core/math/relative/choose.h"

#include <assert.h>

#include "core/math/cpu.h"

#define INLINE static inline __attribute__((always_inline))

INLINE void choose_2(const uint16_t *restrict list, const int32_t *restrict numbers,
                     size_t count, uint16_t *restrict out)
{
    size_t i = 0;

    for (; i + 4 <= count; i += 4) { /* the loop itself costs as much as a choice */
        out[i] = list[(uint32_t)numbers[i]];
        out[i + 1] = list[(uint32_t)numbers[i + 1]];
        out[i + 2] = list[(uint32_t)numbers[i + 2]];
        out[i + 3] = list[(uint32_t)numbers[i + 3]];
    }
    for (; i < count; i++)
        out[i] = list[(uint32_t)numbers[i]];
}

INLINE void choose_4(const uint32_t *restrict list, const int32_t *restrict numbers,
                     size_t count, uint32_t *restrict out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = list[numbers[i]];
}

INLINE void choose_8(const uint64_t *restrict list, const int32_t *restrict numbers,
                     size_t count, uint64_t *restrict out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = list[numbers[i]];
}

INLINE void choose(size_t size, const void *list, const int32_t *numbers, size_t count,
                   void *out)
{
    if (size == 2)
        choose_2(list, numbers, count, out);
    else if (size == 4)
        choose_4(list, numbers, count, out);
    else
        choose_8(list, numbers, count, out);
}

static void choose_generic(size_t size, const void *list, const int32_t *numbers, size_t count,
                           void *out)
{
    choose(size, list, numbers, count, out);
}

CPU_TARGET_AVX2 static void choose_avx2(size_t size, const void *list, const int32_t *numbers,
                                        size_t count, void *out)
{
    choose(size, list, numbers, count, out);
}

CPU_TARGET_AVX512 static void choose_avx512(size_t size, const void *list,
                                            const int32_t *numbers, size_t count, void *out)
{
    choose(size, list, numbers, count, out);
}

void choose_elements(size_t size, const void *list, const int32_t *numbers, size_t count,
                     void *out)
{
    static void (*const paths[CPU_PATH_COUNT])(size_t, const void *, const int32_t *, size_t,
                                               void *) = {[CPU_GENERIC] = choose_generic,
                                                          [CPU_AVX2] = choose_avx2,
                                                          [CPU_AVX512] = choose_avx512};

    assert(size == 2 || size == 4 || size == 8);
    paths[cpu_path()](size, list, numbers, count, out);
}
