/* SPDX-License-Identifier: Apache-2.0
 * remap.c - lists filled by a rule, element by element. */
#include "core/encodings/rotary/remap.h"

#include <math.h>

#include "core/math/logn.h"

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
