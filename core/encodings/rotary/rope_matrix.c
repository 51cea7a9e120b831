/* SPDX-License-Identifier: Apache-2.0
 * rope_matrix.c - the rotation of RoPE as a matrix: [[cos, -sin], [sin, cos]] in the rows and
 * columns of each pair, 1 on the diagonal elsewhere (RoFormer, equation 15). */
#include "core/encodings/rotary/rope_matrix.h"

struct matrix {
    struct rotation rotation;
    size_t dim, pairs;
    bool adjacent;
};

/* Returns the other coordinate of the pair of i, SIZE_MAX if none; *first: i is the first. */
static size_t partner(const struct matrix *m, size_t i, size_t *pair, bool *first)
{
    if (i >= 2 * m->pairs)
        return SIZE_MAX;
    *pair = m->adjacent ? i / 2 : i % m->pairs;
    *first = m->adjacent ? i % 2 == 0 : i < m->pairs;
    if (m->adjacent)
        return *first ? i + 1 : i - 1;
    return *first ? i + m->pairs : i - m->pairs;
}

static void fill_matrix(const void *state, const struct pe_rect *rect, double *const out[],
                        const void *const input[], void *scratch)
{
    const struct matrix *m = state;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        double *line = out[0] + row * rect->cols;
        size_t i = (size_t)((rect->row + row) % m->dim), pair = 0, other;
        bool first = false;
        double cosine = 1, sine = 0;

        other = partner(m, i, &pair, &first);
        if (other != SIZE_MAX) {
            struct pe_rect one = {(rect->row + row) / m->dim, 1, pair, 1};
            double *const waves[] = {&cosine, &sine};

            rotation_filler.reference(&m->rotation, &one, waves, input, scratch);
        }
        for (uint64_t col = 0; col < rect->cols; col++) {
            size_t j = (size_t)(rect->col + col);

            line[col] = j == i ? cosine : j == other ? (first ? -sine : sine) : 0;
        }
    }
}

static size_t matrix_scratch(const void *state, uint64_t elements)
{
    const struct matrix *m = state;

    return rotation_filler.scratch ? rotation_filler.scratch(&m->rotation, elements) : 0;
}

static const struct pe_filler matrix_filler = {
    .reference = fill_matrix, .scratch = matrix_scratch, .ns_per_element = 2};

void rope_matrix_prepare(struct pe_build *build, size_t group, const struct rotation *half,
                         size_t dim, bool adjacent)
{
    const struct matrix m = {*half, dim, half->cols, adjacent};

    pe_build_fill_copy(build, group, &matrix_filler, &m, sizeof m);
}
