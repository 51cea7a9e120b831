/* SPDX-License-Identifier: Apache-2.0
 * trial_three.c - see trial_three.h. Frequencies that are measured and are not those of a
 * second hypothesis end it: nothing is tested beside that one. */
#include "core/verify/trial_three.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/number.h"
#include "core/verify/estimate.h"
#include "core/verify/observe.h"
#include "core/verify/trial_estimate.h"

enum { VARIANTS = 3 }; /* of a mistake that are tried as the first */

/* A first hypothesis, its candidate and the frequencies that the tensors have by it. */
struct shown {
    const struct suspect *first;
    struct candidate *candidate;
    double *measured;
};

static bool is_done(struct search *search)
{
    return search->found_count > 0 || trial_is_spent(search);
}

/* Returns whether the candidate's frequencies are those that were measured, but for a few whose
 * turns between two rows are too many. */
static bool agrees(const struct candidate *candidate, const double *measured)
{
    const struct angles *angles = candidate->angles;
    size_t far = 0;

    if (!candidate_all_fitted(candidate) || !angles || !angles->w[0])
        return false;
    for (size_t i = 0; i < angles->pairs; i++)
        far += !(fabs(measured[i] - angles->w[0][i]) <= 1e-3 * angles->w[0][i] + 1e-4);
    return 8 * far <= angles->pairs;
}

/* Tests a suspect of two, and every mistake beside it if its frequencies are those that were
 * measured. */
static void test_both(struct search *search, const struct shown *shown,
                      const struct suspect *both)
{
    struct suspect made = *both;

    made.candidate = suspect_make(search->claim, &made, NULL);
    if (made.candidate && made.candidate->angles &&
        made.candidate->angles->pairs == shown->candidate->angles->pairs &&
        agrees(made.candidate, shown->measured) && !trial_test(search, both, 2))
        trial_mistakes(search, both, made.candidate);
    suspect_fini(&made);
}

/* Tests a value that was estimated, as the roundest numbers near it. */
static void test_value(struct search *search, const struct shown *shown,
                       const struct pe_param *param, double value)
{
    const double tries[] = {estimate_nearby(value), estimate_round(value, 1),
                            estimate_round(value, 2), estimate_round(value, 4)};

    for (size_t i = 0; i < PE_LEN(tries) && !is_done(search); i++) {
        struct hypothesis more = {.slug = param->name, .price = 1.15};

        if (!(fabs(tries[i] - value) <= 1e-2 * fabs(value)) ||
            (i > 0 && (tries[i] == tries[0] || tries[i] == tries[i - 1])))
            continue;
        more.changes.count = 1;
        more.changes.at[0].param = param;
        number_print(more.changes.at[0].text, tries[i]);
        const struct suspect both = suspect_together(shown->first, &more);
        test_both(search, shown, &both);
    }
}

/* Tests every real parameter with the value by which the claim has the frequencies. */
static void test_values(struct search *search, const struct shown *shown)
{
    const struct changes *changes = &shown->first->hypothesis[0].changes;
    struct claim *claim = search->claim;

    for (size_t i = 0; i < claim->enc->param_count && !is_done(search); i++) {
        const struct pe_param *param = &claim->enc->params[i];
        const struct hypothesis probe = {.changes = {.at[0] = {.param = param}, .count = 1}};
        double start, value;

        if (param->type == PE_REAL && !hypothesis_is_arithmetic(param) && claim->text[i] &&
            !suspect_overlaps(shown->first, &probe) && claim_number(claim, i, &start) &&
            estimate_by_frequencies(claim, changes, param, start, shown->measured,
                                    shown->candidate->angles->pairs, &value))
            test_value(search, shown, param, value);
    }
}

/* Tests every other choice about frequencies. */
static void test_choices(struct search *search, const struct shown *shown,
                         const struct hypotheses *list)
{
    for (size_t i = 0; i < list->count && !is_done(search); i++) {
        const struct hypothesis *more = &list->at[i];

        if (!hypothesis_is_choice(more) || suspect_overlaps(shown->first, more) ||
            pe_param_group(more->changes.at[0].param) != PE_GROUP_FREQUENCIES)
            continue;
        const struct suspect both = suspect_together(shown->first, more);
        test_both(search, shown, &both);
    }
}

/* Returns the number by which the candidate's frequencies are all larger than those that were
 * measured; 0 if there is none. */
static double divisor_of(const struct shown *shown)
{
    const struct angles *angles = shown->candidate->angles;
    const double divisor = angles->w[0][0] / shown->measured[0];

    for (size_t i = 0; i < angles->pairs; i++)
        if (!(fabs(divisor * shown->measured[i] - angles->w[0][i]) <=
              1e-3 * angles->w[0][i] + 1e-4))
            return 0;
    return divisor > 0 && fabs(divisor - 1) > 1e-3 ? divisor : 0;
}

/* Tests a linear scaling that the claim does not have. */
static void test_divisor(struct search *search, const struct shown *shown)
{
    const struct pe_encoding *enc = search->claim->enc;
    const size_t scaling = args_find(enc, "scaling", strlen("scaling"));
    const size_t factor = args_find(enc, "factor", strlen("factor"));
    const double divisor = estimate_nearby(divisor_of(shown));
    struct hypothesis more = {.slug = "scaling", .price = 1.15};

    if (divisor == 0 || scaling == SIZE_MAX || factor == SIZE_MAX || is_done(search))
        return;
    more.changes.count = 2;
    more.changes.at[0] = (struct change){.param = &enc->params[scaling], .text = "linear"};
    more.changes.at[1].param = &enc->params[factor];
    number_print(more.changes.at[1].text, divisor);
    const struct suspect both = suspect_together(shown->first, &more);
    test_both(search, shown, &both);
}

/* Tests what stands beside a first hypothesis, by the frequencies that it shows: where they are
 * right by it, nothing hides what is left. */
static void test_beside(struct search *search, const struct hypotheses *list,
                        const struct suspect *first)
{
    struct suspect made = *first;
    struct shown shown = {.first = first};

    made.candidate = suspect_make(search->claim, &made, NULL);
    shown.candidate = made.candidate;
    if (made.candidate && candidate_all_fitted(made.candidate) &&
        observe_applies(made.candidate))
        shown.measured = trial_estimate_measure(made.candidate);
    if (shown.measured && !agrees(made.candidate, shown.measured)) {
        test_values(search, &shown);
        test_choices(search, &shown, list);
        test_divisor(search, &shown);
    }
    free(shown.measured);
    suspect_fini(&made);
}

void trial_three(struct search *search, const struct hypotheses *list,
                 const struct candidate *base)
{
    if (!base || !candidate_all_fitted(base) || !observe_applies(base))
        return;
    for (size_t i = 0; i < pe_mistake_count(); i++)
        for (size_t variant = 0; mistakes[i].flags & HIDES && variant < VARIANTS &&
                                 variant < mistakes[i].variants && !is_done(search);
             variant++) {
            struct suspect first = {.count = 1, .price = mistakes[i].price};

            first.hypothesis[0] = (struct hypothesis){.slug = mistakes[i].row.slug,
                                                      .mistake = &mistakes[i],
                                                      .variant = variant,
                                                      .price = mistakes[i].price};
            test_beside(search, list, &first);
        }
    for (size_t i = 0; i < list->count && !is_done(search); i++) {
        const struct suspect first = {.hypothesis = {list->at[i]},
                                      .count = 1,
                                      .price = list->at[i].price};

        if (hypothesis_is_choice(&list->at[i]))
            test_beside(search, list, &first);
    }
}
