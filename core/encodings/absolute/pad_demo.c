/* SPDX-License-Identifier: Apache-2.0
 * pad_demo.c - the response of a convolution to a constant input:
 *
 *     y_p = fill sum over t of kernel_t [p + t - size/2 is inside, or padding repeats it]
 *
 * (cross-correlation, stride 1, as many results as inputs). With zero padding the response
 * differs at the borders, from which networks learn positions; other paddings hide the borders.
 *
 * Islam et al. 2020, How much position information do convolutional neural networks encode? */
#include "core/math/linear/dot.h"

#include "core/encoding.h"

enum { RESPONSE };
enum { ZERO, CIRCULAR, REFLECT };
enum { MAX_SIDE = 63 };

struct pad_demo {
    struct pe_reals kernel_weights;
    int64_t len;
    struct pe_grid grid;
    double fill;
    int padding_mode;
};

static const struct pe_choice paddings[] = {
    PE_ONE_AT(ZERO, "zero", "zeros beside the input, which show the network its borders"),
    PE_ONE_AT(CIRCULAR, "circular", "the other end of the input, as if it were a ring"),
    PE_ONE_AT(REFLECT, "reflect",
              "the input mirrored at its first and last place, which are not repeated"),
    {NULL, NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_WEIGHTS(struct pad_demo, kernel_weights), .matrix = true, .required = true,
     PE_OWN("posenc", WEIGHTS, BASIC),
     .summary = "weights of the kernel, an odd number of rows and of columns: 1,1,1 or "
                "0,1,0;1,1,1;0,1,0"},
    {PE_FIELD(struct pad_demo, len), .type = PE_INT, .optional = true, .min = 1, .max = 0x1p40,
     .when = "!grid", .summary = "number of places of an input of one axis"},
    {PE_FIELD(struct pad_demo, grid), .type = PE_GRID, .optional = true,
     .summary = "places of an input of two axes, HEIGHTxWIDTH, as 14x14"},
    {PE_FIELD(struct pad_demo, fill), .type = PE_REAL, .min = -1e18, .max = 1e18, .preset = 1,
     PE_OWN("posenc", VECTORS, ADVANCED), .summary = "the value of the input at every place"},
    {PE_FIELD(struct pad_demo, padding_mode), .type = PE_CHOICE, .choices = paddings,
     .summary = "what the convolution reads beside the input"},
};

static const struct pe_output outputs[] = {
    [RESPONSE] = {PE_OUTPUT("response", PE_F32, "...", "w"), .label = "Response",
                  .one_of = "len|grid",
                  .summary = "the convolution at each place of the input, of one axis or two",
                  .by_default = true,
                  .bound = "0.501 ULP; f64 1 ULP; where weights cancel 2^-90 of their size"},
};

/* ---- rules ------------------------------------------------------------------------------- */

/* Returns the height of the input, 1 where the input has one axis. */
static uint64_t height_of(const struct pad_demo *p)
{
    return p->grid.height > 0 ? (uint64_t)p->grid.height : 1;
}

static uint64_t width_of(const struct pad_demo *p)
{
    return p->grid.height > 0 ? (uint64_t)p->grid.width : (uint64_t)p->len;
}

/* Padding that repeats the input cannot reach further than the input does. */
static void check_reach(const struct pad_demo *p, size_t side, uint64_t size,
                        struct pe_errors *errors)
{
    const uint64_t reach = side / 2, most = p->padding_mode == REFLECT ? size - 1 : size;

    if (p->padding_mode != ZERO && reach > most)
        pe_fail(
            errors, PE_CONFLICT, "kernel_weights",
            "must reach at most %llu places beyond the input with padding_mode=%s, which has "
            "%llu; got %llu",
            (unsigned long long)most, paddings[p->padding_mode].name, (unsigned long long)size,
            (unsigned long long)reach);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct pad_demo *p = values;
    const struct pe_reals *kernel = &p->kernel_weights;
    const bool line = p->len != PE_ABSENT_INT;

    if (!line && p->grid.height == 0)
        pe_fail(errors, PE_MISSING_PARAMETER, "len",
                "or grid is required: the size of the input");
    else if (kernel->rows % 2 == 0 || kernel->cols % 2 == 0 || kernel->rows > MAX_SIDE ||
             kernel->cols > MAX_SIDE)
        pe_fail(errors, PE_CONFLICT, "kernel_weights",
                "must have odd numbers of rows and columns, at most %d; got %zu of %zu",
                MAX_SIDE, kernel->rows, kernel->cols);
    else if (line && kernel->rows > 1)
        pe_fail(errors, PE_CONFLICT, "kernel_weights",
                "must be one row for len; rows are for grid; got %zu", kernel->rows);
    if (errors->count > 0)
        return;
    check_reach(p, kernel->rows, height_of(p), errors);
    check_reach(p, kernel->cols, width_of(p), errors);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct pad_demo *p = values;
    const size_t rank = p->grid.height > 0 ? 2 : 1;

    dims[0] = height_of(p);
    dims[rank - 1] = width_of(p);
    return rank;
}

/* ---- filling ----------------------------------------------------------------------------- */

/* The weights from first to before last, along a side of the kernel, meet the input. */
struct reach {
    size_t first, last;
};

static struct reach reach_of(const struct pad_demo *p, size_t side, uint64_t at, uint64_t size)
{
    const uint64_t half = side / 2;
    struct reach reach = {0, side};

    if (p->padding_mode != ZERO)
        return reach;
    if (at < half)
        reach.first = (size_t)(half - at);
    if (size - 1 - at < half)
        reach.last = (size_t)(half + size - at);
    return reach;
}

/* Sums the weights that meet the input, times its value. */
static double response(const struct pad_demo *p, struct reach rows, struct reach cols)
{
    struct dd sum = {0, 0};
    double input[MAX_SIDE];

    for (size_t i = 0; i < p->kernel_weights.cols; i++)
        input[i] = p->fill;
    for (size_t row = rows.first; row < rows.last; row++)
        sum = dot_add(sum, p->kernel_weights.values + row * p->kernel_weights.cols + cols.first,
                      input, cols.last - cols.first);
    return sum.hi + sum.lo;
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct pad_demo *p = state;
    const struct reach all_rows = {0, p->kernel_weights.rows},
                       all_cols = {0, p->kernel_weights.cols};
    const double inside = response(p, all_rows, all_cols);

    for (uint64_t r = 0; out[0] && r < rect->rows; r++) {
        const struct reach rows =
            reach_of(p, p->kernel_weights.rows, rect->row + r, height_of(p));

        for (uint64_t c = 0; c < rect->cols; c++) {
            const struct reach cols =
                reach_of(p, p->kernel_weights.cols, rect->col + c, width_of(p));
            const size_t met = (rows.last - rows.first) * (cols.last - cols.first);

            out[0][r * rect->cols + c] = met == p->kernel_weights.rows * p->kernel_weights.cols
                                             ? inside
                                             : response(p, rows, cols);
        }
    }
}

/* Returns the share of the places along an axis that see the whole kernel. */
static double share(size_t side, uint64_t size)
{
    return size < side ? 0 : (double)(size - side + 1) / (double)size;
}

static double cost_of(const void *state, enum pe_dtype dtype)
{
    const struct pad_demo *p = state;
    const double weights = (double)(p->kernel_weights.rows * p->kernel_weights.cols);
    const double border = p->padding_mode == ZERO
                              ? 1 - share(p->kernel_weights.rows, height_of(p)) *
                                        share(p->kernel_weights.cols, width_of(p))
                              : 0;

    return 4 + border * (60 + 6 * weights);
}

static const struct pe_filler filler = {
    .reference = fill, .ns_per_element = 4, .cost = cost_of};

const struct pe_encoding pe_encoding_pad_demo = {
    .name = "pad-demo",
    .title = "Zero padding as positional information",
    .formula = "response[p] = fill * sum over t of kernel_weights[t] * inside(p + t - size/2)\n"
               "inside is 1 on the input, and beside it 0 for zero padding, else 1",
    .when_to_use =
        "A demonstration, not an encoding to serve: the response of a convolution to a "
        "constant input shows where zero padding tells a network its borders. Encodings by a "
        "trained convolution are conv-position.",
    .what_goes_wrong =
        "Zero padding gives a convolutional network absolute positions near the borders, so "
        "that it changes when images are cropped or tiled. Circular and reflected borders "
        "hide them: a constant input then gives a constant response.",
    .picture = "grid=24x24&kernel_weights=1,2,3,2,1;2,4,6,4,2;3,6,9,6,3;2,4,6,4,2;1,2,3,2,1",
    .summary = "how zero padding shows a convolution the borders of a constant input",
    .source = "Islam et al. 2020, How much position information do convolutional neural "
              "networks encode?",
    .examples = PE_WORDS("len=5&kernel_weights=1,1,1",
                         "len=5&kernel_weights=1,1,1&padding_mode=circular",
                         "grid=4x5&kernel_weights=0,1,0;1,1,1;0,1,0",
                         "grid=3x3&kernel_weights=1,2,3&padding_mode=reflect&fill=0.5"),
    .family = PE_ABSOLUTE,
    PE_TABLES(struct pad_demo, params, outputs),
    .check = check,
    .shape = shape,
    .filler = &filler,
};
