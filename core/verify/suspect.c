/* SPDX-License-Identifier: Apache-2.0
 * suspect.c - makes and compares suspects. */
#include "core/verify/suspect.h"

#include <assert.h>
#include <string.h>

#include "core/args/number.h"

void suspect_fini(struct suspect *suspect)
{
    candidate_free(suspect->candidate);
    suspect->candidate = NULL;
}

/* Returns the candidate with the choice as it was that the claim left open, if the tensors have
 * its shape then, in place of `made`. */
static struct candidate *reopen(struct claim *claim, struct changes *changes,
                                struct candidate *made)
{
    if (changes->count == PE_VERIFY_CHANGES)
        return made;
    for (size_t i = 0; i < changes->count; i++)
        if (changes->at[i].param == claim->opened.param)
            return made;
    changes->at[changes->count++] = claim->opened;
    struct candidate *other = candidate_new(claim, changes, NULL);
    const bool fitted = other && candidate_all_fitted(other);

    candidate_free(fitted ? made : other);
    return fitted ? other : made;
}

/* Makes the candidate of the suspect: all values of parameters first, then its mistakes. */
struct candidate *suspect_make(struct claim *claim, const struct suspect *suspect,
                               const struct pe_param **missing)
{
    struct changes changes = {.count = 0};
    struct candidate *made;

    for (size_t i = 0; i < suspect->count; i++) {
        const struct changes *more = &suspect->hypothesis[i].changes;

        if (changes.count + more->count > PE_VERIFY_CHANGES)
            return NULL;
        for (size_t j = 0; j < more->count; j++)
            changes.at[changes.count++] = more->at[j];
    }
    made = candidate_new(claim, &changes, missing);
    if (made && claim->opened.param && !candidate_all_fitted(made))
        made = reopen(claim, &changes, made);
    for (size_t i = 0; made && i < suspect->count; i++) {
        const struct hypothesis *hypothesis = &suspect->hypothesis[i];
        struct candidate *before = made;

        if (!hypothesis->mistake)
            continue;
        made = mistakes_make(hypothesis->mistake, before, hypothesis->variant);
        candidate_free(before);
    }
    return made;
}

/* Fewer hypotheses come first, then simpler ones. */
bool suspect_is_simpler(const struct suspect *suspect, const struct suspect *other)
{
    if (suspect->count != other->count)
        return suspect->count < other->count;
    return suspect->price < other->price;
}

/* A change may give tensors another shape, but not one that hides most of their elements. */
static bool is_fit(const char *fits, const char *own)
{
    return fits[0] == '\0' || strcmp(fits, "axes of 1") == 0 || strcmp(fits, own) == 0 ||
           strchr(own, '=');
}

/* Returns whether every tensor has the shape of its numbers: a change of parameters after a
 * mistake of layout may have given them another. */
bool suspect_is_shaped(const struct candidate *candidate)
{
    for (size_t i = 0; i < candidate->claim->subject_count; i++)
        if (!candidate_is_fitted(candidate, i) ||
            !is_fit(candidate->fits[i], candidate->claim->fits[i]))
            return false;
    return true;
}

/* Returns whether a number of the suspect's last change stands for a limit: four times as much
 * explains the sample as well. */
bool suspect_is_limit(struct claim *claim, const struct suspect *suspect)
{
    struct suspect further = *suspect;
    struct changes *changes = &further.hypothesis[further.count - 1].changes;
    bool fits = false;
    double value;
    struct fit fit;

    if (changes->count != 1 || changes->at[0].param->type != PE_REAL ||
        !number_parse(changes->at[0].text, strlen(changes->at[0].text), &value) || value == 0)
        return false;
    if (4 * value > changes->at[0].param->max)
        return true;
    number_print(changes->at[0].text, 4 * value);
    further.candidate = suspect_make(claim, &further, NULL);
    if (further.candidate)
        fits = suspect_is_shaped(further.candidate) && fit_quickly(&fit, further.candidate);
    suspect_fini(&further);
    return fits;
}

/* Returns a suspect of the first's hypotheses and one more. */
struct suspect suspect_together(const struct suspect *first, const struct hypothesis *more)
{
    struct suspect both = {.count = 0};

    if (first)
        both = *first;
    assert(both.count < SUSPECT_TOGETHER);
    both.hypothesis[both.count++] = *more;
    both.price += more->price;
    both.candidate = NULL;
    return both;
}

/* Returns whether both change the same parameter, or are the same mistake. */
bool suspect_overlaps(const struct suspect *first, const struct hypothesis *more)
{
    for (size_t i = 0; first && i < first->count; i++) {
        const struct hypothesis *one = &first->hypothesis[i];

        if (more->mistake && one->mistake == more->mistake)
            return true;
        for (size_t j = 0; j < one->changes.count; j++)
            for (size_t k = 0; k < more->changes.count; k++)
                if (one->changes.at[j].param == more->changes.at[k].param)
                    return true;
    }
    return false;
}
