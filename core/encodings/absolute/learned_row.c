/* SPDX-License-Identifier: Apache-2.0
 * learned_row.c - one row of learned: read, mixed beyond the table, brought to length 1, and
 * multiplied. */
#include <math.h>

#include "core/encodings/absolute/learned.h"
#include "core/math/hierarchy.h"

enum { CHUNK = 128 };

uint64_t learned_row_count(const struct learned *learned)
{
    uint64_t rows = learned->table.dims[0];

    return learned->out_of_range == LEARNED_HIERARCHICAL ? hierarchy_rows(rows) : rows;
}

struct state {
    const struct learned *learned;
    struct dd gain, scale;
    int64_t *numbers; /* of the mask's tokens; NULL: of positions */
};

/* Elements of row k as they are in the table, or beyond it. */
static void read_row(const struct state *s, const void *data, int64_t k, uint64_t col,
                     uint64_t cols, double *out)
{
    const struct learned *v = s->learned;
    int64_t rows = (int64_t)v->table.dims[0];
    bool inside = k >= 0 && k < rows;

    if (v->out_of_range == LEARNED_CLAMP)
        k = k < 0 ? 0 : k < rows ? k : rows - 1;
    else if (v->out_of_range == LEARNED_WRAP)
        k = (k % rows + rows) % rows;
    if ((v->zero_padding_row && k == v->padding_idx) ||
        (v->out_of_range == LEARNED_ZERO && !inside)) {
        for (uint64_t i = 0; i < cols; i++)
            out[i] = 0;
        return;
    }
    if (inside || v->out_of_range != LEARNED_HIERARCHICAL)
        tensor_row(&v->table, data, (uint64_t)k, col, cols, out);
    else
        hierarchy_row(s->gain, &v->table, data, (uint64_t)k, col, cols, out);
}

/* The factor of the row: scale, or scale / |row|. The norm is computed of the row times 2^-e,
 * with e from its largest element, so that no square leaves the range of double. */
static struct dd factor_of(const struct state *s, const void *data, int64_t k)
{
    uint64_t dim = s->learned->table.dims[1];
    struct dd squares = {0, 0}, length;
    double row[CHUNK], most = 0;

    if (!s->learned->l2norm)
        return s->scale;
    for (int pass = 0, e = 0; pass < 2; pass++) {
        for (uint64_t col = 0; col < dim; col += CHUNK) {
            uint64_t some = dim - col < CHUNK ? dim - col : CHUNK;

            read_row(s, data, k, col, some, row);
            for (uint64_t i = 0; i < some; i++) {
                double x = scalbn(row[i], -e);

                if (pass == 0)
                    most = fmax(most, fabs(x));
                else
                    squares = elementary_add(squares, elementary_product(x, x));
            }
        }
        if (most == 0)
            return s->scale;
        if (pass == 0) {
            e = ilogb(most);
            continue;
        }
        length = elementary_sqrt(squares);
        length = (struct dd){scalbn(length.hi, e), scalbn(length.lo, e)};
    }
    return elementary_divide(s->scale, length.hi < 1e-12 ? (struct dd){1e-12, 0} : length);
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct state *s = state;
    const struct learned *v = s->learned;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        uint64_t at = rect->row + row;
        int64_t k =
            s->numbers ? s->numbers[at] : (int64_t)pe_positions_at(v->pos, at) + v->offset;
        double *to = out[0] + row * rect->cols;
        struct dd factor;

        read_row(s, input[0], k, rect->col, rect->cols, to);
        factor = factor_of(s, input[0], k);
        for (uint64_t i = 0; i < rect->cols; i++) {
            struct dd product = {to[i] * factor.hi, 0};

            if (factor.lo != 0 && fabs(to[i]) < 0x1p900)
                product = elementary_multiply((struct dd){to[i], 0}, factor);
            to[i] = product.hi + product.lo;
        }
    }
}

static double cost(const void *state, enum pe_dtype dtype)
{
    const struct state *s = state;

    return s->learned->l2norm ? 60 : s->learned->out_of_range == LEARNED_HIERARCHICAL ? 20 : 2;
}

static const struct pe_filler filler = {.reference = fill, .cost = cost, .ns_per_element = 2};

/* Real tokens are counted along each row; padding tokens read the row before the first real
 * token's. */
static bool count_tokens(struct pe_build *build, struct state *s)
{
    const struct pe_reals *mask = &s->learned->attention_mask;

    s->numbers = pe_build_alloc(build, mask->rows * mask->cols * sizeof *s->numbers);
    for (size_t row = 0; s->numbers && row < mask->rows; row++) {
        int64_t next = s->learned->offset;

        for (size_t i = row * mask->cols; i < (row + 1) * mask->cols; i++)
            s->numbers[i] = mask->values[i] != 0 ? next++ : s->learned->offset - 1;
    }
    return s->numbers != NULL;
}

void learned_row_prepare(struct pe_build *build, const void *values)
{
    const struct learned *v = values;
    struct state *s = pe_build_alloc(build, sizeof *s);
    struct dd one = {1, 0};

    if (!s)
        return;
    s->learned = v;
    s->scale = (struct dd){v->scale, 0};
    if (v->scale == LEARNED_RSQRT_DIM)
        s->scale =
            elementary_divide(one, elementary_sqrt((struct dd){(double)v->table.dims[1], 0}));
    if (v->out_of_range == LEARNED_HIERARCHICAL)
        s->gain = hierarchy_gain(v->alpha);
    if (!v->pos && !count_tokens(build, s))
        return;
    pe_build_fact(build, "max_position", (double)learned_row_count(v) - 1 - (double)v->offset);
    pe_build_fill(build, LEARNED_ROWS, &filler, s);
}
