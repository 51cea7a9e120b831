/* SPDX-License-Identifier: Apache-2.0
 * pad_demo.c - the response of a convolution to a constant input:
 *
 *     y_p = value sum over t of kernel_t [p + t - size/2 is inside, or padding repeats it]
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
    struct pe_reals kernel;
    int64_t length;
    struct pe_grid grid;
    double value;
    int padding;
};

static const struct pe_choice paddings[] = {
    [ZERO] = {"zero", NULL, "zeros beside the input", NULL},
    [CIRCULAR] = {"circular", NULL, "the other end of the input", NULL},
    [REFLECT] = {"reflect", NULL, "the input mirrored, its edge not repeated", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD(struct pad_demo, kernel), .type = PE_REALS, .matrix = true, .required = true,
     .min = -1e18, .max = 1e18,
     .summary = "weights, rows and columns odd: 1,1,1 or 0,1,0;1,1,1;0,1,0"},
    {PE_FIELD(struct pad_demo, length), .type = PE_INT, .optional = true, .min = 1,
     .max = 0x1p40, .summary = "how long the input is, of one axis"},
    {PE_FIELD(struct pad_demo, grid), .type = PE_GRID, .optional = true,
     .summary = "or its rows and columns, 14x14"},
    {PE_FIELD(struct pad_demo, value), .type = PE_REAL, .min = -1e18, .max = 1e18, .preset = 1,
     .summary = "what the input is everywhere"},
    {PE_FIELD(struct pad_demo, padding), .type = PE_CHOICE, .choices = paddings,
     .summary = "what stands beside the input"},
};

static const struct pe_output outputs[] = {
    [RESPONSE] = {PE_OUTPUT("response", PE_F32, "...", "w"),
                  .summary = "what the convolution answers at each place", .by_default = true,
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
    return p->grid.height > 0 ? (uint64_t)p->grid.width : (uint64_t)p->length;
}

/* Padding that repeats the input cannot reach further than the input does. */
static void check_reach(const struct pad_demo *p, size_t side, uint64_t size,
                        struct pe_errors *errors)
{
    const uint64_t reach = side / 2, most = p->padding == REFLECT ? size - 1 : size;

    if (p->padding != ZERO && reach > most)
        pe_fail(
            errors, PE_CONFLICT, "kernel",
            "must reach at most %llu places beyond the input with padding=%s, which has %llu; "
            "got %llu",
            (unsigned long long)most, paddings[p->padding].name, (unsigned long long)size,
            (unsigned long long)reach);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct pad_demo *p = values;
    const struct pe_reals *kernel = &p->kernel;
    const bool line = p->length != PE_ABSENT_INT, map = p->grid.height > 0;

    if (!line && !map)
        pe_fail(errors, PE_MISSING_PARAMETER, "length",
                "or grid is required: the size of the input");
    else if (line && map)
        pe_fail(errors, PE_CONFLICT, "length", "is the size of one axis; give it or grid");
    else if (kernel->rows % 2 == 0 || kernel->cols % 2 == 0 || kernel->rows > MAX_SIDE ||
             kernel->cols > MAX_SIDE)
        pe_fail(errors, PE_CONFLICT, "kernel",
                "must have odd numbers of rows and columns, at most %d; got %zu of %zu",
                MAX_SIDE, kernel->rows, kernel->cols);
    else if (line && kernel->rows > 1)
        pe_fail(errors, PE_CONFLICT, "kernel",
                "must be one row for length; rows are for grid; got %zu", kernel->rows);
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

    if (p->padding != ZERO)
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

    for (size_t i = 0; i < p->kernel.cols; i++)
        input[i] = p->value;
    for (size_t row = rows.first; row < rows.last; row++)
        sum = dot_add(sum, p->kernel.values + row * p->kernel.cols + cols.first, input,
                      cols.last - cols.first);
    return sum.hi + sum.lo;
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct pad_demo *p = state;
    const struct reach all_rows = {0, p->kernel.rows}, all_cols = {0, p->kernel.cols};
    const double inside = response(p, all_rows, all_cols);

    for (uint64_t r = 0; out[0] && r < rect->rows; r++) {
        const struct reach rows = reach_of(p, p->kernel.rows, rect->row + r, height_of(p));

        for (uint64_t c = 0; c < rect->cols; c++) {
            const struct reach cols = reach_of(p, p->kernel.cols, rect->col + c, width_of(p));
            const size_t met = (rows.last - rows.first) * (cols.last - cols.first);

            out[0][r * rect->cols + c] =
                met == p->kernel.rows * p->kernel.cols ? inside : response(p, rows, cols);
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
    const double weights = (double)(p->kernel.rows * p->kernel.cols);
    const double border = p->padding == ZERO ? 1 - share(p->kernel.rows, height_of(p)) *
                                                       share(p->kernel.cols, width_of(p))
                                             : 0;

    return 4 + border * (60 + 6 * weights);
}

static const struct pe_filler filler = {
    .reference = fill, .ns_per_element = 4, .cost = cost_of};

const struct pe_encoding pe_encoding_pad_demo = {
    .name = "pad-demo",
    .summary = "how zero padding shows a convolution the borders of a constant input",
    .source = "Islam et al. 2020, How much position information do convolutional neural "
              "networks encode?",
    .examples = PE_WORDS("length=5&kernel=1,1,1", "length=5&kernel=1,1,1&padding=circular",
                         "grid=4x5&kernel=0,1,0;1,1,1;0,1,0",
                         "grid=3x3&kernel=1,2,3&padding=reflect&value=0.5"),
    .family = PE_ABSOLUTE,
    PE_TABLES(struct pad_demo, params, outputs),
    .check = check,
    .shape = shape,
    .filler = &filler,
};
