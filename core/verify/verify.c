/* SPDX-License-Identifier: Apache-2.0
 * verify.c - judges tensors: bits first, then the profiles of rounding, then the bound of
 * float32, and only then mistakes. In this order no arithmetic is taken for a mistake. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/basis.h"
#include "core/verify/cost.h"
#include "core/verify/explain.h"
#include "core/verify/hypothesis/schema.h"
#include "core/verify/steps.h"
#include "core/verify/verdict.h"
#include "core/verify/verify.h"

/* A claim that is farther from the tensors than this many bounds may have a mistake. */
static const double suspicious = 8;

const char *pe_verdict_name(enum pe_verdict_kind kind)
{
    static const char *const names[] = {"exact", "profile", "mistake", "unexplained"};

    return names[kind];
}

void pe_verdict_free(struct pe_verdict *verdict)
{
    if (!verdict)
        return;
    pe_args_free(verdict->claim);
    pe_args_free(verdict->explanation.found);
    for (size_t i = 0; i < verdict->other_count; i++)
        pe_args_free(verdict->others[i].found);
    free(verdict);
}

/* ---- the shape --------------------------------------------------------------------------- */

/* Finds a choice that the claim leaves open and with which the tensors have its shape. */
static struct candidate *fit_open_choice(struct claim *claim)
{
    struct hypotheses list = {.count = 0};
    struct candidate *base = NULL;

    schema_add_values(&list, claim);
    for (size_t i = 0; !base && !claim->failed && i < list.count; i++) {
        const struct pe_param *param = list.at[i].changes.at[0].param;

        if (param->type != PE_CHOICE || pe_param_group(param) == PE_GROUP_FREQUENCIES ||
            args_bit(claim->args->filled, claim_index(claim, param)))
            continue;
        base = candidate_new(claim, &list.at[i].changes, NULL);
        const bool fitted = base && candidate_all_fitted(base);
        candidate_free(base);
        base = fitted && claim_adopt(claim, &list.at[i].changes)
                   ? candidate_new(claim, NULL, NULL)
                   : NULL;
        if (base && !candidate_all_fitted(base)) {
            candidate_free(base);
            base = NULL;
        }
        for (size_t j = 0; base && j < claim->subject_count; j++)
            if (base->fits[j][0] == '\0')
                snprintf(base->fits[j], sizeof base->fits[j], "%.36s=%.36s", param->name,
                         list.at[i].changes.at[0].text);
    }
    hypothesis_free(&list);
    return base;
}

/* Returns the first subject whose tensor has not the shape that the plan gives to its output,
 * which *planned is; NULL if all have it. */
static const struct subject *find_misfit(const struct claim *claim, const struct pe_plan *plan,
                                         const struct pe_tensor_info **planned)
{
    char fits[PE_VERIFY_TEXT];

    for (size_t i = 0; i < claim->subject_count; i++) {
        const struct subject *subject = &claim->subject[i];
        struct view view = subject->whole;

        for (size_t j = 0; j < pe_plan_tensor_count(plan); j++) {
            *planned = pe_plan_tensor(plan, j);
            if ((*planned)->output == &claim->enc->outputs[subject->output] &&
                !view_fit(&view, (*planned)->dims, (*planned)->rank, fits))
                return subject;
        }
    }
    return NULL;
}

/* Say why the claim has no numbers to compare: its own plan is refused, or a tensor has another
 * shape. */
static enum pe_status refuse_shape(const struct claim *claim, struct pe_errors *errors)
{
    struct pe_limits limits = *claim->limits;
    const struct pe_tensor_info *planned;
    struct pe_plan *plan;
    char got[100], right[100];

    limits.brief = true;
    enum pe_status status = pe_plan_new(&plan, claim->args, NULL, &limits, errors);
    if (status)
        return status;
    const struct subject *misfit = find_misfit(claim, plan, &planned);
    if (misfit) {
        explain_print_list(got, sizeof got, misfit->whole.dims, misfit->whole.rank, ",");
        explain_print_list(right, sizeof right, planned->dims, planned->rank, ",");
        status = pe_fail(errors, PE_BAD_VALUE, planned->output->name,
                         "must have the shape %s of the claim; the tensor has %s", right, got);
    } else {
        status = pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    }
    pe_plan_free(plan);
    return status;
}

/* ---- rounding ---------------------------------------------------------------------------- */

static uint64_t differs_of(const struct rounding *rounding, size_t count, double *ulp,
                           double *agree)
{
    uint64_t differs = 0, of = 0;

    *ulp = 0;
    for (size_t i = 0; i < count; i++) {
        differs += rounding[i].differs;
        of += rounding[i].of;
        *ulp = fmax(*ulp, rounding[i].max_ulp);
    }
    *agree = of > 0 ? 1 - (double)differs / (double)of : 1;
    return differs;
}

/* Returns whether a profile's numbers are those of the tensors to one step of the dtype, or two
 * where cosines are multiplied by a factor; those of turned vectors to four steps of the
 * largest of the row, since two terms may cancel. */
static bool is_profile(const struct rounding *rounding, const struct candidate *base)
{
    for (size_t i = 0; i < base->claim->subject_count; i++) {
        const struct wave *wave = &base->wave[i];
        const double most = wave->kind == WAVE_COLUMNS && wave->amplitude != 1 ? 2 : 1;
        const bool turned = args_tensor(base->claim->args, base->claim->subject[i].output);

        if (turned ? rounding[i].row_ulp > 4 : rounding[i].max_ulp > most)
            return false;
    }
    return true;
}

/* A value of profile is said alone, one of another parameter with its name. */
static void print_profile(struct pe_verdict *verdict, const struct change *change)
{
    const bool named = strcmp(change->param->name, "profile") == 0;

    snprintf(verdict->profile, sizeof verdict->profile, "%.30s%s%.40s",
             named ? "" : change->param->name, named ? "" : "=", change->text);
}

/* Finds the profile whose steps give most of the bits, and all to within one unit. */
static bool find_profile(struct pe_verdict *verdict, struct claim *claim,
                         const struct candidate *base)
{
    struct hypotheses list = {.count = 0};
    struct rounding rounding[CLAIM_SUBJECTS];
    const struct hypothesis *best = NULL;
    double ulp, agree = 0, best_agree = 0.6;

    schema_add_profiles(&list, claim);
    for (size_t i = 0; i < list.count && best_agree < 1; i++) {
        if (!rounding_compare(rounding, base, &list.at[i].changes, true, NULL, NULL))
            continue;
        verdict->tested++;
        differs_of(rounding, claim->subject_count, &ulp, &agree);
        if (!is_profile(rounding, base) || agree <= best_agree)
            continue;
        best = &list.at[i];
        best_agree = agree;
    }
    bool found = best && rounding_compare(rounding, base, &best->changes, false, NULL, NULL);
    if (found)
        differs_of(rounding, claim->subject_count, &ulp, &agree);
    found = found && is_profile(rounding, base);
    if (found) {
        print_profile(verdict, &best->changes.at[0]);
        verdict->agree = agree;
    }
    hypothesis_free(&list);
    return found;
}

/* Finds a freedom that the encoding leaves: signs and bases of eigenvectors. */
static bool find_freedom(struct pe_verdict *verdict, const struct candidate *base, double agree)
{
    bool bases;

    if (!basis_explains(base, &bases))
        return false;
    snprintf(verdict->profile, sizeof verdict->profile, "%s", bases ? "basis" : "sign");
    verdict->agree = agree;
    return true;
}

static void warn(struct pe_verdict *verdict)
{
    double cost = 0;

    for (size_t i = 0; i < verdict->tensor_count; i++)
        cost = fmax(cost, verdict->tensor[i].max_abs);
    if (verdict->kind == PE_PROFILE && cost > 1e-3 && isfinite(cost))
        snprintf(verdict->warning, sizeof verdict->warning,
                 "this arithmetic is off by %.2g at the worst element; angles in float64 are "
                 "not",
                 cost);
}

/* ---- the verdict ------------------------------------------------------------------------- */

static bool search_mistakes(struct pe_verdict *verdict, struct claim *claim,
                            struct search *search)
{
    bool ok = search_run(search, claim);

    verdict->tested += search->tested;
    verdict->budget_spent = search->spent && search->found_count == 0;
    if (search->nearest.count > 0 && search->found_count == 0) {
        verdict->next_slug = search->nearest.hypothesis[0].slug;
        verdict->next_max_abs = search->nearest.fit.max_abs;
    }
    verdict->kind = search->found_count > 0 ? PE_MISTAKE : PE_UNEXPLAINED;
    return ok;
}

/* Judges the claim's own candidate, which is NULL if no tensor has its shape. Unless it is the
 * right one there must be a search, whose cost is written to *cost in place of it, if cost is
 * not NULL. */
static bool judge(struct pe_verdict *verdict, struct claim *claim, const struct candidate *base,
                  struct search *search, double *cost)
{
    struct rounding rounding[CLAIM_SUBJECTS] = {{.differs = 0}};
    struct fit fit = {.within = INFINITY};
    double ulp, agree = 0;
    bool known = base && verdict_compare(verdict, base, rounding);

    *search = (struct search){.claim = claim};
    if (known && differs_of(rounding, claim->subject_count, &ulp, &agree) == 0) {
        verdict->kind = PE_EXACT;
        return true;
    }
    if (known && (find_profile(verdict, claim, base) || find_freedom(verdict, base, agree))) {
        verdict->kind = PE_PROFILE;
        return true;
    }
    if (base &&
        (!fit_sample(&fit, base) || (fit.within <= suspicious && !fit_all(&fit, base, false))))
        fit.within = INFINITY;
    if (fit.within <= 1 || (base && steps_explain(base))) {
        verdict->kind = PE_PROFILE;
        snprintf(verdict->profile, sizeof verdict->profile, "f32");
        verdict->agree = agree;
        return true;
    }
    verdict->kind = PE_UNEXPLAINED;
    for (size_t i = 0; base && i < claim->subject_count; i++)
        if (claim->subject[i].whole.nan)
            return true; /* nothing explains NaN */
    if (fit.within <= suspicious)
        return true;
    if (!cost)
        return search_mistakes(verdict, claim, search);
    *cost = cost_of_search(claim, base);
    return true;
}

/* Returns the claim's own candidate, perhaps with a choice that the claim leaves open. */
static struct candidate *candidate_of(struct claim *claim)
{
    struct candidate *base = candidate_new(claim, NULL, NULL);

    if (base && !candidate_all_fitted(base)) {
        candidate_free(base);
        base = fit_open_choice(claim);
    }
    for (size_t i = 0; base && i < claim->subject_count; i++)
        memcpy(claim->fits[i], base->fits[i], sizeof claim->fits[i]);
    return base;
}

/* A cost of 0 means that the verdict needed no search. */
static enum pe_status verify_claim(struct pe_verdict *verdict, struct claim *claim,
                                   const struct pe_verify_tensor *tensors, size_t count,
                                   const struct pe_verify_role *roles, double *cost,
                                   struct pe_errors *errors)
{
    struct candidate *base = candidate_of(claim);
    const bool stopped = pe_stop_is_set(claim->limits->stop); /* before its shape was known */
    enum pe_status status = PE_OK;
    struct search search;
    bool ok = judge(verdict, claim, base, &search, cost);

    if (ok && cost && *cost > 0) {
        candidate_free(base);
        return claim->failed ? pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory") : PE_OK;
    }
    const struct pe_stop *stop = claim->limits->stop;
    if (ok && pe_stop_is_set(stop) && verdict->kind == PE_UNEXPLAINED)
        verdict->budget_spent = true;
    ok = ok && !claim->failed;
    if (ok && !base && search.found_count == 0 && !verdict->budget_spent)
        status = refuse_shape(claim, errors);
    else
        verdict_kinds(verdict, base, count, roles);
    if (ok && !status && search.found_count > 0)
        explain_mistakes(verdict, &search, roles, count);
    else if (ok && !status && !claim->alone)
        explain_rest(verdict, base || stopped, roles, count);
    warn(verdict);
    verdict->claim = pe_args_ref(claim->args);
    search_fini(&search);
    candidate_free(base);
    ok = ok && !claim->failed; /* nor was there any lack while it was explained */
    return ok ? status : pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
}

static enum pe_status verify(struct pe_verdict **out, struct pe_args *args,
                             const struct pe_verify_tensor *tensors, size_t count,
                             const struct pe_verify_role *roles, double *cost, bool alone,
                             const struct pe_limits *limits, struct pe_errors *errors)
{
    struct pe_verdict *verdict = calloc(1, sizeof *verdict);
    struct claim claim;
    enum pe_status status;

    if (!verdict)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    const bool ready = claim_init(&claim, args, tensors, count, roles, NULL, limits);
    claim.alone = alone;
    status = ready ? verify_claim(verdict, &claim, tensors, count, roles, cost, errors)
                   : pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    claim_fini(&claim);
    if (status || (cost && *cost > 0))
        pe_verdict_free(verdict);
    else
        *out = verdict;
    return status;
}

enum pe_status pe_verify(struct pe_verdict **verdict, struct pe_args *args,
                         const struct pe_verify_tensor *tensors, size_t count,
                         const struct pe_verify_role *roles, const struct pe_limits *limits,
                         struct pe_errors *errors)
{
    return verify(verdict, args, tensors, count, roles, NULL, false, limits, errors);
}

enum pe_status pe_verify_quickly(struct pe_verdict **verdict, double *search,
                                 struct pe_args *args, const struct pe_verify_tensor *tensors,
                                 size_t count, const struct pe_verify_role *roles,
                                 const struct pe_limits *limits, struct pe_errors *errors)
{
    *verdict = NULL;
    *search = 0;
    return verify(verdict, args, tensors, count, roles, search, false, limits, errors);
}

enum pe_status verify_alone(struct pe_verdict **verdict, struct pe_args *args,
                            const struct pe_verify_tensor *tensors, size_t count,
                            const struct pe_verify_role *roles, const struct pe_limits *limits,
                            struct pe_errors *errors)
{
    return verify(verdict, args, tensors, count, roles, NULL, true, limits, errors);
}

double pe_verify_operations(struct pe_args *args, const struct pe_verify_tensor *tensors,
                            size_t count, const struct pe_verify_role *roles,
                            const struct pe_limits *limits)
{
    return cost_of_judging(args, tensors, count, roles, limits);
}
