/* SPDX-License-Identifier: Apache-2.0
 * swinv2.c - biases of a window by a small network over logarithmic offsets.
 *
 *     coords(r) = sign(r) log2(1 + 8 |r| / (W - 1)) / 3 along each axis,
 *     bias = 16 sigmoid(W2 relu(W1 coords + b1)), looked up by swin's index
 *
 * W is the side of the window, or of the one the model was trained with. Liu et al. 2022, Swin
 * Transformer V2, section 3.3; transformers modeling_swinv2.py. convention=cr, of timm
 * swin_transformer_v2_cr.py: sign(r) ln(1 + |r|), and no sigmoid.
 */
#include <math.h>
#include <stdlib.h>

#include "core/encodings/bias/window.h"
#include "core/math/linear/mlp.h"

enum { INDEX, COORDS, BIAS };
enum { MODE_SWIN, MODE_CR };

struct swinv2 {
    struct pe_grid window_size, pretrained_window;
    int convention;
    struct pe_reals w1, b1, w2, b2;
};

static const struct pe_param params[] = {
    WINDOW_ROW(struct swinv2),
    {PE_FIELD(struct swinv2, pretrained_window), .type = PE_GRID, .when = "!convention=cr",
     PE_OWN("transformers", SHAPE, ADVANCED),
     .summary =
         "window in training, HEIGHTxWIDTH, where it was another (pretrained_window_size)"},
    {PE_FIELD(struct swinv2, convention),
     PE_CHOICES(
         PE_ONE_AT(MODE_SWIN, "swin",
                   "Swin V2: log2(1 + 8 |r| / (W - 1)) / 3, and 16 sigmoid of the answers"),
         PE_ONE_AT(MODE_CR, "cr", "timm swinv2_cr: ln(1 + |r|), and the answers as they are")),
     .summary = "model whose coordinates are taken"},
    {PE_WEIGHTS(struct swinv2, w1), .matrix = true, .required = true,
     .summary = "weights of the first layer, a row of 2 a hidden unit"},
    {PE_WEIGHTS(struct swinv2, b1),
     .summary = "biases of the first layer, one a hidden unit; 0 by default"},
    {PE_WEIGHTS(struct swinv2, w2), .matrix = true, .required = true,
     .summary = "weights of the second layer, a row a head"},
    {PE_WEIGHTS(struct swinv2, b2),
     .summary = "biases of the second layer, one a head; 0 by default, as in Swin V2"},
};

#define COORDS_NAMES "window_size", "pretrained_window", "convention"

static const struct pe_output outputs[] = {
    [INDEX] = {PE_OUTPUT("index", PE_I64, "q", "k"), .label = "Index", .sign = PE_NOT_NEGATIVE,
               .summary = "row of the flattened coordinates for each query and key",
               .by_default = true, .uses = PE_WORDS("window_size"), .bound = "exact"},
    [COORDS] = {PE_OUTPUT("coords", PE_F32, "dy", "dx", "axis"), .label = "Coordinates",
                .summary = "logarithmic offsets of query - key, the vertical one first",
                .uses = PE_WORDS(COORDS_NAMES), .bound = "0.501 ULP; f64 1 ULP"},
    [BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Bias",
              .summary = "bias that is added to the attention scores",
              .bound = "0.501 ULP; f64 1 ULP; of sums above 2^-30 of their terms"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static struct window window_of(const struct swinv2 *s)
{
    return (struct window){.window_size = s->window_size};
}

static bool has_pretrained(const struct swinv2 *s)
{
    return s->pretrained_window.height > 0;
}

static struct mlp_questions questions_of(const struct swinv2 *s)
{
    struct window window = {.window_size = s->window_size};

    return (struct mlp_questions){.count = (double)window_rows(&window),
                                  .kept = "biases of all offsets",
                                  .parameter = "window_size",
                                  .products = (double)s->w1.rows * (double)(2 + s->w2.rows),
                                  .answers = (double)s->w2.rows};
}

static void check_network(const struct swinv2 *s, struct pe_errors *errors)
{
    const struct mlp mlp = {&s->w1, &s->b1, &s->w2, &s->b2, 0};
    const struct mlp_questions questions = questions_of(s);

    mlp_check(&mlp, 2, "dy and dx", errors);
    if (errors->count == 0)
        mlp_check_questions(&questions, errors);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct swinv2 *s = values;

    if (has_pretrained(s) && ((s->pretrained_window.height == 1 && s->window_size.height > 1) ||
                              (s->pretrained_window.width == 1 && s->window_size.width > 1)))
        pe_fail(
            errors, PE_CONFLICT, "pretrained_window",
            "must have sides of at least 2, where window_size has: offsets are divided by the "
            "side less 1");
    if (errors->count == 0 && pe_wants(args, BIAS))
        check_network(s, errors);
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    struct window window = window_of(values);

    return window_range(args, &window, output);
}

/* ---- coordinates ------------------------------------------------------------------------- */

/* Returns the coordinate of an offset along an axis: 0 is the height, 1 the width. */
static struct dd coordinate_of(const struct swinv2 *s, int axis, int64_t offset)
{
    const struct pe_grid *grid = has_pretrained(s) ? &s->pretrained_window : &s->window_size;
    double side = (double)(axis == 0 ? grid->height : grid->width);
    double r = (double)llabs(offset);
    struct dd value;

    if (offset == 0)
        return (struct dd){0, 0};
    if (s->convention == MODE_CR) {
        value = elementary_log(1 + r);
    } else { /* 1 + 8 r / (side - 1); log2(x) / 3 = ln(x) / ln(8) */
        value = elementary_log_dd(
            elementary_divide((struct dd){side - 1 + 8 * r, 0}, (struct dd){side - 1, 0}));
        value = elementary_divide(value, elementary_log(8));
    }
    return offset < 0 ? (struct dd){-value.hi, -value.lo} : value;
}

static double coords_at(const void *state, uint64_t row, uint64_t col,
                        const void *const input[])
{
    const struct swinv2 *s = state;
    uint64_t across = (uint64_t)(2 * s->window_size.width - 1);
    int64_t dy = (int64_t)(row / across) - s->window_size.height + 1;
    int64_t dx = (int64_t)(row % across) - s->window_size.width + 1;
    struct dd value = coordinate_of(s, (int)col, col == 0 ? dy : dx);

    return value.hi + value.lo;
}

static const struct pe_filler coords_filler = {.element = coords_at, .ns_per_element = 300};

/* ---- the network over the coordinates of all offsets, its outputs looked up -------------- */

struct network {
    const struct swinv2 *swinv2;
    struct dd *hidden, *answers; /* scratch: one number a unit, and one a head */
};

static void answer(const void *rule, int64_t dy, int64_t dx, double *answers)
{
    const struct network *n = rule;
    const struct swinv2 *s = n->swinv2;
    const struct dd coords[2] = {coordinate_of(s, 0, dy), coordinate_of(s, 1, dx)};

    mlp_layer(&s->w1, &s->b1, coords, n->hidden);
    mlp_relu(n->hidden, s->w1.rows);
    mlp_layer(&s->w2, &s->b2, n->hidden, n->answers);
    for (size_t h = 0; h < s->w2.rows; h++)
        answers[h] = s->convention == MODE_CR ? n->answers[h].hi + n->answers[h].lo
                                              : mlp_sigmoid(16, n->answers[h]);
}

/* The cost counts two coordinates, the layers, and a sigmoid a head. */
static struct window_answers answers_of(const struct swinv2 *s, const struct network *network)
{
    return (struct window_answers){.window_size = s->window_size,
                                   .heads = s->w2.rows,
                                   .answer = answer,
                                   .rule = network,
                                   .ns = 600 + 150 * (double)s->w2.rows +
                                         25 * questions_of(s).products};
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct window_answers answers = answers_of(values, NULL);

    return pe_wants(args, BIAS) ? window_answers_ns(&answers) : 0;
}

static void fill_bias(struct pe_build *build, const struct swinv2 *s)
{
    struct dd *scratch = pe_build_alloc(build, (s->w1.rows + s->w2.rows) * sizeof *scratch);
    const struct network network = {s, scratch, scratch ? scratch + s->w1.rows : NULL};
    const struct window_answers answers = answers_of(s, &network);

    if (scratch)
        window_fill_answers(build, BIAS, &answers);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct pe_args *args = pe_build_args(build);
    const struct swinv2 *s = values;
    struct window *window = pe_build_alloc(build, sizeof *window);
    const struct lookup lookup = window_lookup(window);

    if (!window)
        return;
    *window = window_of(s);
    lookup_fill_index(build, INDEX, &lookup);
    pe_build_fill(build, COORDS, &coords_filler, s);
    if (pe_wants(args, BIAS))
        fill_bias(build, s);
    pe_build_fact_text(build, "sign", "offsets are query - key");
}

const struct pe_encoding pe_encoding_swinv2 = {
    .name = "swinv2",
    .title = "Swin V2 continuous position bias",
    .formula =
        "coords(r) = sign(r) log2(1 + 8 |r| / (W - 1)) / 3; bias = 16 sigmoid(w2 relu(w1 "
        "coords + b1))",
    .when_to_use =
        "Swin V2 makes the biases of any window by a small network over logarithmic offsets, "
        "so that a model moves to larger windows.",
    .what_goes_wrong =
        "A larger window is normalized by the side of the window in training "
        "(pretrained_window), not by its own. timm has both forms, and cr has no sigmoid.",
    .picture = "window_size=8x8&w1=1,0;0,1;-1,1;1,1&b1=0,0.5,0,-0.5&w2=1,1,1,-1;0,-1,2,1",
    .summary = "logarithmic offsets between the patches of a window, and a network over them",
    .source = "Liu et al. 2022, Swin Transformer V2, section 3.3; transformers "
              "modeling_swinv2.py; timm swin_transformer_v2_cr.py",
    .examples = PE_WORDS("window_size=2x2", "window_size=3x2&out=coords",
                         "window_size=16x16&pretrained_window=8x8&out=coords",
                         "window_size=3x3&convention=cr&out=coords",
                         "window_size=2x2&out=bias&w1=1,0;0,1;-1,1&b1=0,0.5,0&w2=1,1,1;0,"
                         "-1,2"),
    .family = PE_BIAS,
    PE_TABLES(struct swinv2, params, outputs),
    .check = check,
    .range = range,
    .lengths = PE_WORDS("q=window_size", "k=window_size", "heads=w2.0", "dy=2*window_size.0-1",
                        "dx=2*window_size.1-1", "axis=2"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
