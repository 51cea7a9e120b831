/* SPDX-License-Identifier: Apache-2.0
 * unshown.c - see unshown.h. A model has many parameters, of which a few rows of a table may
 * show some: a scaling of slow pairs is not seen in the cosines of eight positions. */
#include "core/verify/sight/unshown.h"

#include "core/verify/fit.h"

/* Returns whether a value may be left out: sizes and positions are shown by shapes. */
static bool is_optional(const struct pe_param *param)
{
    return param->type == PE_CHOICE || param->type == PE_REAL || param->type == PE_BOOL ||
           param->type == PE_INT;
}

/* Returns how right arguments are; PE_UNEXPLAINED where only a search could tell. */
static enum pe_verdict_kind judge(struct sight *sight, struct pe_args *args,
                                  const struct pe_verify_role *roles)
{
    struct pe_errors errors = {.count = 0};
    enum pe_verdict_kind kind = PE_UNEXPLAINED;
    struct pe_verdict *verdict = NULL;
    double search;

    if (pe_verify_quickly(&verdict, &search, args, sight->tensors, sight->count, roles, NULL,
                          &sight->limits, &errors) ||
        !verdict)
        return PE_UNEXPLAINED;
    sight->operations +=
        pe_verify_operations(args, sight->tensors, sight->count, roles, &sight->limits);
    kind = verdict->kind;
    pe_verdict_free(verdict);
    return kind;
}

/* Returns the arguments without a value, and without those that have no effect then, if the
 * sample is the same; NULL if it is not. */
static struct pe_args *without(struct claim *claim, const struct pe_param *param)
{
    struct changes changes = {.at = {{.param = param, .text = ""}}, .count = 1};
    struct candidate *candidate = candidate_new(claim, &changes, NULL);
    struct pe_args *args = NULL;
    struct fit fit;

    if (candidate && candidate_all_fitted(candidate) && fit_quickly(&fit, candidate))
        args = claim_args(claim, claim->enc, &changes, claim->outputs, CLAIM_NATURAL, NULL);
    candidate_free(candidate);
    return args;
}

/* Returns how many values arguments were given, by their sender or by a preset. */
static int count_given(const struct pe_args *args)
{
    return __builtin_popcountll(args->filled);
}

/* Returns arguments with one value less; NULL: the numbers show all. */
static struct pe_args *drop_one(struct sight *sight, struct pe_args *args,
                                const struct pe_verify_role *roles)
{
    const enum pe_verdict_kind kind = judge(sight, args, roles);
    struct pe_args *found = NULL;
    struct claim claim;

    const bool ready = claim_init(&claim, args, sight->tensors, sight->count, roles,
                                  sight->views, &sight->limits);
    for (size_t i = 0; ready && !found && i < args->enc->param_count; i++) {
        const struct pe_param *param = &args->enc->params[i];

        if (!(claim.set >> i & 1) || !claim.text[i] || !is_optional(param) ||
            sight_is_spent(sight) || sight->operations + claim.operations >= sight->end)
            continue;
        found = without(&claim, param);
        if (found &&
            (count_given(found) >= count_given(args) || judge(sight, found, roles) > kind)) {
            pe_args_free(found);
            found = NULL;
        }
    }
    sight->operations += ready ? claim.operations : 0;
    sight->failed = sight->failed || !ready || claim.failed;
    claim_fini(&claim);
    return found;
}

struct pe_args *unshown_drop(struct sight *sight, struct pe_args *args,
                             const struct pe_verify_role *roles)
{
    sight->end = sight->operations + UNSHOWN_SHARE * sight->budget;
    for (struct pe_args *less; (less = drop_one(sight, args, roles)) != NULL;) {
        pe_args_free(args);
        args = less;
    }
    return args;
}
