/* SPDX-License-Identifier: Apache-2.0
 * torch_powf.c - the list of torch_powf.def, applied to a ladder of powers. */
#include "core/math/number/torch_powf.h"

#include <math.h>
#include <stdint.h>

static const struct exception {
    float base;
    uint16_t dim, index;
    int8_t steps[2]; /* of the power: AVX2, AVX-512 */
} exceptions[] = {
#define BASE(B)
#define WIDTH(W)
#define AT(B, DIM, INDEX, AVX2, AVX512) {(float)(B), DIM, INDEX, {AVX2, AVX512}},
#include "core/math/number/torch_powf.def"
#undef AT
#undef BASE
};

static const float bases[] = {
#define AT(B, DIM, INDEX, AVX2, AVX512)
#define BASE(B) (float)(B),
#include "core/math/number/torch_powf.def"
#undef BASE
#undef WIDTH
};

static const size_t widths[] = {
#define BASE(B)
#define WIDTH(W) W,
#include "core/math/number/torch_powf.def"
#undef AT
#undef BASE
#undef WIDTH
};

void torch_powf_apply(float *powers, size_t count, float base, size_t dim,
                      enum torch_powf which)
{
    if (which == TORCH_POWF_CORRECT)
        return;
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++) {
        const struct exception *e = &exceptions[i];
        int steps = e->steps[which == TORCH_POWF_AVX512];

        if (e->base == base && e->dim == dim && e->index < count && steps != 0)
            powers[e->index] = nextafterf(powers[e->index], steps < 0 ? 0.0F : INFINITY);
    }
}

bool torch_powf_is_measured(float base, size_t dim)
{
    size_t i = 0, j = 0;

    while (i < sizeof bases / sizeof *bases && bases[i] != base)
        i++;
    while (j < sizeof widths / sizeof *widths && widths[j] != dim)
        j++;
    return i < sizeof bases / sizeof *bases && j < sizeof widths / sizeof *widths;
}
