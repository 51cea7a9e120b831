/* SPDX-License-Identifier: Apache-2.0
 * identify.c - finds a claim for tensors that came without one: first the known ones
 * (models), then every encoding with the sizes that the shapes say, then those with one
 * parameter changed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/fit.h"
#include "core/verify/verify.h"

enum { SIZES = 4, INFERRED = 4, SHAPED_MOST = 16 };

/* A search for a claim: the tensors, and the claims that have their shapes. */
struct sight {
    const struct pe_verify_tensor *tensors;
    size_t count;
    struct view views[PE_VERIFY_TENSORS]; /* the tensors */
    const struct pe_limits *limits;
    bool failed;                         /* there was no memory for a claim */
    struct pe_args *shaped[SHAPED_MOST]; /* checked, of the right shapes, with other numbers */
    size_t shaped_count;
};

/* A claim in the making: names and values joined as in a query, and sizes that were
 * inferred. */
struct draft {
    const struct pe_encoding *enc;
    const char *query;
    struct {
        const struct pe_param *param;
        char text[48];
    } inferred[INFERRED];
    size_t inferred_count;
};

/* Assume the values of a query: a model has some that an output does not use. False when out of
 * memory. */
static bool assume_query(struct pe_args *args, const char *query, struct pe_errors *errors)
{
    char *copy = strdup(query ? query : "");

    for (char *pair = copy, *end; pair && *pair; pair = end) {
        char *equals = strchr(pair, '=');

        end = strchrnul(pair, '&');
        if (*end)
            *end++ = '\0';
        if (equals) {
            *equals = '\0';
            (void)pe_args_assume(args, pair, equals + 1, errors);
        }
    }
    free(copy);
    return copy != NULL;
}

/* Makes checked arguments of a draft; NULL, and what is missing in *missing. */
static struct pe_args *draft_args(const struct sight *sight, const struct draft *draft,
                                  const struct pe_verify_role *roles,
                                  const struct pe_param **missing)
{
    struct pe_args *args = pe_args_new(draft->enc);
    struct pe_errors errors;

    pe_errors_clear(&errors);
    *missing = NULL;
    if (!args)
        return NULL;
    if (!assume_query(args, draft->query, &errors)) {
        pe_args_free(args);
        return NULL;
    }
    for (size_t i = 0; i < draft->inferred_count; i++)
        pe_args_set_text(args, draft->inferred[i].param->name,
                         strlen(draft->inferred[i].param->name), draft->inferred[i].text,
                         strlen(draft->inferred[i].text), &errors);
    if (errors.count == 0 &&
        pe_verify_prepare(args, sight->tensors, sight->count, roles, &errors) == PE_OK &&
        pe_args_check(args, &errors) == PE_OK)
        return args;
    for (size_t i = 0; i < errors.count; i++)
        if (errors.at[i].status == PE_MISSING_PARAMETER && !*missing)
            *missing = pe_param_find(draft->enc, errors.at[i].parameter,
                                     strlen(errors.at[i].parameter));
    pe_args_free(args);
    return NULL;
}

/* Returns whether the tensors fit the arguments; their numbers too, or only their shapes. */
static bool fits(struct sight *sight, struct pe_args *args, const struct pe_verify_role *roles,
                 bool *shaped)
{
    struct candidate *candidate = NULL;
    struct claim claim;
    struct fit fit = {.within = 2};

    if (claim_init(&claim, args, sight->tensors, sight->count, roles, sight->views,
                   sight->limits))
        candidate = candidate_new(&claim, NULL, NULL);
    *shaped = candidate && candidate_all_fitted(candidate);
    bool near = *shaped && fit_sample(&fit, candidate) && fit.within <= 1 &&
                fit_all(&fit, candidate, true) && fit.within <= 1;
    sight->failed = sight->failed || claim.failed;
    candidate_free(candidate);
    claim_fini(&claim);
    return near;
}

/* Writes the values that a missing parameter may have, number `i` of them; false: no more. */
static bool infer(const struct sight *sight, const struct pe_param *param, size_t i, char *text,
                  size_t size)
{
    const struct pe_tensor *info = &sight->tensors[0].info;
    const size_t axis = i / 2;

    if (axis >= info->rank || axis >= SIZES)
        return false;
    unsigned long long dim = info->dims[axis];
    if (param->type == PE_POSITIONS)
        snprintf(text, size, "0:%llu", dim);
    else
        snprintf(text, size, "%llu", i % 2 == 0 ? dim : 2 * dim);
    return true;
}

static bool is_stopped(const struct sight *sight)
{
    return pe_stop_is_set(sight->limits->stop);
}

static struct pe_args *try(struct sight *sight, const struct draft *draft,
                           const struct pe_verify_role *roles)
{
    const struct pe_param *missing;
    struct pe_args *args;
    bool shaped;

    if (is_stopped(sight))
        return NULL;
    args = draft_args(sight, draft, roles, &missing);
    if (args && fits(sight, args, roles, &shaped))
        return args;
    if (args && shaped && sight->shaped_count < SHAPED_MOST) {
        sight->shaped[sight->shaped_count++] = args;
        return NULL;
    }
    pe_args_free(args);
    if (args || !missing || draft->inferred_count == INFERRED ||
        (missing->type != PE_INT && missing->type != PE_POSITIONS))
        return NULL;
    struct draft more = *draft;
    more.inferred[more.inferred_count++].param = missing;
    for (size_t i = 0; infer(sight, missing, i, more.inferred[more.inferred_count - 1].text,
                             sizeof more.inferred->text);
         i++) {
        args = try(sight, &more, roles);
        if (args)
            return args;
    }
    return NULL;
}

static struct pe_args *try_encoding(struct sight *sight, const struct pe_encoding *enc,
                                    const char *query, struct pe_verify_role *roles)
{
    const struct draft draft = {.enc = enc, .query = query};
    struct pe_errors errors;

    pe_errors_clear(&errors);
    if (pe_verify_assign(enc, sight->tensors, sight->count, roles, &errors) != PE_OK)
        return NULL;
    return try(sight, &draft, roles);
}

/* Judges the claims of the right shapes: where one changed parameter explains the numbers, the
 * claim with it is the one. */
static struct pe_args *try_shaped(struct sight *sight, struct pe_verify_role *roles)
{
    struct pe_args *found = NULL;
    struct pe_errors errors;

    for (size_t i = 0; i < sight->shaped_count && !found && !is_stopped(sight); i++) {
        struct pe_args *args = sight->shaped[i];
        struct pe_verdict *verdict;

        pe_errors_clear(&errors);
        if (pe_verify_assign(args->enc, sight->tensors, sight->count, roles, &errors) ||
            verify_alone(&verdict, args, sight->tensors, sight->count, roles, sight->limits,
                         &errors))
            continue;
        if (verdict->kind == PE_MISTAKE && verdict->explanation.count == 1 &&
            verdict->explanation.found)
            found = pe_args_ref(verdict->explanation.found);
        pe_verdict_free(verdict);
    }
    return found;
}

static enum pe_status unknown(struct pe_errors *errors, const struct pe_verify_tensor *tensors,
                              size_t count)
{
    char names[120] = "";
    size_t len = 0;

    for (size_t i = 0; i < count && len < sizeof names - 40; i++)
        len += (size_t)snprintf(names + len, sizeof names - len, "%s%.32s", i > 0 ? ", " : "",
                                tensors[i].name);
    return pe_fail(errors, PE_UNKNOWN_NAME, "encoding",
                   "is required here: no encoding and no model has these numbers by itself "
                   "(tensors: %s)",
                   names);
}

static void drop_shaped(struct sight *sight)
{
    for (size_t i = 0; i < sight->shaped_count; i++)
        pe_args_free(sight->shaped[i]);
    sight->shaped_count = 0;
}

/* Try the known claims: by the defaults of their encodings, which say more than a name does,
 * and then by their own parameters. */
static struct pe_args *try_known(struct sight *sight, const struct pe_verify_known *known,
                                 size_t count, struct pe_verify_role *roles,
                                 const struct pe_verify_known **found)
{
    struct pe_args *args = NULL;

    for (size_t i = 0; i < count && !args; i++)
        if (i == 0 || known[i].enc != known[i - 1].enc)
            args = try_encoding(sight, known[i].enc, NULL, roles);
    drop_shaped(sight);
    for (size_t i = 0; i < count && !args; i++) {
        args = try_encoding(sight, known[i].enc, known[i].query, roles);
        if (args)
            *found = &known[i];
        drop_shaped(sight);
    }
    return args;
}

/* Try every encoding, those of shorter names first: causal-mask is more general than
 * attention-sink-window-mask, whose numbers without a sink and a window are the same. */
static struct pe_args *try_all(struct sight *sight, struct pe_verify_role *roles)
{
    struct pe_args *args = NULL;
    size_t longest = 0;

    for (size_t i = 0; i < pe_count(); i++)
        longest = strlen(pe_at(i)->name) > longest ? strlen(pe_at(i)->name) : longest;
    for (size_t length = 1; length <= longest; length++)
        for (size_t i = 0; i < pe_count() && !args; i++)
            if (strlen(pe_at(i)->name) == length)
                args = try_encoding(sight, pe_at(i), NULL, roles);
    return args;
}

enum pe_status pe_verify_identify(struct pe_args **out, const struct pe_verify_known **found,
                                  const struct pe_verify_tensor *tensors, size_t count,
                                  const struct pe_verify_known *known, size_t known_count,
                                  struct pe_verify_role roles[PE_VERIFY_TENSORS],
                                  const struct pe_limits *limits, struct pe_errors *errors)
{
    struct sight sight = {.tensors = tensors, .count = count, .limits = limits};

    *found = NULL;
    if (count == 0 || count > PE_VERIFY_TENSORS)
        return unknown(errors, tensors, count > PE_VERIFY_TENSORS ? 0 : count);
    for (size_t i = 0; i < count; i++)
        sight.views[i] = view_of(&tensors[i]);
    struct pe_args *args = try_known(&sight, known, known_count, roles, found);
    if (!args)
        args = try_all(&sight, roles);
    if (!args)
        args = try_shaped(&sight, roles);
    drop_shaped(&sight);
    if (!args && sight.failed)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    if (!args && is_stopped(&sight))
        return pe_fail(errors, PE_UNKNOWN_NAME, "encoding",
                       "is required here: the search for it ended before all were tried");
    if (!args)
        return unknown(errors, tensors, count);
    *out = args;
    return PE_OK;
}
