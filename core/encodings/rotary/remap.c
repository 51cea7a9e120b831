/* SPDX-License-Identifier: Apache-2.0
 * remap.c - matrices and lists filled by a rule, element by element. */
#include "core/encodings/rotary/remap.h"

#include <math.h>

#include "core/math/logn.h"
#include "core/math/toeplitz.h"

enum pe_status remap_resolve(struct pe_args *args, size_t at, bool needs_q, bool needs_k,
                             struct pe_errors *errors)
{
    const struct remap_pairs *pairs = (const void *)((const char *)pe_args_struct(args) + at);
    size_t q = at + offsetof(struct remap_pairs, q), k = at + offsetof(struct remap_pairs, k);
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

void remap_range(const struct remap_pairs *pairs, double *low, double *high)
{
    double first_q, last_q, first_k, last_k;

    pe_positions_range(pairs->q, &first_q, &last_q);
    pe_positions_range(pairs->k, &first_k, &last_k);
    *low = first_q - last_k;
    *high = last_q - first_k;
}

/* ---- matrices ---------------------------------------------------------------------------- */

struct matrix {
    remap_distance *distance;
    const void *rule;
    struct toeplitz toeplitz;
};

static void fill_row(const void *context, size_t head, double query, const double *keys,
                     size_t count, double *out)
{
    const struct matrix *matrix = context;

    (void)head;
    for (size_t i = 0; i < count; i++)
        out[i] = matrix->distance(matrix->rule, query, keys[i]);
}

bool remap_fill_matrix(struct pe_build *build, size_t group, remap_distance *distance,
                       const void *rule, const struct remap_pairs *pairs)
{
    struct matrix *matrix = pe_build_alloc(build, sizeof *matrix);

    if (!matrix)
        return false;
    *matrix = (struct matrix){
        distance,
        rule,
        {.context = matrix, .row = fill_row, .heads = 1, .q = pairs->q, .k = pairs->k}};
    pe_build_fill(build, group, &toeplitz_filler, &matrix->toeplitz);
    return true;
}

/* ---- lists ------------------------------------------------------------------------------- */

struct list {
    remap_position *position;
    const void *rule;
    const struct pe_positions *positions;
};

static void fill_list(const void *state, const struct pe_rect *rect, double *const out[],
                      const void *const input[], void *scratch)
{
    const struct list *list = state;

    (void)input;
    (void)scratch;
    for (uint64_t i = 0; out[0] && i < rect->rows * rect->cols; i++) /* one row, or none */
        out[0][i] = list->position(list->rule, pe_positions_at(list->positions, rect->col + i));
}

static const struct pe_filler list_filler = {.reference = fill_list, .ns_per_element = 10};

bool remap_fill_list(struct pe_build *build, size_t group, remap_position *position,
                     const void *rule, const struct pe_positions *positions)
{
    struct list *list = pe_build_alloc(build, sizeof *list);

    if (!list)
        return false;
    *list = (struct list){position, rule, positions};
    pe_build_fill(build, group, &list_filler, list);
    return true;
}

/* ---- the factor that released patches multiply queries by -------------------------------- */

bool remap_fill_logn(struct pe_build *build, size_t group, double training_length,
                     const struct pe_positions *list)
{
    struct logn *logn = pe_build_alloc(build, sizeof *logn);

    if (!logn)
        return false;
    *logn = (struct logn){list, logn_multiplier(training_length), true};
    pe_build_fill(build, group, &logn_filler, logn);
    return true;
}

enum pe_status remap_check_logn(double training_length, const struct pe_positions *list,
                                struct pe_errors *errors)
{
    double low, high;

    pe_positions_range(list, &low, &high);
    if (isnan(training_length))
        return pe_fail(errors, PE_MISSING_PARAMETER, "training_length",
                       "is required for out=logn_factor");
    if (low < 0)
        return pe_fail(
            errors, PE_OUT_OF_RANGE, "q",
            "must be 0 or more for out=logn_factor, the logarithm of q + 1; got %.0f", low);
    return PE_OK;
}
