/* SPDX-License-Identifier: Apache-2.0
 * judge.c - see judge.h. */
#include "core/verify/judge/judge.h"

#include <math.h>
#include <stdio.h>

#include "core/verify/basis.h"
#include "core/verify/cost.h"
#include "core/verify/judge/levels.h"
#include "core/verify/judge/near.h"
#include "core/verify/judge/printed.h"
#include "core/verify/judge/profile.h"
#include "core/verify/steps.h"
#include "core/verify/verdict.h"

/* The state of a judgement before mistakes are searched for. */
struct judging {
    struct pe_verdict *verdict;
    struct claim *claim;
    const struct candidate *base;
    struct fit fit; /* of the sample, or of all rows where they are not far */
    struct near near;
};

static void take_profile(struct pe_verdict *verdict, const char *profile, double agree)
{
    verdict->kind = PE_PROFILE;
    snprintf(verdict->profile, sizeof verdict->profile, "%s", profile);
    verdict->agree = agree;
}

/* Finds a freedom that the encoding leaves: signs and bases of eigenvectors. */
static bool find_freedom(struct pe_verdict *verdict, const struct candidate *base, double agree)
{
    bool bases;

    if (!basis_explains(base, &bases))
        return false;
    take_profile(verdict, bases ? "basis" : "sign", agree);
    return true;
}

/* Returns whether the numbers are right by an arithmetic, whose name the verdict has then. */
static bool find_arithmetic(struct judging *judging, double agree,
                            const struct pe_verify_tolerance *tolerance)
{
    const struct candidate *base = judging->base;
    char printed[PE_VERIFY_TEXT];

    if (!fit_sample(&judging->fit, base) ||
        (judging->fit.within <= JUDGE_SUSPICIOUS && !fit_all(&judging->fit, base, false)))
        judging->fit.within = INFINITY;
    if (judging->fit.within <= 1 || steps_explain(base)) {
        take_profile(judging->verdict, "f32", agree);
        return true;
    }
    if (printed_explains(base, printed) || levels_explain(base, printed)) {
        take_profile(judging->verdict, printed, agree);
        return true;
    }
    judging->near = near_measure(base, tolerance);
    if (judging->near.fast)
        take_profile(judging->verdict, "fast-sine", agree);
    return judging->near.fast;
}

/* Judges the numbers by the claim alone; returns whether that is the verdict. */
static bool is_right(struct judging *judging, const struct pe_verify_tolerance *tolerance)
{
    struct rounding rounding[CLAIM_SUBJECTS] = {{.differs = 0}};
    struct pe_verdict *verdict = judging->verdict;
    struct claim *claim = judging->claim;
    double agree = 0;

    if (verdict_compare(verdict, judging->base, rounding)) {
        if (profile_differs(rounding, claim->subject_count, &agree) == 0) {
            verdict->kind = PE_EXACT;
            return true;
        }
        if (profile_find(verdict, claim, judging->base)) {
            verdict->kind = PE_PROFILE;
            return true;
        }
        if (find_freedom(verdict, judging->base, agree))
            return true;
    }
    return find_arithmetic(judging, agree, tolerance);
}

/* Returns whether a tensor has NaN, which nothing explains. */
static bool has_nan(const struct judging *judging)
{
    for (size_t i = 0; judging->base && i < judging->claim->subject_count; i++)
        if (judging->claim->subject[i].whole.nan)
            return true;
    return false;
}

/* Searches; `distance` is the mean distance of the numbers from the claim. */
static bool search_mistakes(struct pe_verdict *verdict, struct claim *claim, double distance,
                            struct search *search)
{
    bool ok = search_run(search, claim, verdict_distance(verdict, claim));

    verdict->tested += search->tested;
    verdict->budget_spent = search->spent && search->found_count == 0;
    verdict->operations = claim->operations;
    verdict->most = claim->budget;
    if (search_has_nearest(search, distance)) {
        verdict->next_slug = search->nearest.hypothesis[0].slug;
        verdict->next_max_abs = search->nearest.fit.max_abs;
    }
    verdict->kind = search->found_count > 0 ? PE_MISTAKE : PE_UNEXPLAINED;
    return ok;
}

/* Searches for one mistake of numbers that are near the claim: they are close unless one comes
 * much nearer. */
static bool search_near(struct judging *judging, struct search *search)
{
    struct claim *claim = judging->claim;
    const bool alone = claim->alone;

    claim->alone = claim->near = true;
    const bool ok = search_mistakes(judging->verdict, claim, judging->fit.mean, search);
    claim->alone = alone;
    claim->near = false;
    if (search->found_count == 0 && !search->spent &&
        !(search->nearest.count > 0 &&
          TRIAL_NEARER * search->nearest.fit.mean <= judging->fit.mean))
        judging->verdict->kind = PE_CLOSE;
    return ok;
}

/* Judges what is nearly right, which an arithmetic alone may explain. */
static bool judge_nearly_right(struct judging *judging, bool near, struct search *search)
{
    struct claim *claim = judging->claim;
    bool ok = true;

    if (!has_nan(judging)) {
        claim->fine = true;
        ok = search_mistakes(judging->verdict, claim, judging->fit.mean, search);
        claim->fine = false;
    }
    if (judging->verdict->kind != PE_MISTAKE)
        judging->verdict->kind = near ? PE_CLOSE : PE_UNEXPLAINED;
    return ok;
}

bool judge_claim(struct pe_verdict *verdict, struct claim *claim, const struct candidate *base,
                 const struct pe_verify_tolerance *tolerance, struct search *search,
                 double *cost)
{
    struct judging judging = {.verdict = verdict,
                              .claim = claim,
                              .base = base,
                              .fit = {.within = INFINITY, .mean = INFINITY}};
    bool ok = true;

    *search = (struct search){.claim = claim};
    if (base && is_right(&judging, tolerance)) {
        verdict->holds =
            tolerance && (verdict->kind == PE_EXACT || near_measure(base, tolerance).holds);
        return true;
    }
    const bool near = judging.near.close || judging.near.holds;
    verdict->digits = judging.near.digits;
    verdict->holds = judging.near.holds;
    if (judging.fit.within <= JUDGE_SUSPICIOUS || has_nan(&judging))
        return judge_nearly_right(&judging, near, search);
    verdict->kind = PE_UNEXPLAINED;
    if (cost) {
        *cost = cost_of_search(claim, base);
        return true;
    }
    if (near)
        ok = search_near(&judging, search);
    if (ok && verdict->kind == PE_UNEXPLAINED && !search->spent && !(near && claim->alone)) {
        search_fini(search);
        ok = search_mistakes(verdict, claim, judging.fit.mean, search);
    }
    return ok;
}
