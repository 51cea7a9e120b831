/* SPDX-License-Identifier: Apache-2.0
 * pairs.c - positions of queries and keys, and matrices filled by a rule. */
#include "core/encodings/bias/pairs.h"

#include "core/math/toeplitz.h"

enum pe_status pairs_resolve(struct pe_args *args, size_t at, bool needs_q, bool needs_k,
                             struct pe_errors *errors)
{
    const struct pairs *pairs = (const void *)((const char *)pe_args_struct(args) + at);
    size_t q = at + offsetof(struct pairs, q), k = at + offsetof(struct pairs, k);
    enum pe_status status = PE_OK;

    if (pairs->len != PE_ABSENT_INT && (pairs->q || pairs->k))
        return pe_fail(errors, PE_CONFLICT, "len", "means q=0:len and k=0:len; give it alone");
    if (pairs->len != PE_ABSENT_INT) {
        status = pe_args_put_slice(args, q, 0, pairs->len, errors);
        return status ? status : pe_args_put_slice(args, k, 0, pairs->len, errors);
    }
    if (needs_k && !pairs->k)
        pe_fail(errors, PE_MISSING_PARAMETER, "k",
                "is required, or len: positions of the keys");
    if (needs_q && !pairs->q)
        pe_fail(errors, PE_MISSING_PARAMETER, "q",
                "is required, or len: positions of the queries");
    return errors->count ? errors->at[0].status : PE_OK;
}

size_t pairs_shape(const struct pairs *pairs, uint64_t dims[])
{
    dims[0] = pe_positions_count(pairs->q);
    dims[1] = pe_positions_count(pairs->k);
    return 2;
}

void pairs_range(const struct pairs *pairs, double *low, double *high)
{
    double first_q, last_q, first_k, last_k;

    pe_positions_range(pairs->q, &first_q, &last_q);
    pe_positions_range(pairs->k, &first_k, &last_k);
    *low = first_q - last_k;
    *high = last_q - first_k;
}

/* ---- matrices ---------------------------------------------------------------------------- */

struct matrix {
    pairs_value *value;           /* of two positions, or */
    pairs_difference *difference; /* of their difference */
    const void *rule;
    struct toeplitz toeplitz;
};

static void fill_row(const void *context, size_t head, double query, const double *keys,
                     size_t count, double *out)
{
    const struct matrix *matrix = context;

    (void)head;
    for (size_t i = 0; i < count; i++)
        out[i] = matrix->value ? matrix->value(matrix->rule, query, keys[i])
                               : matrix->difference(matrix->rule, query - keys[i]);
}

static void fill_diagonal(const void *context, size_t head, double first, double step,
                          size_t count, double *out)
{
    const struct matrix *matrix = context;

    (void)head;
    for (size_t t = 0; t < count; t++)
        out[t] = matrix->difference(matrix->rule, first + step * (double)t);
}

static bool fill(struct pe_build *build, size_t group, const struct matrix *like,
                 const struct pairs *pairs)
{
    struct matrix *matrix = pe_build_alloc(build, sizeof *matrix);

    if (!matrix)
        return false;
    *matrix = *like;
    matrix->toeplitz = (struct toeplitz){
        matrix, like->difference ? fill_diagonal : NULL, fill_row, 1, pairs->q, pairs->k};
    pe_build_fill(build, group, &toeplitz_filler, &matrix->toeplitz);
    return true;
}

bool pairs_fill_matrix(struct pe_build *build, size_t group, pairs_value *value,
                       const void *rule, const struct pairs *pairs)
{
    return fill(build, group, &(struct matrix){.value = value, .rule = rule}, pairs);
}

bool pairs_fill_difference(struct pe_build *build, size_t group, pairs_difference *value,
                           const void *rule, const struct pairs *pairs)
{
    return fill(build, group, &(struct matrix){.difference = value, .rule = rule}, pairs);
}
