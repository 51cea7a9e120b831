/* SPDX-License-Identifier: Apache-2.0
 * lookup.c - row by row of the matrix, a run of keys at a time. */
#include "core/math/relative/lookup.h"

#include <math.h>
#include <string.h>

#include "core/math/linear/dot.h"
#include "core/math/tensor_row.h"

enum { RUN = 256 };

static size_t within(uint64_t count, size_t most)
{
    return count < most ? (size_t)count : most;
}

/* Returns a copy that the plan owns, or NULL when out of memory. */
static void *keep(struct pe_build *build, const void *data, size_t bytes)
{
    void *kept = pe_build_alloc(build, bytes);

    if (kept)
        memcpy(kept, data, bytes);
    return kept;
}

/* ---- numbers ----------------------------------------------------------------------------- */

static void fill_index(const void *state, const struct pe_rect *rect, double *const out[],
                       const void *const input[], void *scratch)
{
    const struct lookup *lookup = state;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++)
        lookup->row(lookup->rule, rect->row + row, rect->col, (size_t)rect->cols,
                    out[0] + row * rect->cols);
}

static double index_cost(const void *state, enum pe_dtype dtype)
{
    return 1 + ((const struct lookup *)state)->ns;
}

static const struct pe_filler index_filler = {.reference = fill_index, .cost = index_cost};

void lookup_fill_index(struct pe_build *build, size_t group, const struct lookup *lookup)
{
    struct lookup *kept =
        pe_build_wants(build, group) ? keep(build, lookup, sizeof *lookup) : NULL;

    if (kept)
        pe_build_fill(build, group, &index_filler, kept);
}

/* ---- products ---------------------------------------------------------------------------- */

static uint64_t dim_of(const struct lookup_product *product)
{
    return product->vectors.tensor->dims[2];
}

/* Adds to sums[t] the product for key + t; work has 2 dim doubles. */
static void add_products(const struct lookup_product *p, uint64_t head, uint64_t query,
                         uint64_t key, size_t count, const void *const input[], double *work,
                         struct dd *sums)
{
    const struct pe_tensor *vectors = p->vectors.tensor, *table = p->table.tensor;
    uint64_t dim = dim_of(p), base = head * vectors->dims[1];
    uint64_t first = table->rank == 3 ? head * table->dims[1] : 0;
    double *vector = work, *row = work + dim, rows[RUN];

    p->lookup.row(p->lookup.rule, query, key, count, rows);
    if (!p->of_key)
        tensor_row(vectors, input[p->vectors.input], base + query, 0, dim, vector);
    for (size_t t = 0; t < count; t++) {
        if (p->of_key)
            tensor_row(vectors, input[p->vectors.input], base + key + t, 0, dim, vector);
        if (t == 0 || rows[t] != rows[t - 1])
            tensor_row(table, input[p->table.input], first + (uint64_t)rows[t], 0, dim, row);
        sums[t] = dot_add(sums[t], vector, row, (size_t)dim);
    }
}

static void fill_scores(const void *state, const struct pe_rect *rect, double *const out[],
                        const void *const input[], void *scratch)
{
    const struct lookup_scores *s = state;
    struct dd sums[RUN];
    size_t run;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        uint64_t head = (rect->row + row) / s->queries, query = (rect->row + row) % s->queries;
        double *to = out[0] + row * rect->cols;

        for (uint64_t col = 0; col < rect->cols; col += run) {
            run = within(rect->cols - col, RUN);
            for (size_t t = 0; t < run; t++)
                sums[t] = (struct dd){0, 0};
            for (size_t i = 0; i < s->count; i++)
                add_products(&s->products[i], head, query, rect->col + col, run, input, scratch,
                             sums);
            for (size_t t = 0; t < run; t++) {
                struct dd scaled = elementary_multiply(sums[t], s->scale);

                scaled.hi += scaled.lo;
                to[col + t] = isfinite(scaled.hi) ? scaled.hi : sums[t].hi * s->scale.hi;
            }
        }
    }
}

static size_t scores_scratch(const void *state, uint64_t elements)
{
    const struct lookup_scores *s = state;

    return 2 * (size_t)dim_of(&s->products[0]) * sizeof(double);
}

static double scores_cost(const void *state, enum pe_dtype dtype)
{
    const struct lookup_scores *s = state;
    double ns = 20 + 8 * (double)s->count * (double)dim_of(&s->products[0]);

    for (size_t i = 0; i < s->count; i++)
        ns += s->products[i].lookup.ns;
    return ns;
}

static const struct pe_filler scores_filler = {
    .reference = fill_scores, .scratch = scores_scratch, .cost = scores_cost};

void lookup_fill_scores(struct pe_build *build, size_t group,
                        const struct lookup_scores *scores)
{
    struct lookup_scores *kept =
        pe_build_wants(build, group) ? keep(build, scores, sizeof *scores) : NULL;

    if (kept)
        pe_build_fill(build, group, &scores_filler, kept);
}

struct dd lookup_scale(bool scaled, uint64_t dim)
{
    const struct dd one = {1, 0};

    return scaled ? elementary_divide(one, elementary_sqrt((struct dd){(double)dim, 0})) : one;
}

/* ---- shapes ------------------------------------------------------------------------------ */

void lookup_one_head(struct pe_tensor *vectors)
{
    tensor_row_widen(vectors, 3);
}

enum pe_status lookup_check_vectors(const struct pe_tensor *vectors, const char *name,
                                    const char *what, uint64_t count, struct pe_errors *errors)
{
    enum pe_status status = tensor_row_check(vectors, name, "heads,positions,dim", errors);

    if (status || vectors->dims[1] == count)
        return status;
    return pe_fail(errors, PE_CONFLICT, name, "must hold %llu %s along axis 1; got %llu",
                   (unsigned long long)count, what, (unsigned long long)vectors->dims[1]);
}

void lookup_check_alike(const struct pe_tensor *vectors, const char *name,
                        const struct pe_tensor *like, struct pe_errors *errors)
{
    if (vectors->dims[0] == like->dims[0] && vectors->dims[2] == like->dims[2])
        return;
    pe_fail(errors, PE_CONFLICT, name,
            "must have %llu heads of %llu elements, as the queries; got %llu of %llu",
            (unsigned long long)like->dims[0], (unsigned long long)like->dims[2],
            (unsigned long long)vectors->dims[0], (unsigned long long)vectors->dims[2]);
}

enum pe_status lookup_check_rows(const struct pe_tensor *table, const char *name, uint64_t rows,
                                 const struct pe_tensor *vectors, struct pe_errors *errors)
{
    bool per_head = table->rank == 3;
    enum pe_status status =
        tensor_row_check(table, name, per_head ? "heads,rows,dim" : "rows,dim", errors);
    const uint64_t *shape = table->dims + per_head;

    if (status)
        return status;
    if (shape[0] != rows || shape[1] != vectors->dims[2])
        return pe_fail(errors, PE_CONFLICT, name,
                       "must have %llu rows of %llu elements, as wide as the vectors; got "
                       "%llu of %llu",
                       (unsigned long long)rows, (unsigned long long)vectors->dims[2],
                       (unsigned long long)shape[0], (unsigned long long)shape[1]);
    if (per_head && table->dims[0] != vectors->dims[0])
        return pe_fail(errors, PE_CONFLICT, name, "must have %llu heads, or two axes; got %llu",
                       (unsigned long long)vectors->dims[0],
                       (unsigned long long)table->dims[0]);
    return PE_OK;
}

enum pe_status lookup_check_bias(const struct pe_tensor *table, const char *name, uint64_t rows,
                                 bool heads_first, struct pe_errors *errors)
{
    enum pe_status status =
        tensor_row_check(table, name, heads_first ? "heads,rows" : "rows,heads", errors);
    uint64_t got = table->dims[heads_first ? 1 : 0];

    if (status || got == rows)
        return status;
    return pe_fail(errors, PE_CONFLICT, name, "must have %llu %s; got %llu",
                   (unsigned long long)rows, heads_first ? "columns, one an index" : "rows",
                   (unsigned long long)got);
}
