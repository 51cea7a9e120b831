/* SPDX-License-Identifier: Apache-2.0
 * resize_table_1d.c - a learned table of positions at another length.
 *
 *     out[d] = sum_j w(d, j) table[j]     (resample.h has the weights of each interpolation)
 *
 * torch.nn.functional.interpolate over the positions; Keys 1981 for the cubic kernel. */
#include "core/encodings/absolute/resize_table.h"

enum { ROWS };

struct resize_table_1d {
    struct resize_table resize;
    int64_t new_len;
};

static const struct pe_param params[] = {
    RESIZE_TABLE_ROWS(struct resize_table_1d, resize),
    {PE_FIELD(struct resize_table_1d, new_len), .type = PE_INT, .required = true, .min = 1,
     .max = RESAMPLE_MAX, PE_OWN("posenc", SHAPE, BASIC),
     .summary = "number of rows of the result, prefix tokens not counted"},
};

static const struct pe_output outputs[] = {
    [ROWS] =
        {PE_OUTPUT("rows", PE_F32, "row", "dim"), .label = "Resized table",
         .summary = "the resized table, prefix tokens first", .by_default = true,
         .bound =
             "0.501 ULP of the table's numbers; f64 2^-47 of the largest term, from its sum"},
};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct resize_table_1d *v = values;

    resize_table_resolve(&v->resize);
}

/* Describes both lengths as grids of one row. */
static void grids(const struct resize_table_1d *v, struct pe_grid *from, struct pe_grid *to)
{
    *from = (struct pe_grid){1, (int64_t)v->resize.table.dims[0] - v->resize.prefix_tokens};
    *to = (struct pe_grid){1, v->new_len};
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct resize_table_1d *v = values;
    struct pe_grid from, to;
    uint64_t rows;

    resize_table_check(&v->resize, &rows, errors);
    if (errors->count == 0 && rows > RESAMPLE_MAX)
        pe_fail(errors, PE_OUT_OF_RANGE, "table",
                "must have at most %d rows to be resized; got %llu", RESAMPLE_MAX,
                (unsigned long long)rows);
    if (errors->count > 0)
        return;
    grids(v, &from, &to);
    resize_table_check_tile(&v->resize, "new_len", &from, &to, errors);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct resize_table_1d *v = values;
    struct pe_grid from, to;

    grids(v, &from, &to);
    return resize_table_plan_ns(&v->resize, &from, &to);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct resize_table_1d *v = values;
    struct pe_grid from, to;

    grids(v, &from, &to);
    resize_table_prepare(build, &v->resize, &from, &to);
}

const struct pe_encoding pe_encoding_resize_table_1d = {
    .name = "resize-table-1d",
    .title = "Learned table of positions, resized",
    .formula =
        "rows[d] = sum over j of w(d, j) table[j], w as interpolation says\n"
        "source of row d: (d + 1/2) old / new - 1/2, corners aligned d (old-1) / (new-1)",
    .when_to_use =
        "A trained table of learned positions at another length: texts, audio frames, or one "
        "axis of a relative table (SAM, ViTDet). Tables of an image's patches are "
        "resize-table-2d.",
    .what_goes_wrong =
        "torch's bicubic has a = -0.75 without antialias and -0.5 with it, as Pillow, "
        "TensorFlow and JAX have: ports that mix them differ in every row. Prefix tokens that "
        "are not split off are mixed into the first positions.",
    .picture = "table=0,3,8;1,2,6;4,1,4;9,0,2;6,1,0;3,4,1;0,8,3;1,5,7&new_len=48",
    .summary = "a learned table of positions at another length",
    .source = "torch.nn.functional.interpolate; Keys 1981, cubic convolution",
    .examples = PE_WORDS("table=0;10;20;40&new_len=6",
                         "table=0;10;20;30&new_len=6&interpolation=linear",
                         "table=0;10;20;40&new_len=2&antialias=0",
                         "table=9;0;10;20;40&prefix_tokens=1&new_len=6&interpolation=lanczos"),
    .family = PE_ABSOLUTE,
    .kind = PE_INPUT,
    PE_TABLES(struct resize_table_1d, params, outputs),
    .resolve = resolve,
    .check = check,
    .lengths = PE_WORDS("row=new_len+prefix_tokens", "dim=table.1"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
