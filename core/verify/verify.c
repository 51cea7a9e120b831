/* SPDX-License-Identifier: Apache-2.0
 * verify.c - judges tensors by a claim and puts what is found into words. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/math/number/mpfr_memory.h"
#include "core/verify/cost.h"
#include "core/verify/explain.h"
#include "core/verify/judge/judge.h"
#include "core/verify/judge/shape.h"
#include "core/verify/solve/findings.h"
#include "core/verify/verdict.h"
#include "core/verify/verify.h"

const char *pe_verdict_name(enum pe_verdict_kind kind)
{
    static const char *const names[] = {
#define VERDICT(ID, NAME) [PE_##ID] = NAME,
#include "core/verify/verdicts.def"
#undef VERDICT
    };

    _Static_assert(sizeof names / sizeof *names == PE_UNEXPLAINED + 1,
                   "every verdict has a row");
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

static bool is_stopped(const struct claim *claim)
{
    return pe_stop_is_set(claim->limits->stop);
}

/* A cost of 0 means that the verdict needed no search. */
static enum pe_status verify_claim(struct pe_verdict *verdict, struct claim *claim,
                                   const struct pe_verify_tensor *tensors, size_t count,
                                   const struct pe_verify_role *roles,
                                   const struct pe_verify_tolerance *tolerance, double *cost,
                                   struct pe_errors *errors)
{
    struct candidate *base = shape_candidate(claim);
    enum pe_status status = PE_OK;
    struct findings findings;
    struct search search;
    bool ok = judge_claim(verdict, claim, base, tolerance, &search, cost);

    if (ok && cost && *cost > 0) {
        candidate_free(base);
        return claim->failed ? pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory") : PE_OK;
    }
    ok = ok && !claim->failed;
    const bool done = ok && verdict->kind == PE_UNEXPLAINED && search.found_count == 0 &&
                      !verdict->budget_spent && !is_stopped(claim);
    if (done)
        status = base ? shape_refuse_row(base, errors) : shape_refuse(claim, errors);
    if (!status)
        verdict_kinds(verdict, base, count, roles);
    if (!claim->alone) /* of many claims that are tried, none of which is told */
        findings_read(&findings, verdict, base);
    if (ok && !status && search.found_count > 0)
        explain_mistakes(verdict, &search, base, roles, count);
    else if (ok && !status && !claim->alone)
        explain_rest(verdict, !verdict->budget_spent, findings.says, roles, count);
    if (ok && !status && is_stopped(claim)) /* what was found may not be all */
        status = pe_fail(errors, PE_STOPPED, NULL, "the search did not end in time");
    warn(verdict);
    verdict->claim = pe_args_ref(claim->args);
    search_fini(&search);
    candidate_free(base);
    ok = ok && !claim->failed; /* nor was there any lack while it was explained */
    return ok ? status : pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
}

/* Judges a claim. alone: 0, or the operations after which a search of hypotheses that are
 * tested alone ends. */
static enum pe_status verify(struct pe_verdict **out, struct pe_args *args,
                             const struct pe_verify_tensor *tensors, size_t count,
                             const struct pe_verify_role *roles,
                             const struct pe_verify_tolerance *tolerance, double *cost,
                             double alone, const struct pe_limits *limits,
                             struct pe_errors *errors)
{
    struct pe_verdict *verdict = calloc(1, sizeof *verdict);
    struct claim claim;
    enum pe_status status;

    if (!verdict)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    mpfr_memory_hold_constants();
    const bool ready = claim_init(&claim, args, tensors, count, roles, NULL, limits);
    claim.alone = alone > 0;
    claim.budget = alone > 0 ? fmin(alone, cost_limit(&claim)) : cost_limit(&claim);
    status = ready
                 ? verify_claim(verdict, &claim, tensors, count, roles, tolerance, cost, errors)
                 : pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    claim_fini(&claim);
    mpfr_memory_release_constants();
    if (status || (cost && *cost > 0))
        pe_verdict_free(verdict);
    else
        *out = verdict;
    return status;
}

enum pe_status pe_verify(struct pe_verdict **verdict, struct pe_args *args,
                         const struct pe_verify_tensor *tensors, size_t count,
                         const struct pe_verify_role *roles,
                         const struct pe_verify_tolerance *tolerance,
                         const struct pe_limits *limits, struct pe_errors *errors)
{
    return verify(verdict, args, tensors, count, roles, tolerance, NULL, 0, limits, errors);
}

enum pe_status pe_verify_quickly(struct pe_verdict **verdict, double *search,
                                 struct pe_args *args, const struct pe_verify_tensor *tensors,
                                 size_t count, const struct pe_verify_role *roles,
                                 const struct pe_verify_tolerance *tolerance,
                                 const struct pe_limits *limits, struct pe_errors *errors)
{
    *verdict = NULL;
    *search = 0;
    return verify(verdict, args, tensors, count, roles, tolerance, search, 0, limits, errors);
}

enum pe_status verify_alone(struct pe_verdict **verdict, struct pe_args *args,
                            const struct pe_verify_tensor *tensors, size_t count,
                            const struct pe_verify_role *roles, double operations,
                            const struct pe_limits *limits, struct pe_errors *errors)
{
    assert(operations > 0);
    return verify(verdict, args, tensors, count, roles, NULL, NULL, operations, limits, errors);
}

double pe_verify_operations(struct pe_args *args, const struct pe_verify_tensor *tensors,
                            size_t count, const struct pe_verify_role *roles,
                            const struct pe_limits *limits)
{
    return cost_of_judging(args, tensors, count, roles, limits);
}
