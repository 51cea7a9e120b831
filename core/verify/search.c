/* SPDX-License-Identifier: Apache-2.0
 * search.c - tests hypotheses on the sample, and those that fit it on all rows. The order of
 * tests depends on the claim alone, so that equal input has an equal verdict. */
#include "core/verify/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/number.h"
#include "core/verify/estimate.h"
#include "core/verify/fit.h"
#include "core/verify/hypothesis/schema.h"
#include "core/verify/trial_estimate.h"
#include "core/verify/trial_three.h"

void search_fini(struct search *search)
{
    for (size_t i = 0; i < search->found_count; i++)
        suspect_fini(&search->found[i]);
}

static void test_beside(struct search *search, const struct hypotheses *list,
                        struct suspect *first)
{
    first->candidate = suspect_make(search->claim, first, NULL);
    if (!first->candidate)
        return;
    bool found = trial_values(search, list, first);
    found = trial_mistakes(search, first, first->candidate) || found;
    if (!found)
        trial_estimate(search, first, first->candidate);
    suspect_fini(first);
}

/* Tests every hypothesis beside an estimated value: as the nearest number of few digits, and as
 * a rounder one, since frequencies that were rounded to 16 bits tell it to a hundredth. */
static void test_beside_value(struct search *search, const struct hypotheses *list,
                              const struct pe_param *param, double value)
{
    const double tries[] = {estimate_nearby(value), estimate_round(value, 1),
                            estimate_round(value, 2)};

    for (size_t i = 0; i < PE_LEN(tries) && search->found_count == 0; i++) {
        struct suspect first = {.count = 1, .price = 1.15};
        struct change *change = &first.hypothesis[0].changes.at[0];

        if (fabs(tries[i] - value) > 1e-2 * fabs(value) ||
            (i > 0 && (tries[i] == tries[0] || tries[i] == tries[i - 1])))
            continue;
        first.hypothesis[0] = (struct hypothesis){.slug = param->name, .price = 1.15};
        first.hypothesis[0].changes.count = 1;
        change->param = param;
        number_print(change->text, tries[i]);
        test_beside(search, list, &first);
    }
}

/* Values by which the claim has the frequencies that were measured are good first hypotheses,
 * however far the numbers still are: positions may be wrong besides. */
static void test_beside_estimates(struct search *search, const struct hypotheses *list,
                                  const struct candidate *base)
{
    struct claim *claim = search->claim;
    double *measured = base && candidate_all_fitted(base) ? trial_estimate_measure(base) : NULL,
           value, start;

    for (size_t i = 0; measured && i < claim->enc->param_count; i++) {
        const struct pe_param *param = &claim->enc->params[i];

        if (param->type == PE_REAL && !hypothesis_is_arithmetic(param) &&
            !trial_is_spent(search) && search->found_count == 0 && claim->text[i] &&
            number_parse(claim->text[i], strlen(claim->text[i]), &start) &&
            estimate_by_frequencies(claim, NULL, param, start, measured, base->angles->pairs,
                                    &value))
            test_beside_value(search, list, param, value);
    }
    free(measured);
}

/* Two conventions at once may leave no trace of either alone: all pairs of choices are
 * tried. */
static void test_choices(struct search *search, const struct hypotheses *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct suspect first = {.hypothesis = {list->at[i]},
                                      .count = 1,
                                      .price = list->at[i].price};

        for (size_t j = i + 1; j < list->count && hypothesis_is_choice(&list->at[i]); j++) {
            if (!hypothesis_is_choice(&list->at[j]) || suspect_overlaps(&first, &list->at[j]))
                continue;
            struct suspect both = suspect_together(&first, &list->at[j]);

            trial_test(search, &both, 2);
        }
    }
}

/* Tests every hypothesis beside the first variants of a mistake. */
static void test_beside_mistake(struct search *search, const struct hypotheses *list,
                                const struct mistake *mistake)
{
    const size_t most = 3;

    for (size_t variant = 0; variant < mistake->variants && variant < most &&
                             search->found_count == 0 && !trial_is_spent(search);
         variant++) {
        struct suspect first = {.count = 1, .price = mistake->price};

        first.hypothesis[0] = (struct hypothesis){.slug = mistake->row.slug,
                                                  .mistake = mistake,
                                                  .variant = variant,
                                                  .price = mistake->price};
        test_beside(search, list, &first);
    }
}

/* A scaling that was left out hides what else is wrong: tests every hypothesis beside that. */
static void test_beside_unscaled(struct search *search, const struct hypotheses *list)
{
    for (size_t i = 0; i < list->count && search->found_count == 0; i++) {
        const struct change *change = &list->at[i].changes.at[0];
        struct suspect first = {.hypothesis = {list->at[i]},
                                .count = 1,
                                .price = list->at[i].price};

        if (strcmp(change->param->name, "scaling") == 0 && strcmp(change->text, "none") == 0)
            test_beside(search, list, &first);
    }
}

static void search_two(struct search *search, const struct hypotheses *list,
                       const struct candidate *base)
{
    struct suspect beam[SEARCH_BEAM];
    const size_t count = search->beam_count;

    memcpy(beam, search->beam, count * sizeof *beam);
    test_beside_estimates(search, list, base);
    test_beside_unscaled(search, list);
    if (search->found_count == 0)
        test_choices(search, list);
    if (search->found_count == 0)
        trial_three(search, list, base);
    for (size_t i = 0; i < count && search->found_count == 0 && !trial_is_spent(search); i++)
        test_beside(search, list, &beam[i]);
    for (size_t i = 0; search->found_count == 0 && i < pe_mistake_count(); i++)
        if (mistakes[i].flags & HIDES)
            test_beside_mistake(search, list, &mistakes[i]);
}

/* Tests every hypothesis alone. */
static bool search_one(struct search *search, const struct hypotheses *list,
                       const struct candidate *base)
{
    bool found = !search->claim->fine && trial_values(search, list, NULL);

    return trial_mistakes(search, NULL, base) || found;
}

/* Tests what is read from the numbers, by itself. */
static bool search_read(struct search *search, const struct candidate *base)
{
    search->reading = true;
    const bool found = trial_mistakes(search, NULL, base);
    search->reading = false;
    return found;
}

/* Search with one mistake, and with two unless the claim's are tested alone. */
static void search_all(struct search *search, const struct hypotheses *list,
                       const struct candidate *base)
{
    if (search_one(search, list, base) || search->claim->fine ||
        trial_estimate(search, NULL, base) || search->claim->alone || search_read(search, base))
        return;
    search->measured = true; /* once more, to find those that come near */
    search_one(search, list, base);
    search_two(search, list, base);
}

bool search_has_nearest(const struct search *search, double distance)
{
    return search->nearest.count > 0 && search->found_count == 0 &&
           search->nearest.fit.mean <= distance / 2;
}

bool search_run(struct search *search, struct claim *claim, double without)
{
    struct hypotheses list = {.count = 0};
    struct candidate *base = candidate_new(claim, NULL, NULL);
    struct fit claimed;

    *search = (struct search){.claim = claim,
                              .without = without,
                              .without_mean = INFINITY,
                              .near_mean = INFINITY,
                              .measured = claim->near};
    schema_add_values(&list, claim);
    const bool fitted = base && candidate_all_fitted(base);
    if (fitted)
        fit_bound_claim(base);
    if (fitted && fit_sample(&claimed, base))
        search->without_mean = claimed.mean;
    if (fitted && fit_near(&claimed, base) && claimed.elements >= TRIAL_TELLING)
        search->near_mean = claimed.mean;
    if (fitted && base->angles && !fit_is_wave(base, true))
        for (size_t i = 0; i < claim->subject_count; i++)
            base->wave[i].kind = WAVE_NONE; /* mistakes of angles have not the row of padding */
    search_all(search, &list, base);
    if (search->found_count == 0 && !fitted && claim->replaced != 0) {
        claim->set = claim->args->filled; /* the values as they were given, not as they act */
        search_all(search, &list, base);
    }
    candidate_free(base);
    hypothesis_free(&list);
    return !list.failed;
}
