/* SPDX-License-Identifier: Apache-2.0
 * swinv2_bias.c - the network over the coordinates of all offsets; its answers looked up. */
#include "core/encodings/bias/swinv2.h"
#include "core/math/linear/mlp.h"

struct network {
    const struct swinv2 *swinv2;
    struct dd *hidden, *answers; /* room for one a unit, and one a head */
};

static struct mlp_questions questions_of(const struct swinv2 *s)
{
    struct window window = {.window = s->window};

    return (struct mlp_questions){.count = (double)window_rows(&window),
                                  .kept = "biases of all offsets",
                                  .parameter = "window",
                                  .products = (double)s->w1.rows * (double)(2 + s->w2.rows),
                                  .answers = (double)s->w2.rows};
}

void swinv2_bias_check(const struct swinv2 *s, struct pe_errors *errors)
{
    const struct mlp mlp = {&s->w1, &s->b1, &s->w2, &s->b2, 0};
    const struct mlp_questions questions = questions_of(s);

    mlp_check(&mlp, 2, "dy and dx", errors);
    if (errors->count == 0)
        mlp_check_questions(&questions, errors);
}

static void answer(const void *rule, int64_t dy, int64_t dx, double *answers)
{
    const struct network *n = rule;
    const struct swinv2 *s = n->swinv2;
    const struct dd coords[2] = {swinv2_coordinate(s, 0, dy), swinv2_coordinate(s, 1, dx)};

    mlp_layer(&s->w1, &s->b1, coords, n->hidden);
    mlp_relu(n->hidden, s->w1.rows);
    mlp_layer(&s->w2, &s->b2, n->hidden, n->answers);
    for (size_t h = 0; h < s->w2.rows; h++)
        answers[h] = s->mode == SWINV2_CR ? n->answers[h].hi + n->answers[h].lo
                                          : mlp_sigmoid(16, n->answers[h]);
}

/* Two coordinates, the layers, a sigmoid a head. */
static struct window_answers answers_of(const struct swinv2 *s, const struct network *network)
{
    return (struct window_answers){.window = s->window,
                                   .heads = s->w2.rows,
                                   .answer = answer,
                                   .rule = network,
                                   .ns = 600 + 150 * (double)s->w2.rows +
                                         25 * questions_of(s).products};
}

double swinv2_bias_ns(const struct swinv2 *s)
{
    const struct window_answers answers = answers_of(s, NULL);

    return window_answers_ns(&answers);
}

bool swinv2_bias_fill(struct pe_build *build, size_t group, const struct swinv2 *s)
{
    struct dd *room = pe_build_alloc(build, (s->w1.rows + s->w2.rows) * sizeof *room);
    const struct network network = {s, room, room ? room + s->w1.rows : NULL};
    const struct window_answers answers = answers_of(s, &network);

    return room && window_fill_answers(build, group, &answers);
}
