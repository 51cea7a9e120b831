/* SPDX-License-Identifier: Apache-2.0
 * torch_powf.h - powers as CPU PyTorch's vectorised powf has them, where it is known to miss
 * the correctly rounded value. */
#ifndef PE_MATH_TORCH_POWF_H
#define PE_MATH_TORCH_POWF_H

#include <stdbool.h>
#include <stddef.h>

enum torch_powf { TORCH_POWF_CORRECT, TORCH_POWF_AVX2, TORCH_POWF_AVX512 };

/* Moves the listed powers base^(2i/dim) by one float32 step to torch's. */
void torch_powf_apply(float *powers, size_t count, float base, size_t dim,
                      enum torch_powf which);
/* Whether all powers of this base and width were compared with torch's, so that what the list
 * does not name is torch's too. */
bool torch_powf_is_measured(float base, size_t dim);

#endif
