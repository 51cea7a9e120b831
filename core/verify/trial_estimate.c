/* SPDX-License-Identifier: Apache-2.0
 * trial_estimate.c - tests values of parameters that are estimated from the numbers, and
 * from the frequencies that they show. */
#include "core/verify/trial_estimate.h"

#include <math.h>
#include <stdlib.h>

#include "core/args/number.h"
#include "core/verify/estimate.h"
#include "core/verify/observe.h"

static bool test_value(struct search *search, const struct suspect *first,
                       const struct pe_param *param, double value)
{
    struct hypothesis hypothesis = {.slug = param->name, .price = 1.15};

    hypothesis.changes.count = 1;
    hypothesis.changes.at[0].param = param;
    number_print(hypothesis.changes.at[0].text, value);
    struct suspect suspect = suspect_together(first, &hypothesis);
    return trial_test(search, &suspect, 2);
}

static bool is_coarse(const struct claim *claim)
{
    for (size_t i = 0; i < claim->subject_count; i++)
        if (claim->subject[i].whole.precision == PE_F16 ||
            claim->subject[i].whole.precision == PE_BF16)
            return true;
    return false;
}

/* Numbers of 16 bits tell a value less exactly than their bounds ask for: look around it. */
static bool test_around(struct search *search, const struct suspect *first,
                        const struct pe_param *param, double value)
{
    const double nearest = 1e-6, farthest = 5e-4, growth = 1.3;

    for (double by = nearest; by < farthest && is_coarse(search->claim); by *= growth)
        if (test_value(search, first, param, value * (1 + by)) ||
            test_value(search, first, param, value * (1 - by)))
            return true;
    return false;
}

/* Tests an estimate: as the roundest number that explains as well. */
static bool test_estimate(struct search *search, const struct suspect *first,
                          const struct pe_param *param, double value)
{
    static const int digits[] = {1, 2, 3, 4, 6, 9, 17};
    for (size_t i = 0; i < PE_LEN(digits); i++) {
        double rounded = estimate_round(value, digits[i]);

        if (!(fabs(rounded - value) <= 1e-2 * fabs(value)))
            continue;
        if (test_value(search, first, param, rounded))
            return true;
    }
    return test_around(search, first, param, value);
}

/* Estimate one parameter: by the numbers, and by the frequencies that they show. */
static bool test_estimates_of(struct search *search, const struct suspect *first,
                              const struct pe_param *param, double start,
                              const double *measured, size_t pairs)
{
    const struct changes *changes = first ? &first->hypothesis[0].changes : NULL;
    struct claim *claim = search->claim;
    bool mistaken = first && first->hypothesis[0].mistake, found = false;
    double value, near;

    if (!mistaken && estimate_value(claim, changes, param, start, &value))
        found = test_estimate(search, first, param, value);
    if (found || !measured ||
        !estimate_by_frequencies(claim, changes, param, start, measured, pairs, &near))
        return found;
    if (!mistaken && estimate_value(claim, changes, param, near, &value))
        found = test_estimate(search, first, param, value);
    return found || test_estimate(search, first, param, near);
}

/* Measure the frequencies of the tensors as the candidate sees them; NULL where they show
 * none. */
double *trial_estimate_measure(const struct candidate *base)
{
    double *measured =
        base && observe_applies(base)
            ? claim_memory(base->claim, base->angles->pairs + 1, sizeof *measured)
            : NULL;

    if (measured &&
        observe_frequencies(base, (struct row_buffer){measured, base->angles->pairs}))
        return measured;
    free(measured);
    return NULL;
}

bool trial_estimate(struct search *search, const struct suspect *first,
                    const struct candidate *base)
{
    struct claim *claim = search->claim;
    double *measured = base && candidate_all_fitted(base) ? trial_estimate_measure(base) : NULL;
    bool found = false;

    for (size_t i = 0; i < claim->enc->param_count; i++) {
        const struct pe_param *param = &claim->enc->params[i];
        const struct hypothesis probe = {.changes = {.at[0] = {.param = param}, .count = 1}};
        double start = 1;

        if (param->type != PE_REAL || hypothesis_is_arithmetic(param) ||
            trial_is_spent(search) || suspect_overlaps(first, &probe) ||
            (claim->text[i] && !claim_number(claim, i, &start)))
            continue;
        found = test_estimates_of(search, first, param, start, measured,
                                  measured ? base->angles->pairs : 0) ||
                found;
    }
    free(measured);
    return found;
}
