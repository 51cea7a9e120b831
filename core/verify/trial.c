/* SPDX-License-Identifier: Apache-2.0
 * trial.c - tests hypotheses on the sample, and those that fit it on all rows. */
#include "core/verify/trial.h"

#include <string.h>

#include "core/args/number.h"
#include "core/verify/hypothesis/schema.h"

bool trial_is_spent(struct search *search)
{
    const struct pe_stop *stop = search->claim->limits->stop;

    search->spent = search->spent || search->tested >= PE_VERIFY_HYPOTHESES ||
                    search->claim->operations >= search->claim->budget || pe_stop_is_set(stop);
    return search->spent;
}

/* Returns whether both change the same parameter alone: the cheaper value says enough. */
static bool is_of_same(const struct suspect *suspect, const struct suspect *other)
{
    return suspect->count == 1 && other->count == 1 && !suspect->hypothesis[0].mistake &&
           !other->hypothesis[0].mistake &&
           suspect->hypothesis[0].changes.at[0].param ==
               other->hypothesis[0].changes.at[0].param;
}

/* Keeps an explanation in its place by price; equal prices keep the order of tests. */
static void keep_found(struct search *search, struct suspect *suspect)
{
    size_t at = search->found_count;

    for (size_t i = 0; i < search->found_count; i++)
        if (is_of_same(suspect, &search->found[i]) &&
            !suspect_is_simpler(suspect, &search->found[i])) {
            suspect_fini(suspect);
            return;
        }
    while (at > 0 && suspect_is_simpler(suspect, &search->found[at - 1]))
        at--;
    if (at == SEARCH_FOUND) {
        suspect_fini(suspect);
        return;
    }
    if (search->found_count == SEARCH_FOUND)
        suspect_fini(&search->found[--search->found_count]);
    memmove(search->found + at + 1, search->found + at,
            (search->found_count - at) * sizeof *search->found);
    search->found[at] = *suspect;
    search->found_count++;
}

/* Remembers single hypotheses that come nearer than the claim, and the nearest of all. */
static void keep_near(struct search *search, const struct suspect *suspect)
{
    size_t at = search->beam_count;

    if (search->nearest.count == 0 || suspect->fit.mean < search->nearest.fit.mean)
        search->nearest = *suspect;
    if (!(suspect->fit.mean <= TRIAL_LEFT * search->near_mean))
        return;
    while (at > 0 && suspect->fit.mean < search->beam[at - 1].fit.mean)
        at--;
    if (at == SEARCH_BEAM)
        return;
    if (search->beam_count == SEARCH_BEAM)
        search->beam_count--;
    memmove(search->beam + at + 1, search->beam + at,
            (search->beam_count - at) * sizeof *search->beam);
    search->beam[at] = *suspect;
    search->beam_count++;
}

/* Returns whether the numbers are nearer to an explanation than to the claim, the farthest of
 * them or all on average: where rounding has a step, single ones may be as far as before. */
static bool is_nearer(const struct search *search, const struct fit *fit)
{
    return TRIAL_NEARER * fit->max_abs <= search->without ||
           TRIAL_NEARER * fit->mean <= search->without_mean;
}

/* Returns whether numbers are farther by what is left of a suspect without any one of its
 * hypotheses: three at once may explain anything. */
static bool is_needed(const struct search *search, const struct suspect *suspect)
{
    for (size_t i = 0; i < suspect->count; i++) {
        struct suspect rest = {.count = 0};
        struct fit fit;

        for (size_t j = 0; j < suspect->count; j++)
            if (j != i)
                rest.hypothesis[rest.count++] = suspect->hypothesis[j];
        rest.candidate = suspect_make(search->claim, &rest, NULL);
        const bool near = rest.candidate && suspect_is_shaped(rest.candidate) &&
                          fit_sample(&fit, rest.candidate) &&
                          fit.mean < TRIAL_NEARER * suspect->fit.mean;
        suspect_fini(&rest);
        if (near)
            return false;
    }
    return true;
}

/* Returns whether the suspect explains all rows; of one that is not simpler than what is found
 * already, the sample is enough: it is an alternative. */
static bool explains(const struct search *search, struct suspect *suspect)
{
    struct fit all;

    if (!is_nearer(search, &suspect->fit))
        return false;
    if (search->found_count > 0 && !suspect_is_simpler(suspect, &search->found[0]))
        return true;
    if (!fit_all(&all, suspect->candidate, true) || all.within > 1 || !is_nearer(search, &all))
        return false;
    suspect->fit = all;
    return suspect->count < SUSPECT_TOGETHER || is_needed(search, suspect);
}

/* Judges a candidate that was made, which the suspect then owns. Returns whether it
 * explains. */
static bool judge(struct search *search, struct suspect *suspect)
{
    const struct candidate *candidate = suspect->candidate;

    search->tested++;
    const bool shaped = suspect_is_shaped(candidate);
    if (shaped && fit_quickly(&suspect->fit, candidate) && explains(search, suspect)) {
        suspect->price += suspect_is_limit(search->claim, suspect) ? 1 : 0;
        keep_found(search, suspect);
        return true;
    }
    bool near =
        search->measured && suspect->count == 1 && shaped && fit_near(&suspect->fit, candidate);
    suspect_fini(suspect);
    if (near)
        keep_near(search, suspect);
    return false;
}

/* Tests a suspect. A parameter that it needs besides is tried with the values of a short
 * list. */
bool trial_test(struct search *search, const struct suspect *suspect, int depth)
{
    struct suspect tried = *suspect;
    const struct pe_param *missing = NULL;
    double values[8];
    bool found = false;

    if (trial_is_spent(search))
        return false;
    tried.candidate = suspect_make(search->claim, &tried, &missing);
    if (tried.candidate)
        return judge(search, &tried);
    if (!missing || depth == 2 || search->found_count > 0)
        return false; /* what needs two values is no simpler than what is found */
    size_t count = schema_values_of_missing(missing, values);
    for (size_t i = 0; i < count; i++) {
        struct changes *changes = &tried.hypothesis[tried.count - 1].changes;

        tried.hypothesis[tried.count - 1] = suspect->hypothesis[suspect->count - 1];
        if (changes->count == PE_VERIFY_CHANGES)
            return found;
        changes->at[changes->count].param = missing;
        number_print(changes->at[changes->count].text, values[i]);
        changes->count++;
        tried.price = suspect->price + 0.4;
        found = trial_test(search, &tried, depth + 1) || found;
    }
    return found;
}

bool trial_values(struct search *search, const struct hypotheses *list,
                  const struct suspect *first)
{
    bool found = false;

    for (size_t i = 0; i < list->count; i++) {
        if (suspect_overlaps(first, &list->at[i]) || (first && list->at[i].lone))
            continue;
        struct suspect suspect = suspect_together(first, &list->at[i]);

        found = trial_test(search, &suspect, 0) || found;
    }
    return found;
}

/* The first variant of a mistake is the usual one. */
static double price_of(const struct mistake *mistake, size_t variant)
{
    return mistake->price + 0.1 * (double)(variant < 3 ? variant : 3);
}

/* Returns whether a mistake is not tried: it is for another part of the search, or
 * none of arithmetic where these alone are; or it is tried
 * last, and a cheaper one explains the numbers, or they have angles and the first changes a
 * parameter. Another encoding of angles with a wrong value besides is no likely cause, and its
 * frequencies are a dear plan. */
static bool is_needless(const struct search *search, const struct suspect *first,
                        const struct candidate *base, const struct mistake *mistake)
{
    if (!(mistake->flags & READ) == search->reading ||
        (search->claim->fine && !(mistake->flags & FINE)))
        return true;
    if (!(mistake->flags & LAST))
        return false;
    return (search->found_count > 0 && search->found[0].price < mistake->price) ||
           (first && first->hypothesis[0].changes.count > 0 && base->angles);
}

static bool test_mistakes_on(struct search *search, const struct suspect *first,
                             const struct candidate *base)
{
    bool found = false;

    for (size_t i = 0; i < pe_mistake_count(); i++) {
        if (is_needless(search, first, base, &mistakes[i]))
            continue;
        for (size_t variant = 0; variant < mistakes[i].variants && !trial_is_spent(search);
             variant++) {
            const struct hypothesis hypothesis = {.slug = mistakes[i].row.slug,
                                                  .mistake = &mistakes[i],
                                                  .variant = variant,
                                                  .price = price_of(&mistakes[i], variant)};
            struct candidate *made = suspect_overlaps(first, &hypothesis)
                                         ? NULL
                                         : mistakes_make(&mistakes[i], base, variant);

            if (!made)
                continue;
            if (base->spared && !made->warped) {
                candidate_free(made); /* it is no mistake of angles, and was tested before */
                continue;
            }
            struct suspect suspect = suspect_together(first, &hypothesis);
            suspect.candidate = made;
            found = judge(search, &suspect) || found;
        }
    }
    return found;
}

/* Tests mistakes of all tensors, then those of the angles of one of several: only the keys were
 * not turned. */
bool trial_mistakes(struct search *search, const struct suspect *first,
                    const struct candidate *base)
{
    const size_t count = search->claim->subject_count;
    bool found = base && test_mistakes_on(search, first, base);

    for (size_t i = 0; base && base->angles && !base->warped && count > 1 && i < count; i++) {
        struct candidate *one = base->wave[i].kind == WAVE_TURN ? candidate_copy(base) : NULL;

        if (!one)
            continue;
        one->spared = (uint32_t)((UINT64_C(1) << count) - 1) & ~(UINT32_C(1) << i);
        one->plain = angles_copy(base->angles);
        if (one->plain)
            found = test_mistakes_on(search, first, one) || found;
        candidate_free(one);
    }
    return found;
}
