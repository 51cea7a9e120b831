/* SPDX-License-Identifier: Apache-2.0
 * resize_table_relative.c - resamples a learned table of window offsets for another window.
 *
 *     out[dy, dx] = sum_i sum_j w(dy, i) w(dx, j) table[i, j],   2 height - 1 by 2 width - 1
 *
 * for each head alone; rows after those of offsets (BEiT's class token) are kept. resample.h
 * and resample_geometric.h have the weights.
 *
 * Liu et al. 2021, Swin Transformer: microsoft/Swin-Transformer utils.py; Bao et al. 2022,
 * BEiT: microsoft/unilm beit run_class_finetuning.py; transformers modeling_beit.py; timm
 * layers/pos_embed_rel.py. */
#include <math.h>

#include "core/math/resample/resample_geometric.h"
#include "core/math/resample/resample_plane.h"
#include "core/math/tensor_row.h"

enum { TABLE };
enum { BICUBIC, BILINEAR, GEOMETRIC, GEOMETRIC_LINEAR };

struct resize_table_relative {
    struct pe_tensor table;
    struct pe_grid old_window, new_window;
    int64_t num_extra_tokens;
    int interpolation, preset;
    bool antialias;
    double cubic_a;
};

static const struct pe_choice interpolations[] = {
    [BICUBIC] = {"bicubic", PE_WORDS("cubic"), "cubic kernel of Keys, four offsets an axis",
                 NULL, NULL},
    [BILINEAR] = {"bilinear", PE_WORDS("linear"), "straight lines, two offsets an axis", NULL,
                  NULL},
    PE_ONE_AT(GEOMETRIC, "geometric",
              "offsets in geometric progression, cubic spline between them (BEiT)"),
    PE_ONE_AT(GEOMETRIC_LINEAR, "geometric-linear",
              "offsets in geometric progression, straight lines between them"),
    {NULL, NULL, NULL, NULL, NULL}};

/* A table of 3x3 patches and three tokens besides. */
#define EXTRA_START                                                                            \
    "table=0;1;2;1;0;1;2;3;2;1;2;3;4;3;2;1;2;3;2;1;0;1;2;1;0;9;9;9&new_window=4x4"

static const struct pe_param params[] = {
    {PE_TENSOR_TABLE(struct resize_table_relative, table), .required = true,
     .summary =
         "learned biases, a row an offset from (1 - height, 1 - width) on, a column a head"},
    {PE_FIELD(struct resize_table_relative, old_window), .type = PE_GRID, .optional = true,
     PE_OWN("posenc", SHAPE, BASIC),
     .summary = "window of the table, HEIGHTxWIDTH in patches; by default a square"},
    {PE_FIELD(struct resize_table_relative, new_window), .type = PE_GRID, .required = true,
     PE_OWN("posenc", SHAPE, BASIC),
     .summary = "window of the answer, HEIGHTxWIDTH in patches"},
    {PE_FIELD(struct resize_table_relative, num_extra_tokens), .type = PE_INT, .max = 65536,
     PE_OWN("unilm", SHAPE, ADVANCED),
     .summary = "number of last rows that are no offsets and are kept: 3 with a class token"},
    {PE_FIELD(struct resize_table_relative, interpolation), .type = PE_CHOICE,
     .choices = interpolations,
     .summary = "how values between two offsets of the table are made"},
    {PE_FIELD(struct resize_table_relative, antialias), .type = PE_BOOL,
     .when = "interpolation=bicubic|bilinear",
     .summary = "low-pass filter where the table shrinks, as antialias of torch"},
    {PE_FIELD(struct resize_table_relative, cubic_a), .type = PE_REAL, .optional = true,
     .min = -1, .max = 0, .when = "interpolation=bicubic",
     .summary = "coefficient a of the cubic kernel; by default -0.75, with antialias -0.5"},
    {PE_FIELD(struct resize_table_relative, preset),
     PE_CHOICES(
         {"swin-transformer",
          .summary = "Swin in microsoft/Swin-Transformer and, as simple, in timm",
          .stands_for = "interpolation=bicubic"},
         {"beit", PE_WORDS("eva"), "BEiT in microsoft/unilm, and in timm with SciPy",
          .stands_for = "interpolation=geometric&num_extra_tokens=3", .start = EXTRA_START},
         {"timm-beit", .summary = "BEiT in timm without SciPy",
          .stands_for = "interpolation=geometric-linear&num_extra_tokens=3",
          .start = EXTRA_START},
         {"hf-beit", .summary = "BEiT and Data2Vec Vision in transformers",
          .stands_for = "interpolation=bilinear&num_extra_tokens=3", .start = EXTRA_START}),
     .optional = true, .expanded = true,
     .summary =
         "library whose rule is followed: sets interpolation and num_extra_tokens, each of "
         "which may be given"},
};

static const struct pe_output outputs[] = {
    [TABLE] = {PE_OUTPUT("table", PE_F32, "row", "heads"), .label = "Table",
               .summary = "table of the new window, a row an offset, a column a head",
               .by_default = true,
               .uses = PE_WORDS("table", "old_window", "new_window", "num_extra_tokens",
                                "interpolation", "antialias", "cubic_a"),
               .bound = "0.501 ULP of the table's numbers; f64 2^-43 of the sum of its terms"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static bool is_geometric(const struct resize_table_relative *v)
{
    return v->interpolation == GEOMETRIC || v->interpolation == GEOMETRIC_LINEAR;
}

static bool is_same(const struct resize_table_relative *v)
{
    return v->old_window.height == v->new_window.height &&
           v->old_window.width == v->new_window.width;
}

static int64_t side_of(int64_t window)
{
    return 2 * window - 1;
}

static struct pe_grid offsets_of(const struct pe_grid *window)
{
    return (struct pe_grid){side_of(window->height), side_of(window->width)};
}

static void resolve_window(struct resize_table_relative *v, struct pe_errors *errors)
{
    const uint64_t rows = v->table.dims[0] - (uint64_t)v->num_extra_tokens;
    const uint64_t side = (uint64_t)sqrt((double)rows);
    const struct pe_grid *old = &v->old_window;

    if (old->height == 0) {
        if (side * side != rows || side % 2 == 0) {
            pe_fail(errors, PE_MISSING_PARAMETER, "old_window",
                    "is required: %llu rows of table, without num_extra_tokens, are no "
                    "square of an odd number",
                    (unsigned long long)rows);
            return;
        }
        v->old_window.height = v->old_window.width = (int64_t)side / 2 + 1;
    } else if ((uint64_t)side_of(old->height) * (uint64_t)side_of(old->width) != rows) {
        pe_fail(errors, PE_CONFLICT, "old_window",
                "must have (2 height - 1) (2 width - 1) offsets, the rows of table "
                "without num_extra_tokens, %llu; got %lldx%lld",
                (unsigned long long)rows, (long long)old->height, (long long)old->width);
    }
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct resize_table_relative *v = values;

    tensor_row_check(&v->table, "table", "rows,heads", errors);
    if (errors->count > 0)
        return;
    if ((uint64_t)v->num_extra_tokens >= v->table.dims[0]) {
        pe_fail(errors, PE_CONFLICT, "num_extra_tokens",
                "must leave rows of table, which has %llu; got %lld",
                (unsigned long long)v->table.dims[0], (long long)v->num_extra_tokens);
        return;
    }
    if (v->interpolation == BICUBIC && isnan(v->cubic_a))
        v->cubic_a = v->antialias ? -0.5 : -0.75;
    resolve_window(v, errors);
}

static void check_sides(const struct resize_table_relative *v, struct pe_errors *errors)
{
    const struct pe_grid from = offsets_of(&v->old_window), to = offsets_of(&v->new_window);
    const int64_t least = from.height < from.width ? from.height : from.width;
    const int64_t before = from.height > from.width ? from.height : from.width;
    const int64_t after = to.height > to.width ? to.height : to.width;

    if (least < RESAMPLE_GEOMETRIC_MIN)
        pe_fail(errors, PE_CONFLICT, "old_window",
                "must be 3 or more with interpolation=%s; got %lldx%lld",
                interpolations[v->interpolation].name, (long long)v->old_window.height,
                (long long)v->old_window.width);
    if (before > RESAMPLE_GEOMETRIC_BEFORE) {
        pe_fail(errors, PE_TOO_LARGE, "old_window", "must be at most %d with interpolation=%s",
                RESAMPLE_GEOMETRIC_BEFORE / 2 + 1, interpolations[v->interpolation].name);
        pe_note_limit(errors, RESAMPLE_GEOMETRIC_BEFORE / 2 + 1, (uint64_t)before / 2 + 1);
    }
    if (after > RESAMPLE_GEOMETRIC_AFTER) {
        pe_fail(errors, PE_TOO_LARGE, "new_window", "must be at most %d with interpolation=%s",
                RESAMPLE_GEOMETRIC_AFTER / 2 + 1, interpolations[v->interpolation].name);
        pe_note_limit(errors, RESAMPLE_GEOMETRIC_AFTER / 2 + 1, (uint64_t)after / 2 + 1);
    }
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct resize_table_relative *v = values;

    if (is_geometric(v) && !is_same(v))
        check_sides(v, errors);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct resize_table_relative *v = values;
    const struct pe_grid to = offsets_of(&v->new_window);

    dims[0] = (uint64_t)to.height * (uint64_t)to.width + (uint64_t)v->num_extra_tokens;
    dims[1] = v->table.dims[1];
    return 2;
}

/* ---- weights ----------------------------------------------------------------------------- */

/* Serves all modes, but geometric ones only where the window does not change. */
static struct resample axis_of(const struct resize_table_relative *v, int64_t from, int64_t to)
{
    return (struct resample){.before = (uint64_t)from,
                             .after = (uint64_t)to,
                             .mode = is_same(v)                    ? RESAMPLE_NEAREST
                                     : v->interpolation == BICUBIC ? RESAMPLE_CUBIC
                                                                   : RESAMPLE_LINEAR,
                             .antialias = v->antialias,
                             .cubic_a = v->cubic_a};
}

static struct resample_geometric geometric_of(const struct resize_table_relative *v,
                                              int64_t from, int64_t to)
{
    return (struct resample_geometric){(size_t)from, (size_t)to,
                                       v->interpolation == GEOMETRIC_LINEAR};
}

/* fact: the name of the fact that reports the quotient of the geometric progression. */
static bool make_axis(struct pe_build *build, const struct resize_table_relative *v,
                      const char *fact, int64_t from, int64_t to, struct resample_axis *axis)
{
    const struct resample resample = axis_of(v, from, to);
    const struct resample_geometric geometric = geometric_of(v, from, to);

    if (!is_geometric(v) || is_same(v))
        return resample_make(build, &resample, axis);
    pe_build_fact(build, fact, resample_geometric_growth(&geometric));
    return resample_geometric_make(build, &geometric, axis);
}

static double axis_ns(const struct resize_table_relative *v, int64_t from, int64_t to)
{
    const struct resample resample = axis_of(v, from, to);
    const struct resample_geometric geometric = geometric_of(v, from, to);

    return is_geometric(v) && !is_same(v)
               ? resample_geometric_ns(&geometric)
               : 200 * (double)resample_stride(&resample) * (double)to;
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct resize_table_relative *v = values;
    const struct pe_grid from = offsets_of(&v->old_window), to = offsets_of(&v->new_window);

    return axis_ns(v, from.height, to.height) + axis_ns(v, from.width, to.width);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct resize_table_relative *v = values;
    struct resample_plane *plane = pe_build_alloc(build, sizeof *plane);

    if (!plane)
        return;
    plane->table = &v->table;
    plane->from = offsets_of(&v->old_window);
    plane->to = offsets_of(&v->new_window);
    if (!make_axis(build, v, "growth_height", plane->from.height, plane->to.height,
                   &plane->rows) ||
        !make_axis(build, v, "growth_width", plane->from.width, plane->to.width, &plane->cols))
        return;
    /* Each of the terms may lose 2^-53 of its size. */
    plane->cancelled =
        fmax(0x1p-10, 0x1p-19 * (double)plane->rows.stride * (double)plane->cols.stride);
    pe_build_fill(build, TABLE, &resample_plane_filler, plane);
    pe_build_fact(build, "num_relative_distance",
                  (double)(plane->to.height * plane->to.width + v->num_extra_tokens));
}

const struct pe_encoding pe_encoding_resize_table_relative = {
    .name = "resize-table-relative",
    .title = "Resized table of window biases",
    .formula =
        "out[dy, dx] = sum over i, j of w(dy, i) w(dx, j) table[i, j], 2 height - 1 by 2 "
        "width - 1 offsets",
    .when_to_use =
        "A Swin or BEiT checkpoint for one window is used with another: its learned biases "
        "are resampled by the rule of the library that loads it.",
    .what_goes_wrong =
        "unilm resamples BEiT at offsets in geometric progression and transformers linearly: "
        "the shapes are equal and the biases are not. The last three rows of BEiT belong to "
        "the class token and must not be resized.",
    .picture =
        "table=-4.5;-4;-3.5;-3;-3.5;-4;-4.5;-3.5;-3;-2.5;-2;-2.5;-3;-3.5;-2.5;-2;-1.5;-1;"
        "-1.5;-2;-2.5;-1.5;-1;-0.5;0;-0.5;-1;-1.5;-2.5;-2;-1.5;-1;-1.5;-2;-2.5;-3.5;-3;-2.5;"
        "-2;-2.5;-3;-3.5;-4.5;-4;-3.5;-3;-3.5;-4;-4.5&new_window=7x7",
    .summary = "a learned table of the offsets in a window, for another window",
    .source = "Liu et al. 2021, Swin Transformer, utils.py; Bao et al. 2022, BEiT, "
              "run_class_finetuning.py; timm layers/pos_embed_rel.py",
    .examples =
        PE_WORDS("table=0;1;2;1;2;3;2;3;4&new_window=3x3",
                 "table=0;1;2;1;2;3;2;3;4;7;8;9&new_window=3x2&preset=hf-beit",
                 "table=0;1;2&old_window=1x2&new_window=1x3&antialias=1",
                 "table=0;1;2;3;4;1;2;3;4;5;2;3;4;5;6;3;4;5;6;7;4;5;6;7;8&new_window=4x4"
                 "&interpolation=geometric"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct resize_table_relative, params, outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
