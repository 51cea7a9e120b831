/* SPDX-License-Identifier: Apache-2.0
 * cope_positions.c - counts gates from a query back to its keys, and reads products there. */
#include <math.h>

#include "core/encodings/bias/cope.h"
#include "core/math/linear/dot.h"
#include "core/math/linear/mlp.h"
#include "core/math/tensor_row.h"

struct state {
    const struct cope *cope;
    double mask;
    bool bias;
};

uint64_t cope_rows(const struct cope *c)
{
    if (c->products.rank > 0)
        return c->products.dims[2];
    return c->table.rank > 0 ? c->table.dims[0] : 0;
}

static struct dd logit_at(const struct cope *c, const void *data, uint64_t head, uint64_t query,
                          uint64_t key)
{
    uint64_t heads = c->logits.dims[0], queries = c->logits.dims[1], keys = c->logits.dims[2];
    struct dd sum = {0, 0};

    if (c->talking_heads.rows == 0) {
        sum.hi = tensor_row_at(&c->logits, data, (head * queries + query) * keys + key);
        return sum;
    }
    for (uint64_t g = 0; g < heads; g++) {
        double logit = tensor_row_at(&c->logits, data, (g * queries + query) * keys + key);

        sum = dot_add(sum, &c->talking_heads.values[head * heads + g], &logit, 1);
    }
    return sum;
}

/* z of all positions: high parts, then low ones. room: 2 dim doubles. */
static void read_products(const struct cope *c, const void *const input[], uint64_t row,
                          double *z, double *room)
{
    uint64_t rows = cope_rows(c), dim = c->table.rank > 0 ? c->table.dims[1] : 0;

    if (c->products.rank > 0) {
        tensor_row(&c->products, input[COPE_PRODUCTS], row, 0, rows, z);
        for (uint64_t n = 0; n < rows; n++)
            z[rows + n] = 0;
        return;
    }
    tensor_row(&c->queries, input[COPE_QUERIES], row, 0, dim, room);
    for (uint64_t n = 0; n < rows; n++) {
        struct dd sum = {0, 0};

        tensor_row(&c->table, input[COPE_TABLE], n, 0, dim, room + dim);
        sum = dot_add(sum, room, room + dim, dim);
        z[n] = sum.hi;
        z[rows + n] = sum.lo;
    }
}

static struct dd minus(struct dd x)
{
    return (struct dd){-x.hi, -x.lo};
}

/* Between the rows beside a position of 0 .. rows - 1. */
static double linear(const double *z, uint64_t rows, struct dd position)
{
    double whole = floor(position.hi);
    struct dd part, low, high;
    uint64_t n;

    if (whole == position.hi && position.lo < 0)
        whole -= 1;
    part = elementary_add(position, (struct dd){-whole, 0});
    n = (uint64_t)whole;
    low = (struct dd){z[n], z[rows + n]};
    if (n + 1 >= rows)
        return low.hi;
    high = elementary_add((struct dd){z[n + 1], z[rows + n + 1]}, minus(low));
    return elementary_add(low, elementary_multiply(part, high)).hi;
}

/* All rows, each exp(-(|position - n| - the nearest's) / temperature). */
static double soft(const double *z, uint64_t rows, struct dd position, double temperature)
{
    const struct dd by = {temperature, 0};
    double near =
        floor(position.hi + .5) < (double)rows ? floor(position.hi + .5) : (double)(rows - 1);
    struct dd nearest = elementary_add(position, (struct dd){-near, 0});
    struct dd sum = {0, 0}, weights = {0, 0};

    nearest = nearest.hi < 0 ? minus(nearest) : nearest;
    for (uint64_t n = 0; n < rows; n++) {
        struct dd away = elementary_add(position, (struct dd){-(double)n, 0}), weight;

        away = elementary_add(away.hi < 0 ? minus(away) : away, minus(nearest));
        away = minus(elementary_divide(away, by));
        if (away.hi < -700)
            continue;
        weight = elementary_exp_dd(away);
        weights = elementary_add(weights, weight);
        sum = elementary_add(sum, elementary_multiply(weight, (struct dd){z[n], z[rows + n]}));
    }
    return elementary_divide(sum, weights).hi;
}

static double value_at(const struct state *s, const double *z, struct dd position)
{
    const struct cope *c = s->cope;
    uint64_t rows = s->bias ? cope_rows(c) : (uint64_t)c->npos_max;

    if (rows > 0 && position.hi >= (double)(rows - 1))
        position = (struct dd){(double)(rows - 1), 0};
    if (!s->bias || isnan(position.hi))
        return position.hi;
    return c->interpolation == COPE_SOFTMAX ? soft(z, rows, position, c->temperature)
                                            : linear(z, rows, position);
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct state *s = state;
    const struct cope *c = s->cope;
    uint64_t queries = c->logits.dims[1], behind = c->logits.dims[2] - queries;
    uint64_t end = rect->col + rect->cols;
    double *z = scratch;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        uint64_t head = (rect->row + row) / queries, query = (rect->row + row) % queries;
        double *to = out[0] + row * rect->cols;
        struct dd position = {0, 0};

        if (s->bias)
            read_products(c, input, rect->row + row, z, z + 2 * cope_rows(c));
        for (uint64_t j = end; j-- > rect->col && j > behind + query;)
            to[j - rect->col] = s->mask;
        for (uint64_t j = behind + query + 1; j-- > rect->col;) {
            position = elementary_add(
                position, mlp_share(logit_at(c, input[COPE_LOGITS], head, query, j)));
            if (j < end)
                to[j - rect->col] = value_at(s, z, position);
        }
    }
}

static size_t scratch_bytes(const void *state, uint64_t elements)
{
    const struct cope *c = ((const struct state *)state)->cope;
    size_t dim = c->table.rank > 0 ? c->table.dims[1] : 0;

    return 2 * (cope_rows(c) + dim) * sizeof(double);
}

static double cost(const void *state, enum pe_dtype dtype)
{
    const struct state *s = state;
    const struct cope *c = s->cope;
    double rows = (double)cope_rows(c), keys = (double)c->logits.dims[2];
    double dim = c->table.rank > 0 ? (double)c->table.dims[1] : 1;
    double mixed = c->talking_heads.rows > 0 ? 20 * (double)c->logits.dims[0] : 0;

    if (!s->bias)
        return 200 + mixed;
    return 250 + mixed + 5 * rows * dim / keys +
           (c->interpolation == COPE_SOFTMAX ? 30 * rows : 0);
}

static const struct pe_filler filler = {
    .reference = fill, .scratch = scratch_bytes, .cost = cost};

void cope_prepare(struct pe_build *build, const void *values)
{
    const struct cope *c = values;
    struct state *states = pe_build_alloc(build, 2 * sizeof *states);

    if (!states)
        return;
    for (size_t output = COPE_BIAS; output <= COPE_POSITIONS; output++) {
        states[output] = (struct state){
            c, causal_mask(pe_build_args(build), c->mask_value, output), output == COPE_BIAS};
        if (pe_wants(pe_build_args(build), output))
            pe_build_fill(build, output, &filler, &states[output]);
    }
}
