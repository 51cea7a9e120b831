/* SPDX-License-Identifier: Apache-2.0
 * torch_powf.c - the list of torch_powf.def, applied to a ladder of powers. */
#include "core/math/torch_powf.h"

#include <math.h>

static const struct exception {
    double base;
    size_t dim, index;
    int delta[2]; /* of 1/p, in ULPs: AVX2, AVX-512 */
} exceptions[] = {
#define POWF(BASE, DIM, INDEX, AVX2, AVX512) {BASE, DIM, INDEX, {AVX2, AVX512}},
#include "core/math/torch_powf.def"
#undef POWF
};

void torch_powf_apply(float *powers, size_t count, float base, size_t dim,
                      enum torch_powf which)
{
    if (which == TORCH_POWF_CORRECT)
        return;
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++) {
        const struct exception *e = &exceptions[i];
        int delta = e->delta[which == TORCH_POWF_AVX512];

        if ((float)e->base == base && e->dim == dim && e->index < count && delta != 0)
            powers[e->index] = nextafterf(powers[e->index], delta > 0 ? 0.0F : INFINITY);
    }
}
