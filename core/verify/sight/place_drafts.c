/* SPDX-License-Identifier: Apache-2.0
 * place_drafts.c - see place_drafts.h. */
#include "core/verify/sight/place_drafts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/prepare/place.h"
#include "core/verify/sight/known.h"

enum { SLICE = 64 };
#define OF_ANGLE 60.0 /* operations to read the angle of a pair; three rows are read */
enum { ROWS_READ = 3 };

static const char *const widths[] = {"", "&width=full"};
static const char *const outputs[] = {"cos", "sin"};

/* Reads the positions that the tensor has under a query whose positions are from 0 on; false:
 * it has other columns, or angles that contradict each other. */
static bool read_place(struct sight *sight, const struct pe_encoding *enc, const char *query,
                       const struct pe_verify_role *roles, char place[SLICE])
{
    const struct draft draft = {.enc = enc, .query = query};
    const struct pe_param *missing;
    struct candidate *candidate = NULL;
    struct claim claim;
    bool read = false, backwards;

    struct pe_args *args = sight_args(sight, &draft, roles, &missing);
    if (!args)
        return false;
    if (claim_init(&claim, args, sight->tensors, sight->count, roles, sight->views,
                   &sight->limits))
        candidate = candidate_new(&claim, NULL, NULL);
    if (candidate && candidate_all_fitted(candidate)) {
        sight->operations += OF_ANGLE * ROWS_READ * (double)view_cols(&candidate->view[0]);
        read = place_read_slice(candidate, place, SLICE, &backwards) && !backwards;
    }
    candidate_free(candidate);
    sight->failed = sight->failed || claim.failed;
    sight->operations += claim.operations;
    claim_fini(&claim);
    pe_args_free(args);
    return read;
}

static struct pe_args *try_known(struct sight *sight, const struct pe_verify_known *known,
                                 struct pe_verify_role *roles)
{
    const uint64_t rows = view_rows(&sight->views[0]);
    struct pe_args *args = NULL;
    struct pe_errors errors;
    char place[SLICE], *query;

    pe_errors_clear(&errors);
    if (!pe_param_find(known->enc, "pos", 3) ||
        pe_verify_assign(known->enc, sight->tensors, sight->count, roles, &errors) != PE_OK ||
        !roles[0].output ||
        (strcmp(roles[0].output->name, "cos") != 0 &&
         strcmp(roles[0].output->name, "sin") != 0))
        return NULL;
    for (size_t i = 0; i < PE_LEN(widths) && !args; i++) {
        const char *before = known->query ? known->query : "";

        if (asprintf(&query, "%s%s&pos=0:%llu", before, widths[i], (unsigned long long)rows) <
            0) {
            sight->failed = true;
            return NULL;
        }
        const bool read = read_place(sight, known->enc, query, roles, place);
        free(query);
        if (!read)
            continue;
        if (asprintf(&query, "%s%s&pos=%s", before, widths[i], place) < 0) {
            sight->failed = true;
            return NULL;
        }
        args = sight_try(sight, known->enc, query, SIGHT_GIVEN, roles);
        free(query);
    }
    return args;
}

/* Returns whether the tensors may be tables of cosines and of sines, or one of them. */
static bool may_be_tables(const struct sight *sight)
{
    for (size_t i = 0; i < sight->count; i++) {
        const struct view *view = &sight->views[i];

        if (view->dtype > PE_BF16 || !view->finite || view->nan || view->infinite ||
            view_rows(view) < 2 || view_cols(view) < 2)
            return false;
    }
    return sight->count <= PE_LEN(outputs);
}

struct pe_args *place_drafts_try(struct sight *sight, const struct pe_verify_known *known,
                                 size_t count, struct pe_verify_role *roles)
{
    const struct pe_verify_tensor *tensors = sight->tensors;
    const bool guess = sight->count == 1 && !tensors[0].role;
    struct pe_verify_tensor named = tensors[0];
    struct pe_args *args = NULL;

    if (!may_be_tables(sight))
        return NULL;
    for (size_t way = 0; way < (guess ? PE_LEN(outputs) : 1) && !args; way++) {
        named.role = outputs[way];
        sight->tensors = guess ? &named : tensors;
        for (size_t i = 0; i < count && !args && !sight_is_spent(sight); i++)
            if (known_before(known, i) == i)
                args = try_known(sight, &known[i], roles);
        sight->tensors = tensors;
    }
    return args;
}
