/* SPDX-License-Identifier: Apache-2.0
 * narrow_list.c - converts blocks of finite values without a branch for each element. */
#include "core/math/number/narrow_list.h"

#include <stdbool.h>

#include "core/math/cpu.h"
#include "core/math/number/narrow.h"

enum { BLOCK = 64 };

#define NARROW_INLINE __attribute__((always_inline)) static inline

NARROW_INLINE bool is_finite(const double *in)
{
    uint64_t beyond = 0;

    for (size_t i = 0; i < BLOCK; i++) {
        uint64_t bits;

        memcpy(&bits, &in[i], sizeof bits);
        beyond |= ((bits >> 52 & 0x7ff) + 1) >> 11; /* becomes 1 at an infinity or NaN */
    }
    return beyond == 0;
}

NARROW_INLINE size_t run(bool brain, char *out, const double *in, size_t count)
{
    uint16_t block[BLOCK];
    size_t done = 0;

    for (; count - done >= BLOCK && is_finite(in + done); done += BLOCK) {
        if (brain)
            for (size_t i = 0; i < BLOCK; i++)
                block[i] = narrow_bf16(in[done + i]);
        else
            for (size_t i = 0; i < BLOCK; i++)
                block[i] = narrow_f16(in[done + i]);
        memcpy(out + done * sizeof *block, block, sizeof block);
    }
    return done;
}

typedef float any_f32 __attribute__((aligned(1), may_alias)); /* at any address */

NARROW_INLINE size_t run_single(char *restrict out, const double *restrict in, size_t count)
{
    any_f32 *restrict to = (any_f32 *)out;

    for (size_t i = 0; i < count; i++)
        to[i] = narrow_f32(in[i]);
    return count;
}

static size_t run_generic(bool brain, char *out, const double *in, size_t count)
{
    return brain ? run(true, out, in, count) : run(false, out, in, count);
}

CPU_TARGET_AVX2 static size_t run_avx2(bool brain, char *out, const double *in, size_t count)
{
    return brain ? run(true, out, in, count) : run(false, out, in, count);
}

CPU_TARGET_AVX512 static size_t run_avx512(bool brain, char *out, const double *in,
                                           size_t count)
{
    return brain ? run(true, out, in, count) : run(false, out, in, count);
}

static size_t (*const runs[CPU_PATH_COUNT])(bool, char *, const double *, size_t) = {
    [CPU_GENERIC] = run_generic, [CPU_AVX2] = run_avx2, [CPU_AVX512] = run_avx512};

size_t narrow_list_bf16(void *out, const double *in, size_t count)
{
    return runs[cpu_path()](true, out, in, count);
}

size_t narrow_list_f16(void *out, const double *in, size_t count)
{
    return runs[cpu_path()](false, out, in, count);
}

static size_t single_generic(char *out, const double *in, size_t count)
{
    return run_single(out, in, count);
}

CPU_TARGET_AVX2 static size_t single_avx2(char *out, const double *in, size_t count)
{
    return run_single(out, in, count);
}

CPU_TARGET_AVX512 static size_t single_avx512(char *out, const double *in, size_t count)
{
    return run_single(out, in, count);
}

static size_t (*const singles[CPU_PATH_COUNT])(char *, const double *, size_t) = {
    [CPU_GENERIC] = single_generic, [CPU_AVX2] = single_avx2, [CPU_AVX512] = single_avx512};

size_t narrow_list_f32(void *out, const double *in, size_t count)
{
    return singles[cpu_path()](out, in, count);
}
