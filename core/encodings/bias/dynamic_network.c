/* SPDX-License-Identifier: Apache-2.0
 * dynamic_network.c - evaluates the small network, and checks its weights. */
#include "core/encodings/bias/dynamic_network.h"

#include "core/math/linear/mlp.h"

static size_t units_of(const struct dynamic_network *n, const struct dynamic_form *form)
{
    return form->inputs == 1 ? n->w_in.cols : n->w_in.rows;
}

/* Returns the count of layers of units that have an activation. */
static size_t depth_of(const struct dynamic_network *n, const struct dynamic_form *form)
{
    return 1 + n->w_hidden.rows / units_of(n, form);
}

void dynamic_network_check(const struct dynamic_network *n, const struct dynamic_form *form,
                           struct pe_errors *errors)
{
    const size_t units = units_of(n, form), depth = depth_of(n, form);

    if (form->inputs > 1)
        mlp_check_weights("w_in", &n->w_in, units, form->inputs, errors);
    mlp_check_weights("b_in", &n->b_in, 1, units, errors);
    if (n->w_hidden.rows > 0 && (n->w_hidden.rows % units != 0 || n->w_hidden.cols != units))
        pe_fail(errors, PE_CONFLICT, "w_hidden",
                "must have %zu rows of %zu a layer, as w_in has units; got %zu of %zu", units,
                units, n->w_hidden.rows, n->w_hidden.cols);
    if (n->b_hidden.rows > 0)
        mlp_check_weights("b_hidden", &n->b_hidden, depth - 1, units, errors);
    mlp_check_weights("w_out", &n->w_out, n->w_out.rows, units, errors);
    mlp_check_weights("b_out", &n->b_out, 1, n->w_out.rows, errors);
    mlp_check_weights("norm_weight", &n->norm_weight, depth, units, errors);
    mlp_check_weights("norm_bias", &n->norm_bias, depth, units, errors);
}

double dynamic_network_products(const struct dynamic_network *n,
                                const struct dynamic_form *form)
{
    return (double)units_of(n, form) *
           ((double)n->w_hidden.rows + (double)n->w_out.rows + 8 * (double)depth_of(n, form) +
            (double)(form->inputs - 1));
}

double dynamic_network_ns(const struct dynamic_network *n, const struct dynamic_form *form)
{
    const double layer =
        100 + (n->layer_norm ? 300 : 0) +
        (form->activation == DYNAMIC_SILU ? 60 * (double)units_of(n, form) : 0);

    return layer * (double)depth_of(n, form) + 10 * dynamic_network_products(n, form);
}

/* ---- evaluation ------------------------------------------------------------------------- */

size_t dynamic_network_scratch(const struct dynamic_network *n, const struct dynamic_form *form)
{
    return 3 * units_of(n, form) + n->w_out.rows;
}

/* Returns rows [first, first + count) of a matrix, or an absent matrix if it is absent. A list
 * counts as a column. */
static struct pe_reals rows_of(const struct pe_reals *all, size_t first, size_t count,
                               size_t cols)
{
    if (all->rows == 0)
        return *all;
    return (struct pe_reals){all->values + first * cols, count, cols};
}

/* Computes the inputs of the next layer from units: layer norm (if asked), activation. */
static void bend(const struct dynamic_network *n, const struct dynamic_form *form, size_t layer,
                 const struct dd *x, struct dd *bent)
{
    const size_t units = units_of(n, form);
    const struct pe_reals weight = rows_of(&n->norm_weight, layer, 1, units);
    const struct pe_reals bias = rows_of(&n->norm_bias, layer, 1, units);

    for (size_t i = 0; i < units; i++)
        bent[i] = x[i];
    if (n->layer_norm)
        mlp_normalise(bent, units, &weight, &bias);
    if (form->activation == DYNAMIC_RELU)
        mlp_relu(bent, units);
    else
        mlp_silu(bent, units);
}

const struct dd *dynamic_network_ask(const struct dynamic_network *n,
                                     const struct dynamic_form *form, const struct dd *in,
                                     struct dd *scratch)
{
    const size_t units = units_of(n, form), depth = depth_of(n, form);
    struct dd *x = scratch, *bent = scratch + units, *next = scratch + 2 * units;
    struct dd *answers = scratch + 3 * units;
    const struct pe_reals w_in = rows_of(&n->w_in, 0, units, form->inputs);

    mlp_layer(&w_in, &n->b_in, in, x);
    for (size_t layer = 1; layer < depth; layer++) {
        const struct pe_reals w = rows_of(&n->w_hidden, (layer - 1) * units, units, units);
        const struct pe_reals b = rows_of(&n->b_hidden, layer - 1, 1, units);

        bend(n, form, layer - 1, x, bent);
        mlp_layer(&w, &b, bent, next);
        for (size_t i = 0; i < units; i++)
            x[i] = form->residual ? elementary_add(x[i], next[i]) : next[i];
    }
    bend(n, form, depth - 1, x, bent);
    mlp_layer(&n->w_out, &n->b_out, bent, answers);
    return answers;
}
