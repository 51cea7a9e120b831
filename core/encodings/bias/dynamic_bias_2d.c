/* SPDX-License-Identifier: Apache-2.0
 * dynamic_bias_2d.c - a network of the offset between two patches of a window, evaluated once
 * for each offset.
 *
 *     x = w_in (dy, dx) + b_in;   f(x) = w_hidden relu(norm(x)) + b_hidden
 *     x = f(x), or x + f(x) with residual=1, for each layer between
 *     bias[h][q][k] = (w_out relu(norm(x)) + b_out)[h],   dy = yq - yk, dx = xq - xk
 *
 * Wang et al. 2022, CrossFormer, section 3.3; cheerss/CrossFormer models/crossformer.py,
 * DynamicPosBias. */
#include "core/encodings/bias/dynamic_network.h"
#include "core/encodings/bias/window.h"
#include "core/math/linear/mlp.h"

enum { BIAS };

struct dynamic_bias_2d {
    struct pe_grid window_size;
    struct dynamic_network network;
    int activation; /* enum dynamic_activation */
    bool residual;
};

static const struct pe_param params[] = {
    WINDOW_ROW(struct dynamic_bias_2d),
    {PE_FIELD_OF(struct dynamic_bias_2d, network, layer_norm), .type = PE_BOOL, .preset = 1,
     .summary = "a layer norm comes before each activation, with eps 1e-5"},
    {PE_FIELD(struct dynamic_bias_2d, activation),
     PE_CHOICES([DYNAMIC_SILU] = {"silu", PE_WORDS("swish"),
                                  "x / (1 + exp(-x)) (x-transformers)", NULL, NULL},
                PE_ONE_AT(DYNAMIC_RELU, "relu", "max(x, 0) (CrossFormer)")),
     .preset = DYNAMIC_RELU},
    {PE_FIELD(struct dynamic_bias_2d, residual), .type = PE_BOOL, .when = "w_hidden",
     PE_OWN("CrossFormer", WEIGHTS, ADVANCED),
     .summary = "the answer of each hidden layer is added to its input"},
    DYNAMIC_NETWORK_WEIGHTS(
        struct dynamic_bias_2d, network, w_in, true, true, NULL,
        "weights of the first layer for dy and dx, a row a hidden unit: 1,0;0,1"),
    DYNAMIC_NETWORK_ROWS(struct dynamic_bias_2d, network),
};

static const struct pe_output outputs[] = {
    [BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Bias",
              .summary = "bias that is added to the attention scores", .by_default = true,
              .uses = PE_WORDS("window_size", "activation", "residual", DYNAMIC_NETWORK_NAMES),
              .bound = "0.501 ULP; f64 8 ULP; of sums above 2^-16 of their terms"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static struct dynamic_form form_of(const struct dynamic_bias_2d *d)
{
    return (struct dynamic_form){2, (enum dynamic_activation)d->activation, d->residual};
}

static struct window window_of(const struct dynamic_bias_2d *d)
{
    return (struct window){.window_size = d->window_size};
}

static struct mlp_questions questions_of(const struct dynamic_bias_2d *d)
{
    const struct window window = window_of(d);
    const struct dynamic_form form = form_of(d);

    return (struct mlp_questions){.count = (double)window_rows(&window),
                                  .kept = "biases of all offsets",
                                  .parameter = "window_size",
                                  .products = dynamic_network_products(&d->network, &form),
                                  .answers = (double)d->network.w_out.rows};
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct dynamic_bias_2d *d = values;
    const struct dynamic_form form = form_of(d);
    const struct mlp_questions questions = questions_of(d);

    dynamic_network_check(&d->network, &form, errors);
    if (errors->count == 0)
        mlp_check_questions(&questions, errors);
}

/* ---- biases ------------------------------------------------------------------------------ */

struct network {
    const struct dynamic_network *network;
    struct dynamic_form form;
    struct dd *scratch;
};

static void answer(const void *rule, int64_t dy, int64_t dx, double *answers)
{
    const struct network *n = rule;
    const struct dd in[2] = {{(double)dy, 0}, {(double)dx, 0}};
    const struct dd *of = dynamic_network_ask(n->network, &n->form, in, n->scratch);

    for (size_t h = 0; h < n->network->w_out.rows; h++)
        answers[h] = of[h].hi + of[h].lo;
}

static struct window_answers answers_of(const struct dynamic_bias_2d *d,
                                        const struct network *network)
{
    const struct dynamic_form form = form_of(d);

    return (struct window_answers){.window_size = d->window_size,
                                   .heads = d->network.w_out.rows,
                                   .answer = answer,
                                   .rule = network,
                                   .ns = dynamic_network_ns(&d->network, &form)};
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct window_answers answers = answers_of(values, NULL);

    return window_answers_ns(&answers);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct dynamic_bias_2d *d = values;
    struct network network = {&d->network, form_of(d), NULL};
    const struct window_answers answers = answers_of(d, &network);

    network.scratch = pe_build_alloc(
        build, dynamic_network_scratch(&d->network, &network.form) * sizeof *network.scratch);
    if (network.scratch)
        window_fill_answers(build, BIAS, &answers);
    pe_build_fact_text(build, "sign", "offsets are query - key");
}

const struct pe_encoding pe_encoding_dynamic_bias_2d = {
    .name = "dynamic-bias-2d",
    .title = "Dynamic position bias of a window",
    .formula = "bias[h][q][k] = (w_out relu(norm(x)) + b_out)[h], x = w_in (dy, dx) + b_in, "
               "then w_hidden relu(norm(x)) + b_hidden for each hidden layer",
    .when_to_use = "CrossFormer uses it: one network serves windows of every size. swin and "
                   "swinv2 are the learned table and the network of Swin.",
    .what_goes_wrong =
        "The layer norm and the activation come before each layer but the first, and are part "
        "of checkpoints (norm_weight, norm_bias). The network takes dy first, then dx, of "
        "query - key in patches, without normalization.",
    .picture = "window_size=6x8&w_in=1,0;0,1;-1,1;1,1&w_out=1,-2,1,-1&b_out=0.5",
    .summary = "attention bias by a network of the offset between patches (CrossFormer)",
    .source = "Wang et al. 2022, CrossFormer, section 3.3; cheerss/CrossFormer crossformer.py",
    .examples =
        PE_WORDS("window_size=2x2&w_in=1,0;0,1;1,1&w_out=1,2,3",
                 "window_size=2x1&w_in=1,0;0,2&w_hidden=1,2;3,4&w_out=1,1;0,1&residual=1",
                 "window_size=1x3&w_in=1,2&w_out=2&layer_norm=0&activation=silu"),
    .family = PE_BIAS,
    PE_TABLES(struct dynamic_bias_2d, params, outputs),
    .check = check,
    .lengths = PE_WORDS("heads=w_out.0", "q=window_size", "k=window_size"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
