/* SPDX-License-Identifier: Apache-2.0
 * cpu.h - says which of the hand-multiversioned paths runs. Kernels keep a const table indexed
 * by enum cpu_path and call table[cpu_path()]. All paths give the same bytes. */
#pragma once

enum cpu_path { CPU_GENERIC, CPU_AVX2, CPU_AVX512 };
enum { CPU_PATH_COUNT = CPU_AVX512 + 1 };

/* The target that a wrapper of each path is compiled for. Without x86-64 every wrapper is
 * generic code, and cpu_path() never chooses the others. */
#if defined(__x86_64__)
#define CPU_TARGET_AVX2 __attribute__((target("avx2")))
#define CPU_TARGET_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw")))
#else
#define CPU_TARGET_AVX2
#define CPU_TARGET_AVX512
#endif

/* Returns the path in use: the best that this CPU has, chosen once, unless pe_cpu_path_set
 * forced another. */
enum cpu_path cpu_path(void);
