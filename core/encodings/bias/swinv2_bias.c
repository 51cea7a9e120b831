/* SPDX-License-Identifier: Apache-2.0
 * swinv2_bias.c - the network over the coordinates of all offsets; its answers looked up. */
#include "core/encodings/bias/swinv2.h"
#include "core/math/lookup.h"
#include "core/math/mlp.h"

static const double most_products = 0x1p28; /* some seconds */

double swinv2_bias_products(const struct swinv2 *s)
{
    struct window window = {.window = s->window};

    return (double)window_rows(&window) * (double)s->w1.rows * (double)(2 + s->w2.rows);
}

enum pe_status swinv2_bias_check(const struct swinv2 *s, struct pe_errors *errors)
{
    const struct mlp mlp = {&s->w1, &s->b1, &s->w2, &s->b2, 0};
    double products = swinv2_bias_products(s);

    mlp_check(&mlp, 2, "dy and dx", errors);
    if (errors->count == 0 && products > most_products) {
        pe_fail(errors, PE_TOO_LARGE, "window",
                "needs %.0f products of the network's weights; at most %.0f", products,
                most_products);
        pe_note_limit(errors, (uint64_t)most_products, (uint64_t)products);
    }
    return errors->count ? errors->at[0].status : PE_OK;
}

/* [offsets][heads]. hidden and answers: room for a split a unit, and a head. */
static void compute(const struct swinv2 *s, uint64_t rows, double *values, struct split *hidden,
                    struct split *answers)
{
    int64_t across = 2 * s->window.width - 1, offsets = (int64_t)rows;

    for (int64_t at = 0; at < offsets; at++) {
        const struct split coords[2] = {
            swinv2_coordinate(s, 0, at / across - s->window.height + 1),
            swinv2_coordinate(s, 1, at % across - s->window.width + 1)};

        mlp_layer(&s->w1, &s->b1, coords, hidden);
        mlp_relu(hidden, s->w1.rows);
        mlp_layer(&s->w2, &s->b2, hidden, answers);
        for (size_t h = 0; h < s->w2.rows; h++)
            *values++ = s->mode == SWINV2_CR ? answers[h].hi + answers[h].lo
                                             : mlp_sigmoid(16, answers[h]);
    }
}

bool swinv2_bias_fill(struct pe_build *build, size_t group, const struct swinv2 *s,
                      const struct window *window)
{
    const uint64_t rows = window_rows(window), heads = s->w2.rows;
    struct pe_tensor *table = pe_build_alloc(build, sizeof *table);
    double *values = pe_build_alloc(build, rows * heads * sizeof *values);
    struct split *room = pe_build_alloc(build, (s->w1.rows + heads) * sizeof *room);

    if (!table || !values || !room)
        return false;
    *table = (struct pe_tensor){PE_F64, 2, {rows, heads}};
    compute(s, rows, values, room, room + s->w1.rows);
    return lookup_fill_bias(build, group,
                            &(struct lookup_bias){.lookup = window_lookup(window),
                                                  .table = {table, 0},
                                                  .own = values,
                                                  .queries = window_tokens(window),
                                                  .keys = window_tokens(window),
                                                  .scale = {1, 0}});
}
