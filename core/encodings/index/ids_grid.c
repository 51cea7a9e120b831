/* SPDX-License-Identifier: Apache-2.0
 * ids_grid.c - coordinates of the patches of an image or of a video, one row a token.
 *
 *     index k | centred k - (n - floor(n/2)) | pixel_centre k + 1/2 | unit (k + 1/2)/n |
 *     signed 2(k + 1/2)/n - 1 | endpoints 2k/(n-1) - 1;     then times scale, plus offset
 *
 * The last axis runs fastest. Forms of ViT, DINOv3, Lumina, Flux; merge lists tokens in blocks
 * as Qwen2-VL's vision tower does; prefix_tokens serves a class token or registers,
 * suffix_tokens Llama 4's.
 */
#include "core/encoding.h"

#include <math.h>

#include "core/math/number/elementary.h"

enum { COORDS, IDS };
enum { INDEX, CENTRED, PIXEL_CENTRE, UNIT, SIGNED, ENDPOINTS };
enum { ORDER_HW, ORDER_XY };

struct ids_grid {
    struct pe_grid grid;
    int64_t frames, merge, prefix_tokens, suffix_tokens;
    int coord_range, axis_order;
    struct pe_reals scale, offset;
};

static const struct pe_choice forms[] = {
    PE_ONE_AT(INDEX, "index", "k: the number of the patch along the axis"),
    [CENTRED] = {"centred", PE_WORDS("centered"), "k - (n - floor(n/2)), 0 in the middle", NULL,
                 NULL},
    [PIXEL_CENTRE] = {"pixel_centre", PE_WORDS("pixel_center"),
                      "k + 1/2, the centre of the patch", NULL, NULL},
    PE_ONE_AT(UNIT, "unit", "(k + 1/2) / n, within 0 and 1"),
    PE_ONE_AT(SIGNED, "signed", "2 (k + 1/2) / n - 1, within -1 and 1 (DINOv3)"),
    PE_ONE_AT(ENDPOINTS, "endpoints", "2 k / (n - 1) - 1, from -1 to 1; -1 where n is 1"),
    {NULL, NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD(struct ids_grid, grid), .type = PE_GRID, .required = true,
     .summary = "patches of the image, HEIGHTxWIDTH, as 14x14"},
    {PE_FIELD(struct ids_grid, frames), .type = PE_INT, .optional = true, .min = 1,
     .max = 0x1p20,
     .summary = "number of frames of a video, which adds a first axis to every row"},
    {PE_FIELD(struct ids_grid, coord_range), .type = PE_CHOICE, .choices = forms,
     .summary = "coordinate that patch k of n along an axis has"},
    {PE_FIELD(struct ids_grid, scale), .type = PE_REALS, .min = -1e9, .max = 1e9,
     .summary = "factor on the coordinates: one number, or one for each axis of a row"},
    {PE_FIELD(struct ids_grid, offset), .type = PE_REALS, .min = -1e9, .max = 1e9,
     .summary = "number that is added after scale: one number, or one for each axis of a row"},
    {PE_FIELD(struct ids_grid, axis_order),
     PE_CHOICES(PE_ONE_AT(ORDER_HW, "hw", "the row comes before the column"),
                PE_ONE_AT(ORDER_XY, "xy", "the column comes before the row")),
     .summary = "whether a row holds height and width, or width and height"},
    {PE_FIELD(struct ids_grid, merge), .type = PE_INT, .min = 1, .max = 64, .preset = 1,
     PE_OWN("Qwen2-VL", SHAPE, ADVANCED),
     .summary = "side of the blocks of patches whose tokens follow each other; 1: row by row"},
    {PE_FIELD(struct ids_grid, prefix_tokens), .type = PE_INT, .min = 0, .max = 65536,
     .summary = "rows of zeros before the grid, for a class token or registers"},
    {PE_FIELD(struct ids_grid, suffix_tokens), .type = PE_INT, .min = 0, .max = 65536,
     PE_OWN("posenc", SHAPE, ADVANCED),
     .summary = "rows of zeros after the grid, as Llama 4's class token"},
};

static const struct pe_output outputs[] = {
    [COORDS] = {PE_OUTPUT("coords", PE_F32, "token", "axis"), .label = "Coordinates",
                .summary = "coordinates of each token on each axis", .by_default = true,
                .bound = "0.501 ULP; f64 1 ULP"},
    [IDS] = {PE_OUTPUT("ids", PE_I64, "token", "axis"), .label = "Ids",
             .summary = "coordinates as whole numbers, for coord_range=index and centred",
             .bound = "exact"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static uint64_t axes_of(const struct ids_grid *g)
{
    return g->frames == PE_ABSENT_INT ? 2 : 3;
}

static double item_of(const struct pe_reals *list, uint64_t axis, double none)
{
    return list->rows == 0 ? none : list->values[list->cols == 1 ? 0 : axis];
}

static bool is_whole(const struct ids_grid *g)
{
    bool integral = g->coord_range == INDEX || g->coord_range == CENTRED;

    for (uint64_t axis = 0; axis < axes_of(g); axis++)
        integral = integral &&
                   item_of(&g->scale, axis, 1) == trunc(item_of(&g->scale, axis, 1)) &&
                   item_of(&g->offset, axis, 0) == trunc(item_of(&g->offset, axis, 0));
    return integral;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct ids_grid *g = values;
    size_t axes = axes_of(g);

    if (g->grid.height % g->merge != 0 || g->grid.width % g->merge != 0)
        pe_fail(errors, PE_CONFLICT, "merge", "must divide height and width of grid, %lldx%lld",
                (long long)g->grid.height, (long long)g->grid.width);
    if (g->scale.rows > 0 && g->scale.cols != 1 && g->scale.cols != axes)
        pe_fail(errors, PE_CONFLICT, "scale",
                "must have one number or one an axis, %zu; got "
                "%zu",
                axes, g->scale.cols);
    if (g->offset.rows > 0 && g->offset.cols != 1 && g->offset.cols != axes)
        pe_fail(errors, PE_CONFLICT, "offset",
                "must have one number or one an axis, %zu; got "
                "%zu",
                axes, g->offset.cols);
    if (errors->count == 0 && pe_wants(args, IDS) && !is_whole(g))
        pe_fail(errors, PE_CONFLICT, "out",
                "has ids only for coord_range=index and centred with whole scale and "
                "offset; take "
                "coords");
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct ids_grid *g = values;
    double most = 0;

    for (uint64_t axis = 0; axis < axes_of(g); axis++)
        most = fmax(most, fabs(item_of(&g->scale, axis, 1)) * 0x1p20 +
                              fabs(item_of(&g->offset, axis, 0)));
    return (struct pe_interval){
        g->coord_range == INDEX && g->scale.rows == 0 && g->offset.rows == 0 ? 0 : -most, most};
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct ids_grid *g = values;
    uint64_t frames = g->frames == PE_ABSENT_INT ? 1 : (uint64_t)g->frames;

    dims[0] = frames * (uint64_t)(g->grid.height * g->grid.width) + /* below 2^53 */
              (uint64_t)(g->prefix_tokens + g->suffix_tokens);
    dims[1] = axes_of(g);
    return 2;
}

/* ---- coordinates --------------------------------------------------------------------- */

static struct dd form_of(int coords, double k, double n)
{
    switch (coords) {
    case CENTRED:
        return (struct dd){k - (n - floor(n / 2)), 0};
    case PIXEL_CENTRE:
        return (struct dd){k + 0.5, 0};
    case UNIT:
        return elementary_divide((struct dd){k + 0.5, 0}, (struct dd){n, 0});
    case SIGNED:
        return elementary_divide((struct dd){2 * k + 1 - n, 0}, (struct dd){n, 0});
    case ENDPOINTS:
        return n == 1
                   ? (struct dd){-1, 0}
                   : elementary_divide((struct dd){2 * k - (n - 1), 0}, (struct dd){n - 1, 0});
    default:
        return (struct dd){k, 0};
    }
}

/* Sets k[0..2] to the frame, row and column of a patch. */
static void place(const struct ids_grid *g, uint64_t patch, uint64_t k[3])
{
    uint64_t height = (uint64_t)g->grid.height, width = (uint64_t)g->grid.width;
    uint64_t merge = (uint64_t)g->merge, within = patch % (height * width);
    uint64_t block = within / (merge * merge), inner = within % (merge * merge);

    k[0] = patch / (height * width);
    k[1] = block / (width / merge) * merge + inner / merge;
    k[2] = block % (width / merge) * merge + inner % merge;
}

static double value_at(const void *state, uint64_t token, uint64_t axis,
                       const void *const input[])
{
    const struct ids_grid *g = state;
    const double sizes[3] = {(double)g->frames, (double)g->grid.height, (double)g->grid.width};
    uint64_t dims[PE_MAX_RANK], k[3], source = axis + (axes_of(g) == 2);
    struct dd value;

    shape(NULL, g, COORDS, dims);
    if (token < (uint64_t)g->prefix_tokens || token >= dims[0] - (uint64_t)g->suffix_tokens)
        return 0;
    if (g->axis_order == ORDER_XY && source > 0)
        source = 3 - source;
    place(g, token - (uint64_t)g->prefix_tokens, k);
    value = elementary_multiply(form_of(g->coord_range, (double)k[source], sizes[source]),
                                (struct dd){item_of(&g->scale, axis, 1), 0});
    value = elementary_add(value, (struct dd){item_of(&g->offset, axis, 0), 0});
    return value.hi + value.lo;
}

static const struct pe_filler filler = {.element = value_at, .ns_per_element = 40};

static void prepare(struct pe_build *build, const void *values)
{
    pe_build_fill(build, COORDS, &filler, values);
    pe_build_fill(build, IDS, &filler, values);
}

const struct pe_encoding pe_encoding_ids_grid = {
    .name = "ids-grid",
    .title = "Coordinates of patches",
    .formula =
        "index: k; centred: k - (n - floor(n/2)); pixel_centre: k + 1/2; unit: (k + 1/2) / "
        "n; signed: 2 (k + 1/2) / n - 1; endpoints: 2 k / (n - 1) - 1; then times scale, "
        "plus offset",
    .when_to_use =
        "Encodings of images (rope-axes, sincos2d-timm, learnable-fourier) take such "
        "coordinates; this makes those of ViT, DINOv3, Lumina, Flux and Qwen2-VL for any "
        "grid.",
    .what_goes_wrong =
        "torch.meshgrid with indexing=xy swaps the axes, which a square image hides. "
        "Qwen2-VL lists patches in blocks of 2 x 2 (merge=2): row-by-row ids have the same "
        "shape and belong to other patches.",
    .picture = "grid=8x6",
    .summary = "coordinates of the patches of an image or a video",
    .source = "forms of ViT, DINOv3, Lumina, Flux; Wang et al. 2024, Qwen2-VL (blocks)",
    .examples = PE_WORDS("grid=2x3", "grid=2x3&out=ids&axis_order=xy",
                         "grid=2x3&coord_range=signed", "grid=4x4&merge=2&out=ids",
                         "grid=2x2&frames=2&prefix_tokens=1&suffix_tokens=1",
                         "grid=2x2&coord_range=unit&scale=2,4&offset=1"),
    .family = PE_INDEX,
    PE_TABLES(struct ids_grid, params, outputs),
    .check = check,
    .range = range,
    .shape = shape,
    .prepare = prepare,
};
