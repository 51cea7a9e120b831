/* SPDX-License-Identifier: Apache-2.0
 * learnable_fourier_network.c - the network of learnable-fourier, its sums in double-double. */
#include "core/encodings/spatial/learnable_fourier_network.h"

#include "core/math/linear/dot.h"
#include "core/math/linear/gelu.h"

void learnable_fourier_network_check(const struct learnable_fourier_network *network,
                                     size_t features, struct pe_errors *errors)
{
    const struct {
        const char *name;
        size_t got, right;
    } sizes[] = {{"w1", network->w1->cols, features},
                 {"b1", network->b1->cols, network->w1->rows},
                 {"w2", network->w2->cols, network->w1->rows},
                 {"b2", network->b2->cols, network->w2->rows}};

    for (size_t i = 0; i < PE_LEN(sizes); i++) {
        if (sizes[i].got != sizes[i].right)
            pe_fail(errors, PE_CONFLICT, sizes[i].name, "must have %zu columns; got %zu",
                    sizes[i].right, sizes[i].got);
    }
}

/* Counts the features and hidden units of one point; the scratch of the features follows
 * them. */
static size_t network_numbers(const struct learnable_fourier_network *network)
{
    return (network->features->cols + network->w1->rows + 7) / 8 * 8;
}

static void take_hidden(const struct learnable_fourier_network *network, const double *features,
                        double *hidden)
{
    const struct pe_reals *w1 = network->w1;

    for (size_t h = 0; h < w1->rows; h++)
        hidden[h] = gelu_of(dot_add((struct dd){network->b1->values[h], 0},
                                    w1->values + h * w1->cols, features, w1->cols));
}

static void fill_network(const void *state, const struct pe_rect *rect, double *const out[],
                         const void *const input[], void *scratch)
{
    const struct learnable_fourier_network *network = state;
    double *features = scratch, *hidden = features + network->features->cols;
    double *const slots[] = {features};

    for (uint64_t r = 0; out[0] && rect->cols > 0 && r < rect->rows; r++) {
        const struct pe_rect line = {rect->row + r, 1, 0, network->features->cols};

        axes_columns_filler.reference(network->features, &line, slots, input,
                                      features + network_numbers(network));
        take_hidden(network, features, hidden);
        for (uint64_t c = 0; c < rect->cols; c++) {
            const size_t row = (size_t)(rect->col + c);
            const struct dd sum = dot_add((struct dd){network->b2->values[row], 0},
                                          network->w2->values + row * network->w2->cols, hidden,
                                          network->w2->cols);

            out[0][r * rect->cols + c] = sum.hi + sum.lo;
        }
    }
}

static size_t network_scratch(const void *state, uint64_t elements)
{
    const struct learnable_fourier_network *network = state;

    return network_numbers(network) * sizeof(double) +
           axes_columns_filler.scratch(network->features, network->features->cols);
}

/* The cost of a point's features and hidden units is spread over the point's columns. */
static double network_cost(const void *state, enum pe_dtype dtype)
{
    const struct learnable_fourier_network *network = state;
    const double hidden = (double)network->w1->rows, features = (double)network->w1->cols;

    return (features * 120 + hidden * (features * 5 + 1500)) / (double)network->w2->rows +
           hidden * 5;
}

const struct pe_filler learnable_fourier_network_filler = {.reference = fill_network,
                                                           .scratch = network_scratch,
                                                           .ns_per_element = 1000,
                                                           .cost = network_cost};
