/* SPDX-License-Identifier: Apache-2.0
 * sight.c - see sight.h. A draft is refused, tested, or grows by what it lacks. */
#include "core/verify/sight/sight.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/args.h"
#include "core/plan/plan_size.h"
#include "core/verify/cost.h"
#include "core/verify/fit.h"
#include "core/verify/judge/printed.h"
#include "core/verify/judge/shape.h"
#include "core/verify/prepare/prepare.h"
#include "core/verify/role/role_content.h"
#include "core/verify/sight/example.h"
#include "core/verify/sight/repeats.h"
#include "core/verify/sight/shown_ids.h"
#include "core/verify/sight/shown_mask.h"
#include "core/verify/sight/unroll.h"

enum { PLANNED_MOST = 50000000 };   /* operations of planning one draft */
enum { UNLIKE_MOST = 2000000 };     /* and of one whose numbers the tensors cannot be */
enum { SMALL_MOST = 4 };            /* whole numbers that are tried beside those shown */
enum { TRIED_MOST = 1500 };         /* drafts of one encoding, */
static const double each = 2e7;     /* its operations in one go, */
static const double budget = 2.4e8; /* and those of all drafts, */
#define FREE_ELEMENTS 0x1p19        /* and for each element beyond so many */
#define BUDGET_EACH 1000.0
#define OF_DRAFT 1500.0  /* operations to make arguments and look at their shapes, */
#define OF_ELEMENT 120.0 /* to read an element in looks that nothing else counts, */
#define OF_ROLES 15000.0 /* to give a tensor its role by a look at its numbers, */
#define PASSES 3.0       /* to judge it without a search: so many looks at all rows, */
#define OF_PRINTED 60.0  /* and to find how it was printed */
#define PRINTED_FAR 1e-3 /* what printing moves an element by at most */

double sight_budget(double elements)
{
    return budget + BUDGET_EACH * fmax(0, elements - FREE_ELEMENTS);
}

/* Orders the encodings by the lengths of their names, then as the registry does. */
static const struct pe_encoding **order_encodings(void)
{
    const struct pe_encoding **shortest = calloc(pe_count() + 1, sizeof(*shortest));

    for (size_t i = 0; shortest && i < pe_count(); i++) {
        size_t at = i;

        for (; at > 0 && strlen(shortest[at - 1]->name) > strlen(pe_at(i)->name); at--)
            shortest[at] = shortest[at - 1];
        shortest[at] = pe_at(i);
    }
    return shortest;
}

bool sight_init(struct sight *sight, const struct pe_verify_tensor *tensors, size_t count,
                const struct pe_limits *limits)
{
    *sight = (struct sight){.tensors = tensors, .count = count, .limits = *limits};
    if (sight->limits.max_operations == 0 || sight->limits.max_operations > PLANNED_MOST)
        sight->limits.max_operations = PLANNED_MOST;
    sight->shown = calloc(1, sizeof *sight->shown);
    sight->shortest = order_encodings();
    if (!sight->shown || !sight->shortest) {
        sight_fini(sight);
        return false;
    }
    double elements = 0;
    for (size_t i = 0; i < count; i++) {
        sight->views[i] = view_of(&tensors[i]);
        sight->hidden[i] = role_content_hidden(&tensors[i]);
        sight->runs_of_numbers += repeats_runs(&sight->views[i]);
        elements += (double)view_rows(&sight->views[i]) * (double)view_cols(&sight->views[i]);
    }
    sight->operations = OF_ELEMENT * elements;
    sight->budget = sight->end = sight_budget(elements);
    sight->mask = sight->views[0];
    if (count == 1 && unroll_runs(&sight->unrolled, &sight->views[0], &sight->failed)) {
        sight->mask = view_of(&sight->unrolled);
        sight->runs = tensors[0];
        sight->runs.role = "runs";
        shown_read_sizes(sight->shown, &sight->mask, 1);
    }
    shown_read_sizes(sight->shown, sight->views, count);
    for (size_t i = 0; i < count; i++) {
        shown_read_mask(sight->shown, i == 0 ? &sight->mask : &sight->views[i]);
        shown_read_ids(sight->shown, &sight->views[i]);
    }
    for (int64_t small = 1; small <= SMALL_MOST; small++)
        shown_add_whole(sight->shown, small);
    sight->failed = sight->failed || sight->shown->failed;
    return true;
}

void sight_fini(struct sight *sight)
{
    shaped_fini(sight->shaped, sight->shaped_count);
    sight->shaped_count = 0;
    pe_args_free(sight->mistaken);
    free((void *)sight->unrolled.data);
    free(sight->shown);
    free(sight->shortest);
}

bool sight_is_spent(const struct sight *sight)
{
    return pe_stop_is_set(sight->limits.stop) || sight->operations >= sight->end;
}

void sight_begin(struct sight *sight, double share)
{
    sight->end = share * sight->budget;
}

/* Assumes the values of a query: a model has some that an output does not use. False when out
 * of memory. */
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

struct pe_args *sight_args(struct sight *sight, const struct draft *draft,
                           const struct pe_verify_role *roles, const struct pe_param **missing)
{
    struct pe_args *args = pe_args_new(draft->enc);
    struct pe_errors errors;

    pe_errors_clear(&errors);
    *missing = NULL;
    if (!args || !assume_query(args, draft->query, &errors)) {
        sight->failed = true;
        pe_args_free(args);
        return NULL;
    }
    for (size_t i = 0; i < draft->inferred_count; i++)
        pe_args_set_text(args, draft->inferred[i].param->name,
                         strlen(draft->inferred[i].param->name), draft->inferred[i].text,
                         strlen(draft->inferred[i].text), &errors);
    sight->operations += OF_DRAFT;
    if (errors.count == 0 &&
        prepare_args(args, sight->tensors, sight->count, roles, sight->hidden, &errors) ==
            PE_OK &&
        pe_args_check(args, &errors) == PE_OK)
        return args;
    for (size_t i = 0; i < errors.count; i++)
        if (errors.at[i].status == PE_MISSING_PARAMETER && !*missing)
            *missing = pe_param_find(draft->enc, errors.at[i].parameter,
                                     strlen(errors.at[i].parameter));
    pe_args_free(args);
    return NULL;
}

/* Returns whether the tensors are the candidate's numbers as a text has them. */
static bool fits_printed(struct sight *sight, const struct candidate *candidate, double far)
{
    char profile[PE_VERIFY_TEXT];

    if (far > PRINTED_FAR)
        return false;
    for (size_t i = 0; i < candidate->claim->subject_count; i++)
        sight->operations += OF_PRINTED * (double)candidate_rows(candidate, i) *
                             (double)candidate_cols(candidate, i);
    return printed_explains(candidate, profile);
}

/* Returns whether the arguments of a claim have the tensors' numbers; else writes what it is
 * where these have the shapes and none of its encoding is kept: otherwise its `right` is below
 * 0. */
static bool fits(struct sight *sight, struct shaped_claim *shaped,
                 const struct pe_verify_role *roles)
{
    const enum shaped look = shaped_look(shaped->args, sight->views, sight->count, roles,
                                         sight->known, &sight->failed);
    const bool wanted = !shaped_has(sight->shaped, sight->shaped_count, shaped->args->enc);
    struct candidate *candidate = NULL, *turned = NULL;
    struct fit fit = {.within = 2};
    struct claim claim;

    shaped->right = -1;
    shaped->unlike = look == SHAPED_UNLIKE;
    if (look == SHAPED_OTHERWISE ||
        (shaped->unlike && (!wanted || pe_args_operations(shaped->args) > UNLIKE_MOST)))
        return false;
    if (claim_init(&claim, shaped->args, sight->tensors, sight->count, roles, sight->views,
                   &sight->limits))
        candidate = candidate_new(&claim, NULL, NULL);
    assert(!candidate || candidate_all_fitted(candidate));
    if (candidate)
        turned = shape_turned(&claim, candidate);
    if (turned) {
        candidate_free(candidate);
        candidate = turned;
    }
    const bool near =
        candidate &&
        ((fit_quickly(&fit, candidate) && fit_all(&fit, candidate, true) && fit.within <= 1) ||
         fits_printed(sight, candidate, fit.max_abs));
    for (size_t i = 0; candidate && i < claim.subject_count; i++)
        shaped->cost +=
            PASSES * (double)candidate_rows(candidate, i) * cost_of_row(candidate, i);
    if (candidate && !near && wanted && fit_near(&fit, candidate) && fit.elements > 0)
        shaped->right = 1 - (double)fit.far / (double)fit.elements;

    sight->failed = sight->failed || claim.failed;
    sight->operations += claim.operations;
    candidate_free(candidate);
    claim_fini(&claim);
    return near;
}

/* Finds the value number i of the last inferred parameter: what the tensors show, and behind
 * that the value of an example. False: there are no more. */
static bool infer(const struct sight *sight, struct draft *draft, enum sight_depth depth,
                  size_t i)
{
    const size_t at = draft->inferred_count - 1;
    const struct pe_param *param = draft->inferred[at].param;
    char *example = draft->inferred[at].example;

    const bool sizes =
        depth == SIGHT_SIZES || (depth == SIGHT_NUMBERS && param->type != PE_INT);

    draft->inferred[at].text = shown_text(sight->shown, param, sizes, i);
    if (draft->inferred[at].text)
        return true;
    draft->inferred[at].text = example;
    return depth == SIGHT_EXAMPLES &&
           (i == 0 || shown_text(sight->shown, param, false, i - 1)) &&
           example_value(example, SIGHT_EXAMPLE, draft->enc, param);
}

/* Returns whether the lists that were inferred repeat the numbers. */
static bool repeats(const struct sight *sight, const struct draft *draft)
{
    uint64_t told = 0;

    for (size_t i = 0; i < draft->inferred_count; i++)
        if ((draft->inferred[i].param->type == PE_REALS ||
             draft->inferred[i].param->type == PE_POSITIONS) &&
            draft->inferred[i].text != draft->inferred[i].example)
            told += repeats_list(draft->inferred[i].text);
    return repeats_numbers(told, sight->runs_of_numbers);
}

/* Returns the parameter that doubles the columns of the tables of these arguments, which do not
 * have it, where the tensors have twice as many; else NULL. */
static const struct pe_param *doubling(const struct sight *sight, const struct pe_args *args,
                                       const struct pe_verify_role *roles)
{
    const size_t width = args_find(args->enc, "width", strlen("width"));

    if (width == SIZE_MAX || args_bit(args->filled, width))
        return NULL;
    const struct pe_tensor_info tensor = pe_args_tensor(args);
    for (size_t i = 0; i < sight->count; i++) {
        const struct view view = roles[i].form == PE_FORM_WHOLE
                                     ? sight->views[i]
                                     : view_part(&sight->views[i], roles[i].form, 0);

        if (roles[i].output == tensor.output)
            return view_cols(&view) == 2 * tensor.cols ? &args->enc->params[width] : NULL;
    }
    return NULL;
}

static struct pe_args *try(struct sight *sight, struct draft *draft, enum sight_depth depth,
                           const struct pe_verify_role *roles);

/* Tries the draft with full rows of cosines. */
static struct pe_args *try_doubled(struct sight *sight, struct draft *draft,
                                   const struct pe_param *width,
                                   const struct pe_verify_role *roles)
{
    draft->inferred[draft->inferred_count].param = width;
    draft->inferred[draft->inferred_count++].text = "full";
    struct pe_args *args = try(sight, draft, SIGHT_GIVEN, roles);
    draft->inferred_count--;
    return args;
}

static struct pe_args *try(struct sight *sight, struct draft *draft, enum sight_depth depth,
                           const struct pe_verify_role *roles)
{
    const struct pe_param *missing;

    if (sight_is_spent(sight) || draft->tried++ == TRIED_MOST ||
        sight->operations > draft->begun + each || repeats(sight, draft))
        return NULL;
    struct pe_args *args = sight_args(sight, draft, roles, &missing);
    struct shaped_claim shaped = {.args = args, .right = -1};
    if (args && fits(sight, &shaped, roles))
        return args;
    if (shaped.right >= 0) {
        sight->shaped_count = shaped_keep(sight->shaped, sight->shaped_count, &shaped);
        return NULL;
    }
    const struct pe_param *width =
        args && draft->inferred_count < SIGHT_INFERRED ? doubling(sight, args, roles) : NULL;
    pe_args_free(args);
    if (width)
        return try_doubled(sight, draft, width, roles);
    if (args || !missing || draft->inferred_count == SIGHT_INFERRED)
        return NULL;
    draft->inferred[draft->inferred_count++].param = missing;
    for (size_t i = 0; draft->tried <= TRIED_MOST && infer(sight, draft, depth, i); i++) {
        args = try(sight, draft, depth, roles);
        if (args)
            return args;
    }
    draft->inferred_count--;
    return NULL;
}

/* Tries the examples of an encoding, as they are or in the sizes of the tensors. */
static struct pe_args *try_examples(struct sight *sight, const struct pe_encoding *enc,
                                    bool as_they_are, const struct pe_verify_role *roles)
{
    struct pe_args *args = NULL;

    for (size_t i = 0; enc->examples && enc->examples[i] && !args; i++) {
        char query[EXAMPLE_QUERY];
        struct draft draft = {.enc = enc, .query = query, .begun = sight->operations};

        if (example_query(query, enc, enc->examples[i], as_they_are))
            args = try(sight, &draft, as_they_are ? SIGHT_GIVEN : SIGHT_SHOWN, roles);
    }
    return args;
}

struct pe_args *sight_try(struct sight *sight, const struct pe_encoding *enc, const char *query,
                          enum sight_depth depth, struct pe_verify_role *roles)
{
    struct draft draft = {.enc = enc, .query = query, .begun = sight->operations};
    struct pe_errors errors;

    pe_errors_clear(&errors);
    sight->operations += OF_ROLES * (double)sight->count;
    if (pe_verify_assign(enc, sight->tensors, sight->count, roles, &errors) != PE_OK ||
        role_content_is_other(sight->tensors, sight->count, roles) ||
        repeats_role(sight->views, sight->count, roles))
        return NULL;
    if (depth == SIGHT_LIKE)
        return try_examples(sight, enc, true, roles);
    struct pe_args *args = try(sight, &draft, depth, roles);
    return args || depth != SIGHT_EXAMPLES ? args : try_examples(sight, enc, false, roles);
}

const struct pe_encoding *sight_encoding(const struct sight *sight, enum pe_family family,
                                         const char *const *names, size_t *i)
{
    while (*i < pe_count()) {
        const struct pe_encoding *enc = sight->shortest[(*i)++];
        bool all = enc->family == family;

        for (size_t j = 0; all && names[j]; j++)
            all = pe_param_find(enc, names[j], strlen(names[j])) != NULL;
        if (all)
            return enc;
    }
    return NULL;
}
