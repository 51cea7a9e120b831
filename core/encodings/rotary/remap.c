/* SPDX-License-Identifier: Apache-2.0
 * remap.c - fills lists by a rule, element by element, and has the hooks of encodings with a
 * distance, two lists and a factor. */
#include "core/encodings/rotary/remap.h"

#include <math.h>

#include "core/math/relative/logn.h"

/* ---- lists ------------------------------------------------------------------------------- */

struct list {
    remap_position *position;
    const void *rule;
    const struct pe_positions *positions;
};

static double list_at(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct list *list = state;

    return list->position(list->rule, pe_positions_at(list->positions, col));
}

static const struct pe_filler list_filler = {.element = list_at, .ns_per_element = 10};

void remap_fill_list(struct pe_build *build, size_t group, remap_position *position,
                     const void *rule, const struct pe_positions *positions)
{
    const struct list list = {position, rule, positions};

    pe_build_fill_copy(build, group, &list_filler, &list, sizeof list);
}

/* ---- the factor that released patches multiply queries by -------------------------------- */

static void fill_logn(struct pe_build *build, size_t group, double train_len,
                      const struct pe_positions *list)
{
    const struct logn logn = {list, logn_multiplier(train_len), true};

    pe_build_fill_copy(build, group, &logn_filler, &logn, sizeof logn);
}

static void check_logn(double train_len, const struct pe_positions *list,
                       struct pe_errors *errors)
{
    double low, high;

    pe_positions_range(list, &low, &high);
    if (isnan(train_len))
        pe_fail(errors, PE_MISSING_PARAMETER, "train_len", "is required for out=logn_factor");
    else if (low < 0)
        pe_fail(errors, PE_OUT_OF_RANGE, "q",
                "must be 0 or more for out=logn_factor, the logarithm of q + 1; got %.0f", low);
}

/* ---- hooks ------------------------------------------------------------------------------- */

void remap_resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    const bool matrix = pe_wants(args, REMAP_DISTANCE);

    query_key_resolve(args, offsetof(struct remap, pairs),
                      matrix || pe_wants(args, REMAP_Q) || pe_wants(args, REMAP_LOGN),
                      matrix || pe_wants(args, REMAP_K), errors);
}

void remap_check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct remap *r = values;

    if (pe_wants(args, REMAP_LOGN))
        check_logn(r->train_len, r->pairs.q, errors);
}

void remap_prepare(struct pe_build *build, const void *values)
{
    const struct remap *r = values;
    const struct pe_args *args = pe_build_args(build);
    const struct remap_rule *rule = pe_args_encoding(args)->detail;

    if (pe_wants(args, REMAP_DISTANCE))
        query_key_fill_matrix(build, REMAP_DISTANCE, rule->distance, r, &r->pairs);
    remap_fill_list(build, REMAP_Q, rule->query, r, r->pairs.q);
    remap_fill_list(build, REMAP_K, rule->key, r, r->pairs.k);
    if (pe_wants(args, REMAP_LOGN))
        fill_logn(build, REMAP_LOGN, r->train_len, r->pairs.q);
}
