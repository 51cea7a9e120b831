/* SPDX-License-Identifier: Apache-2.0
 * torch_powf.h - powers as the vectorised powf of PyTorch on CPUs computes them, where it is
 * known to miss the correctly rounded value. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum torch_powf { TORCH_POWF_CORRECT, TORCH_POWF_AVX2, TORCH_POWF_AVX512 };

/* Moves the listed powers base^(2i/dim) by one float32 step to PyTorch's values. */
void torch_powf_apply(float *powers, size_t count, float base, size_t dim,
                      enum torch_powf which);
/* True when all powers of this base and width were compared with PyTorch's, so that powers
 * which the list does not name are equal to PyTorch's too. */
bool torch_powf_is_measured(float base, size_t dim);
