/* SPDX-License-Identifier: Apache-2.0
 * eigen_lanes.h - vectors of doubles as wide as the registers of a CPU path: a wider vector
 * would be kept in memory. Kernels are written once, as a macro over the type. */
#pragma once

typedef double eigen_lanes_generic __attribute__((vector_size(16), aligned(8), may_alias));
typedef double eigen_lanes_avx2 __attribute__((vector_size(32), aligned(8), may_alias));
typedef double eigen_lanes_avx512 __attribute__((vector_size(64), aligned(8), may_alias));
