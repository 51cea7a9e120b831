/* SPDX-License-Identifier: Apache-2.0
 * coordconv.c - the coordinates of every pixel as channels:
 *
 *     x = -1 + 2 column / (W-1), y = -1 + 2 row / (H-1), -1 on a side of one pixel
 *     r = sqrt((x - c)^2 + (y - c)^2)
 *
 * c = r_center is 1/2 in the reference, although the image's middle is 0. Liu et al. 2018, An
 * Intriguing Failing of Convolutional Neural Networks and the CoordConv Solution. */
#include <math.h>

#include "core/encoding.h"
#include "core/math/number/elementary.h"

enum { ORDER_XY, ORDER_YX };

struct coordconv {
    struct pe_grid grid;
    double r_center;
    bool with_r;
    int axis_order;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct coordconv, grid), .type = PE_GRID, .required = true,
     .summary = "pixels of the image, HEIGHTxWIDTH, as 64x64"},
    {PE_FIELD(struct coordconv, with_r), .type = PE_BOOL,
     PE_OWN("Liu et al. 2018", CONVENTION, BASIC),
     .summary = "add a third channel, the distance from the point (r_center, r_center)"},
    {PE_FIELD(struct coordconv, r_center), .type = PE_REAL, .min = -1e6, .max = 1e6,
     .preset = 0.5, .when = "with_r", PE_OWN("posenc", CONVENTION, ADVANCED),
     .summary = "x and y of the point that the third channel measures from: 0 is the middle of "
                "the image, 0.5 the reference"},
    {PE_FIELD(struct coordconv, axis_order),
     PE_CHOICES(PE_ONE_AT(ORDER_XY, "xy",
                          "the channel of the column before that of the row, as in the paper"),
                PE_ONE_AT(ORDER_YX, "yx", "the channel of the row before that of the column")),
     .summary = "which of the two coordinates has the first channel"},
};

static const struct pe_output outputs[] = {
    {PE_OUTPUT("map", PE_F32, "channel", "h", "w"), .label = "Coordinate channels",
     .summary = "coordinates of every pixel, each a channel of its own", .by_default = true,
     .bound = "0.501 ULP; f64 1 ULP"}};

/* Returns (2i - (n-1)) / (n-1), or -1 where n is 1. */
static struct dd coordinate(uint64_t i, int64_t count)
{
    const double last = (double)(count - 1);

    if (count == 1)
        return (struct dd){-1, 0};
    return elementary_divide((struct dd){2 * (double)i - last, 0}, (struct dd){last, 0});
}

/* Takes one Newton step from the root of hi: hi + lo - root^2 is exact enough. */
static double root_of(struct dd square)
{
    const double root = sqrt(square.hi);
    struct dd rest;

    if (root == 0)
        return 0;
    rest = elementary_product(-root, root);
    rest = elementary_add(square, rest);
    return root + rest.hi / (2 * root);
}

static double radius(const struct coordconv *c, struct dd x, struct dd y)
{
    const struct dd center = {-c->r_center, 0};
    const struct dd dx = elementary_add(x, center), dy = elementary_add(y, center);

    return root_of(elementary_add(elementary_multiply(dx, dx), elementary_multiply(dy, dy)));
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct coordconv *c = state;
    const uint64_t height = (uint64_t)c->grid.height;

    for (uint64_t r = 0; out[0] && r < rect->rows; r++) {
        const uint64_t channel = (rect->row + r) / height;
        const struct dd y = coordinate((rect->row + r) % height, c->grid.height);

        for (uint64_t col = 0; col < rect->cols; col++) {
            const struct dd x = coordinate(rect->col + col, c->grid.width);
            const bool is_x = (channel == 0) == (c->axis_order == ORDER_XY);

            out[0][r * rect->cols + col] = channel == 2 ? radius(c, x, y) : is_x ? x.hi : y.hi;
        }
    }
}

static const struct pe_filler filler = {.reference = fill, .ns_per_element = 20};

const struct pe_encoding pe_encoding_coordconv = {
    .name = "coordconv",
    .title = "CoordConv: coordinates as channels",
    .formula = "x = -1 + 2 column / (W-1), y = -1 + 2 row / (H-1); -1 on a side of one pixel\n"
               "r = sqrt((x - r_center)^2 + (y - r_center)^2)",
    .when_to_use = "Convolutions that must know where in the image they are: the channels are "
                   "joined to the feature map. Attention over patches takes sincos2d-mae or "
                   "sincos2d-timm instead.",
    .what_goes_wrong =
        "The reference measures the distance from (0.5, 0.5), although the middle of "
        "the image is (0, 0): weights trained with it need r_center=0.5. -1 and 1 are "
        "the centres of the outer pixels, not their edges. Ports differ in whether the "
        "column or the row has the first channel.",
    .picture = "grid=48x64&with_r=1",
    .summary = "the coordinates of every pixel, from -1 to 1, as channels",
    .source = "Liu et al. 2018, An Intriguing Failing of Convolutional Neural Networks and the "
              "CoordConv Solution",
    .examples = PE_WORDS("grid=2x3", "grid=1x3&with_r=1", "grid=3x3&with_r=1&r_center=0",
                         "grid=2x3&axis_order=yx"),
    .family = PE_SPATIAL,
    PE_TABLES(struct coordconv, params, outputs),
    .lengths = PE_WORDS("channel=2+with_r", "h=grid.0", "w=grid.1"),
    .filler = &filler,
};
