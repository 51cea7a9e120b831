/* SPDX-License-Identifier: Apache-2.0
 * learnable_fourier_network.c - W2 gelu(W1 f + b1) + b2 of each point, sums in twice double. */
#include "core/encodings/spatial/learnable_fourier.h"
#include "core/math/linear/dot.h"
#include "core/math/linear/gelu.h"

struct network {
    const struct learnable_fourier *values;
    const struct axes_columns *features;
};

/* Features and hidden units of one point, then the features' own scratch. */
static size_t room_of(const struct network *network)
{
    return (network->features->cols + network->values->w1.rows + 7) / 8 * 8;
}

static void take_hidden(const struct learnable_fourier *l, const double *features,
                        double *hidden)
{
    for (size_t h = 0; h < l->w1.rows; h++)
        hidden[h] = gelu_of(dot_add((struct dd){l->b1.values[h], 0},
                                    l->w1.values + h * l->w1.cols, features, l->w1.cols));
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct network *network = state;
    const struct learnable_fourier *l = network->values;
    double *features = scratch, *hidden = features + network->features->cols;
    double *const slots[] = {features};

    for (uint64_t r = 0; out[0] && rect->cols > 0 && r < rect->rows; r++) {
        const struct pe_rect line = {rect->row + r, 1, 0, network->features->cols};

        axes_columns_filler.reference(network->features, &line, slots, input,
                                      features + room_of(network));
        take_hidden(l, features, hidden);
        for (uint64_t c = 0; c < rect->cols; c++) {
            const size_t row = (size_t)(rect->col + c);
            const struct dd sum = dot_add((struct dd){l->b2.values[row], 0},
                                          l->w2.values + row * l->w2.cols, hidden, l->w2.cols);

            out[0][r * rect->cols + c] = sum.hi + sum.lo;
        }
    }
}

static size_t scratch_of(const void *state, uint64_t elements)
{
    const struct network *network = state;

    return room_of(network) * sizeof(double) +
           axes_columns_filler.scratch(network->features, network->features->cols);
}

/* A point's features and hidden units are paid for by its columns. */
static double cost_of(const void *state, enum pe_dtype dtype)
{
    const struct network *network = state;
    const struct learnable_fourier *l = network->values;
    const double hidden = (double)l->w1.rows, features = (double)l->w1.cols;

    return (features * 120 + hidden * (features * 5 + 1500)) / (double)l->w2.rows + hidden * 5;
}

static const struct pe_filler filler = {
    .reference = fill, .scratch = scratch_of, .ns_per_element = 1000, .cost = cost_of};

bool learnable_fourier_network(struct pe_build *build, const struct learnable_fourier *values,
                               const struct axes_columns *features)
{
    struct network *network = pe_build_alloc(build, sizeof *network);

    if (!network)
        return false;
    *network = (struct network){values, features};
    pe_build_fill(build, LEARNABLE_FOURIER_ROWS, &filler, network);
    return true;
}
