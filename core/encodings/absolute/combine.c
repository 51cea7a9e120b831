/* SPDX-License-Identifier: Apache-2.0
 * combine.c - combines the client's vectors with the rows of their positions.
 *
 *     add s x + p    concat [s x | p]    multiply s x p    mul1 s x (p + 1)    zero p
 *
 * s is 1, or sqrt(dim) as Vaswani et al. 2017 scale embeddings, section 3.4 (fairseq
 * embed_scale, Marian scale_embedding). mul1 and zero are bert4keras's merge modes. */
#include "core/encodings/absolute/combine.h"

#include <math.h>

#include "core/math/number/elementary.h"
#include "core/math/number/two_product.h"
#include "core/math/tensor_row.h"

enum { MODE_ADD, MODE_CONCAT, MODE_MULTIPLY, MODE_MUL1, MODE_ZERO };
enum { SCALE_NONE, SCALE_SQRT_DIM };
enum { CHUNK = 256 };

const struct pe_choice combine_modes[] = {
    PE_ONE_AT(MODE_ADD, "add", "the row is added to the vector (most models)"),
    PE_ONE_AT_WITH(MODE_CONCAT, "concat",
                   "the row is put behind the vector, in columns of its own", "dim=8"),
    [MODE_MULTIPLY] = {"multiply", PE_WORDS("mul"),
                       "the vector times the row, column by column", NULL, NULL},
    PE_ONE_AT(MODE_MUL1, "mul1",
              "vector * (row + 1): a row of zeros changes nothing (bert4keras)"),
    PE_ONE_AT(MODE_ZERO, "zero", "the row in place of the vector (bert4keras)"),
    {NULL, NULL, NULL, NULL, NULL}};

const struct pe_choice combine_scales[] = {
    PE_ONE_AT(SCALE_NONE, "none", "vectors as they are"),
    [SCALE_SQRT_DIM] =
        {"sqrt_dim", PE_WORDS("sqrt-dim"),
         "vectors times the root of their width, as embeddings of the Transformer", NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};

/* ---- shapes ------------------------------------------------------------------------------ */

static uint64_t width_of(const struct combine *c)
{
    return c->x.dims[c->x.rank - 1];
}

/* Counts the rows of the base encoding; *width is their width. */
static uint64_t rows_of(const struct pe_args *args, const void *values, uint64_t *width)
{
    uint64_t dims[PE_MAX_RANK] = {0}, rows = 1;
    size_t rank = pe_output_shape(pe_args_encoding(args)->rows_of, args, values, 0, dims);

    for (size_t i = 0; i + 1 < rank; i++)
        if (__builtin_mul_overflow(rows, dims[i], &rows))
            rows = UINT64_MAX;
    *width = dims[rank - 1];
    return rows;
}

/* Counts the vectors along the axes, from seq_axis on, that together have one vector a row;
 * *end is the first axis after them. */
static uint64_t places_of(const struct combine *c, uint64_t rows, size_t *end)
{
    uint64_t places = 1;

    *end = c->x.rank > 1 ? (size_t)c->seq_axis : 0;
    while (*end + 1 < c->x.rank && (places < rows || *end == (size_t)c->seq_axis)) {
        if (__builtin_mul_overflow(places, c->x.dims[(*end)++], &places))
            return UINT64_MAX;
        if (places == 0)
            break;
    }
    return places;
}

static enum pe_status check_axis(const struct combine *c, uint64_t rows,
                                 struct pe_errors *errors)
{
    uint64_t places;
    size_t end;

    if (c->x.rank > 2 && c->seq_axis == PE_ABSENT_INT)
        return pe_fail(errors, PE_MISSING_PARAMETER, "seq_axis",
                       "is required for x of rank %zu: which axis has the %llu positions",
                       c->x.rank, (unsigned long long)rows);
    if (c->x.rank == 1 && c->seq_axis != PE_ABSENT_INT)
        return pe_fail(errors, PE_CONFLICT, "seq_axis",
                       "has no effect on x, which is one vector; leave it out");
    if (c->x.rank > 1 && (size_t)c->seq_axis + 1 >= c->x.rank)
        return pe_fail(errors, PE_CONFLICT, "seq_axis",
                       "must be below %zu, the last axis of x, which is the vector",
                       c->x.rank - 1);
    places = places_of(c, rows, &end);
    if (places != rows)
        return pe_fail(errors, PE_CONFLICT, "x",
                       "must have %llu vectors along its axis of positions, one a row; got "
                       "%llu",
                       (unsigned long long)rows, (unsigned long long)places);
    return PE_OK;
}

/* Returns the parameter dim, which ends the list; NULL where the width of the rows has another
 * name. */
static const struct pe_param *dim_of(const struct pe_encoding *enc)
{
    const struct pe_param *last = &enc->params[enc->param_count - 1];

    return last->type == PE_INT ? last : NULL;
}

/* Sets an absent dim to the width of x and refuses widths that the base does not take. */
static void take_dim(const struct pe_encoding *enc, struct combine *c, struct pe_errors *errors)
{
    const struct pe_param *last = dim_of(enc), *own = enc->rows_of->params;
    int64_t *dim = (int64_t *)(void *)((char *)c + last->offset);
    bool given = *dim != PE_ABSENT_INT;

    while (own->offset != last->offset)
        own++;
    if (!given && c->combine == MODE_CONCAT) {
        pe_fail(errors, PE_MISSING_PARAMETER, "dim",
                "is required with combine=concat: the width of the rows");
        return;
    }
    if (!given)
        *dim = width_of(c) < INT64_MAX ? (int64_t)width_of(c) : INT64_MAX;
    if ((double)*dim < own->min || *dim > 65536)
        pe_fail(errors, PE_CONFLICT, given ? "dim" : "x",
                given ? "must be %.0f..65536; got %lld"
                      : "must have vectors of %.0f..65536 elements (its last axis); "
                        "got %lld",
                own->min, (long long)*dim);
    else if (own->multiple_of > 1 && *dim % own->multiple_of != 0)
        pe_fail(errors, PE_CONFLICT, given ? "dim" : "x",
                given ? "must be a multiple of %lld; got %lld"
                      : "must have vectors of a multiple of %lld elements (its last "
                        "axis); got %lld",
                (long long)own->multiple_of, (long long)*dim);
}

void combine_resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    const struct pe_encoding *enc = pe_args_encoding(args);
    struct combine *c = values;

    if (c->x.dtype > PE_BF16) {
        pe_fail(errors, PE_CONFLICT, "x", "must hold reals, f32, f64, f16 or bf16; got %s",
                pe_dtype_name(c->x.dtype));
        return;
    }
    if (dim_of(enc))
        take_dim(enc, c, errors);
    if (c->x.rank == 2 && c->seq_axis == PE_ABSENT_INT)
        c->seq_axis = 0;
    if (errors->count == 0 && enc->rows_of->resolve)
        enc->rows_of->resolve(args, values, errors);
}

void combine_check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct pe_encoding *base = pe_args_encoding(args)->rows_of;
    const struct combine *c = values;
    uint64_t rows, width;

    if (base->check)
        base->check(args, values, errors);
    if (errors->count > 0)
        return;
    rows = rows_of(args, values, &width);
    if (c->combine != MODE_CONCAT && width != width_of(c))
        pe_fail(errors, PE_CONFLICT, "x",
                "must have %llu elements along its last axis, as the rows have, or be "
                "combined by concat; got %llu",
                (unsigned long long)width, (unsigned long long)width_of(c));
    else
        check_axis(c, rows, errors);
}

double combine_plan_ns(const struct pe_args *args, const void *values)
{
    const struct pe_encoding *base = pe_args_encoding(args)->rows_of;

    return base->plan_ns ? base->plan_ns(args, values) : 0;
}

size_t combine_shape(const struct pe_args *args, const void *values, size_t output,
                     uint64_t dims[PE_MAX_RANK])
{
    const struct combine *c = values;
    uint64_t width;

    for (size_t i = 0; i < c->x.rank; i++)
        dims[i] = c->x.dims[i];
    rows_of(args, values, &width);
    if (c->combine == MODE_CONCAT)
        dims[c->x.rank - 1] += width;
    return c->x.rank;
}

/* ---- filling ----------------------------------------------------------------------------- */

struct combining {
    const struct combine *c;
    const struct pe_filler *rows; /* filler of the base encoding's rows */
    const void *state;            /* state of the filler `rows` */
    size_t input;                 /* index of x among the inputs */
    uint64_t inner, places;       /* number of vectors at a place, number of places */
    struct dd scale;
};

/* Returns element x of the vector times the scale. */
static struct dd scaled(const struct combining *k, double x)
{
    struct dd product = {x, 0};

    if (k->c->x_scale == SCALE_SQRT_DIM) {
        product = elementary_product(x, k->scale.hi);
        product.lo += x * k->scale.lo;
    }
    return product;
}

/* Combines element x of the vector with element p of the row. */
static double join(const struct combining *k, double x, double p)
{
    struct dd s = scaled(k, x), sum = elementary_sum(p, 1), result;

    switch (k->c->combine) {
    case MODE_ADD:
        result = elementary_add(s, (struct dd){p, 0});
        break;
    case MODE_CONCAT:
        result = s;
        break;
    case MODE_MULTIPLY:
        result = elementary_multiply(s, (struct dd){p, 0});
        break;
    default:
        result = elementary_multiply(s, sum);
    }
    if (isfinite(result.hi + result.lo))
        return result.hi + result.lo;
    return k->c->combine == MODE_ADD        ? x * k->scale.hi + p /* plain IEEE arithmetic */
           : k->c->combine == MODE_MULTIPLY ? x * k->scale.hi * p
           : k->c->combine == MODE_MUL1     ? x * k->scale.hi * sum.hi
                                            : x * k->scale.hi;
}

/* Fills columns of one row; all of them show the vector, or all the row, or all both
 * combined. */
static void fill_chunk(const struct combining *k, uint64_t row, uint64_t col, size_t count,
                       double *out, const void *const input[], void *scratch)
{
    int mode = k->c->combine;
    uint64_t width = width_of(k->c);
    bool first = mode == MODE_CONCAT && col < width, second = mode == MODE_CONCAT && !first;
    struct pe_rect rect = {row / k->inner % k->places, 1, second ? col - width : col, count};
    double p[CHUNK] = {0}, *slots[PE_MAX_OUTPUTS] = {second || mode == MODE_ZERO ? out : p};

    if (!first)
        pe_fill_doubles(k->rows, k->state, &rect, slots, input, scratch);
    if (second || mode == MODE_ZERO)
        return;
    tensor_row(&k->c->x, input[k->input], row, col, count, out);
    for (size_t i = 0; i < count; i++)
        out[i] = join(k, out[i], p[i]);
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct combining *k = state;
    uint64_t width = width_of(k->c);

    for (uint64_t r = 0; r < rect->rows; r++) {
        for (uint64_t done = 0, count; done < rect->cols; done += count) {
            uint64_t col = rect->col + done;

            count = rect->cols - done < CHUNK ? rect->cols - done : CHUNK;
            if (k->c->combine == MODE_CONCAT && col < width && col + count > width)
                count = width - col; /* a chunk ends where x ends */
            fill_chunk(k, rect->row + r, col, (size_t)count, out[0] + r * rect->cols + done,
                       input, scratch);
        }
    }
}

static size_t scratch_of(const void *state, uint64_t elements)
{
    const struct combining *k = state;

    return k->rows->scratch ? k->rows->scratch(k->state, elements) : 0;
}

/* Adds the cost of combining two elements to the cost of an element of the row. */
static double cost_of(const void *state, enum pe_dtype dtype)
{
    const struct combining *k = state;

    return 10 + (k->rows->cost ? k->rows->cost(k->state, dtype) : k->rows->ns_per_element);
}

static struct dd root_of(uint64_t width)
{
    double root = sqrt((double)width);

    return (struct dd){root, two_product_error(root, root, (double)width) / (-2 * root)};
}

void combine_prepare(struct pe_build *build, const void *values)
{
    static const struct pe_filler filler = {.reference = fill,
                                            .scratch = scratch_of,
                                            .cost = cost_of,
                                            .ns_per_element = 15};
    const struct pe_encoding *enc = pe_args_encoding(pe_build_args(build));
    const struct combine *c = values;
    struct combining *k = pe_build_alloc(build, sizeof *k);
    uint64_t width;
    size_t end;

    if (!k)
        return;
    pe_build_prepare(build, enc->rows_of);
    *k = (struct combining){.c = c, .inner = 1, .places = 1, .scale = {1, 0}};
    pe_build_filled(build, 0, &k->rows, &k->state);
    for (size_t i = 0; enc->params[i].offset != offsetof(struct combine, x); i++)
        k->input += enc->params[i].type == PE_TENSOR;
    k->places = places_of(c, rows_of(pe_build_args(build), values, &width), &end);
    for (; end + 1 < c->x.rank; end++)
        k->inner *= c->x.dims[end];
    if (c->x_scale == SCALE_SQRT_DIM)
        k->scale = root_of(width_of(c));
    pe_build_fill(build, 0, &filler, k);
}
