/* SPDX-License-Identifier: Apache-2.0
 * rope_decay.c - the effect of distance alone on the score of a query and a key of m pairs:
 *
 *     decay(k) = 1/m sum_{i=1..m} |S_i|,  S_i = sum_{l<i} exp(j k w_l)
 *     similarity(k) = 1/m sum_{l<m} cos(k w_l)
 *
 * Su et al. 2021, RoFormer, section 3.4.3: by Abel's summation a score is at most the sum of
 * |S_i| times the largest step between neighbouring pairs of q k*. Rotations are unit
 * rotations: the attention factor is left out.
 *
 * Errors are in units u = 2^-53. Each wave is within u, and compensated sums add nothing but
 * their last rounding: |S_i| is off by 1.5 i u + 3 |S_i| u, and their mean by less than 8 u
 * times decay(0) = (m + 1)/2. The mean cosine is off by less than 4 u. */
#include <math.h>

#include "core/encodings/rotary/rope.h"
#include "core/math/number/compensated.h"

struct decay {
    struct rotation rotation;
    const struct pe_positions *distance;
};

struct means {
    double decay, similarity;
};

enum { CHUNK = 256 }; /* pairs whose waves are kept in memory at a time */

static struct means means_at(const struct rotation *rotation, double distance)
{
    struct compensated real = {0, 0}, imaginary = {0, 0}, sizes = {0, 0};
    size_t pairs = rotation->table->pairs;

    for (size_t first = 0; first < pairs; first += CHUNK) {
        size_t count = pairs - first < CHUNK ? pairs - first : CHUNK;
        double sine[CHUNK], cosine[CHUNK];

        rotation_row(rotation, first, count, distance, sine, cosine);
        for (size_t i = 0; i < count; i++) {
            double x, y;

            compensated_add(&real, cosine[i]);
            compensated_add(&imaginary, sine[i]);
            x = compensated_value(&real);
            y = compensated_value(&imaginary);
            compensated_add(&sizes, sqrt(x * x + y * y));
        }
    }
    return (struct means){compensated_value(&sizes) / (double)pairs,
                          compensated_value(&real) / (double)pairs};
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct decay *d = state;

    for (uint64_t row = 0; row < rect->rows; row++) {
        for (uint64_t col = 0; col < rect->cols; col++) {
            struct means means =
                means_at(&d->rotation, pe_positions_at(d->distance, rect->col + col));

            if (out[0])
                out[0][row * rect->cols + col] = means.decay;
            if (out[1])
                out[1][row * rect->cols + col] = means.similarity;
        }
    }
}

/* Returns the cost of a sum of up to 32768 waves; blocks are cut by this cost. */
static double cost(const void *state, enum pe_dtype dtype)
{
    return 20 + 12 * (double)((const struct decay *)state)->rotation.table->pairs;
}

static const struct pe_filler filler = {.reference = fill, .cost = cost};

void rope_decay_prepare(struct pe_build *build, const struct pe_positions *distance,
                        const struct rotation *rotation)
{
    const struct pe_args *args = pe_build_args(build);
    struct decay *decay;

    if (!pe_wants(args, ROPE_DECAY) && !pe_wants(args, ROPE_SIMILARITY))
        return;
    decay = pe_build_alloc(build, sizeof *decay);
    if (!decay)
        return;
    *decay = (struct decay){*rotation, distance};
    decay->rotation.amplitude = 1;
    pe_build_fill(build, ROPE_DECAY, &filler, decay);
}
