/* SPDX-License-Identifier: Apache-2.0
 * swinv2_bias.c - the network over the coordinates of all offsets; its answers looked up. */
#include "core/encodings/bias/swinv2.h"
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

struct biases {
    const struct window *window;
    size_t heads;
    double *values; /* [offsets][heads] */
};

/* hidden and answers: room for a split a unit, and a head. */
static void compute(const struct swinv2 *s, struct biases *biases, struct split *hidden,
                    struct split *answers)
{
    int64_t across = 2 * s->window.width - 1, offsets = (int64_t)window_rows(biases->window);

    for (int64_t at = 0; at < offsets; at++) {
        const struct split coords[2] = {
            swinv2_coordinate(s, 0, at / across - s->window.height + 1),
            swinv2_coordinate(s, 1, at % across - s->window.width + 1)};
        double *to = biases->values + (size_t)at * biases->heads;

        mlp_layer(&s->w1, &s->b1, coords, hidden);
        mlp_relu(hidden, s->w1.rows);
        mlp_layer(&s->w2, &s->b2, hidden, answers);
        for (size_t h = 0; h < biases->heads; h++)
            to[h] = s->mode == SWINV2_CR ? answers[h].hi + answers[h].lo
                                         : mlp_sigmoid(16, answers[h]);
    }
}

enum { RUN = 256 };

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct biases *b = state;
    uint64_t tokens = window_tokens(b->window);
    double numbers[RUN];
    size_t run;

    (void)input;
    (void)scratch;
    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        uint64_t head = (rect->row + row) / tokens, query = (rect->row + row) % tokens;
        double *to = out[0] + row * rect->cols;

        for (uint64_t col = 0; col < rect->cols; col += run) {
            run = rect->cols - col < RUN ? (size_t)(rect->cols - col) : RUN;
            window_index(b->window, query, rect->col + col, run, numbers);
            for (size_t t = 0; t < run; t++)
                to[col + t] = b->values[(size_t)numbers[t] * b->heads + head];
        }
    }
}

static const struct pe_filler filler = {.reference = fill, .ns_per_element = 3};

bool swinv2_bias_fill(struct pe_build *build, size_t group, const struct swinv2 *s,
                      const struct window *window)
{
    size_t heads = s->w2.rows;
    struct biases *biases = pe_build_alloc(build, sizeof *biases);
    double *values = pe_build_alloc(build, window_rows(window) * heads * sizeof *values);
    struct split *room = pe_build_alloc(build, (s->w1.rows + heads) * sizeof *room);

    if (!biases || !values || !room)
        return false;
    *biases = (struct biases){window, heads, values};
    compute(s, biases, room, room + s->w1.rows);
    pe_build_fill(build, group, &filler, biases);
    return true;
}
