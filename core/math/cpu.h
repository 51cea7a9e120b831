/* SPDX-License-Identifier: Apache-2.0
 * cpu.h - which of the hand-multiversioned paths runs. Kernels keep a const table indexed by
 * enum cpu_path and call table[cpu_path()]. All paths give the same bytes. */
#ifndef PE_MATH_CPU_H
#define PE_MATH_CPU_H

enum cpu_path { CPU_GENERIC, CPU_AVX2, CPU_AVX512 };
enum { CPU_PATH_COUNT = CPU_AVX512 + 1 };

/* The path in use: the best this CPU has, picked once, unless pe_cpu_path_set forced one. */
enum cpu_path cpu_path(void);

#endif
