/* SPDX-License-Identifier: Apache-2.0
 * cpu.c - chooses the CPU path of the vector kernels, once, or as a test or benchmark says. The
 * choice is the only global of the library that changes: it changes the speed, never a byte. */
#include "core/math/cpu.h"

#include <assert.h>
#include <stdatomic.h>

#include "core/posenc.h"

static const char *const names[CPU_PATH_COUNT] = {
    [CPU_GENERIC] = "generic", [CPU_AVX2] = "avx2", [CPU_AVX512] = "avx512"};

/* The path in use, plus one; 0 until cpu_path is called for the first time. */
static atomic_int chosen;

size_t pe_cpu_path_count(void)
{
    return CPU_PATH_COUNT;
}

const char *pe_cpu_path_name(size_t path)
{
    assert(path < CPU_PATH_COUNT);
    return names[path];
}

bool pe_cpu_path_available(size_t path)
{
    assert(path < CPU_PATH_COUNT);
#if defined(__x86_64__)
    if (path == CPU_AVX2)
        return __builtin_cpu_supports("avx2");
    if (path == CPU_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
#endif
    return path == CPU_GENERIC;
}

enum cpu_path cpu_path(void)
{
    int path = atomic_load_explicit(&chosen, memory_order_relaxed) - 1;

    if (path >= 0)
        return (enum cpu_path)path;
    path = CPU_PATH_COUNT - 1;
    while (!pe_cpu_path_available((size_t)path))
        path--;
    atomic_store_explicit(&chosen, path + 1, memory_order_relaxed);
    return (enum cpu_path)path;
}

size_t pe_cpu_path(void)
{
    return cpu_path();
}

bool pe_cpu_path_set(size_t path)
{
    if (path >= CPU_PATH_COUNT || !pe_cpu_path_available(path))
        return false;
    atomic_store_explicit(&chosen, (int)path + 1, memory_order_relaxed);
    return true;
}
