/* SPDX-License-Identifier: Apache-2.0
 * identify.c - finds a claim for tensors that came without one: what rotary tables show, then
 * the known ones (models), then every encoding with the values that the tensors show, those
 * with one parameter changed, and those of the examples. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/math/number/mpfr_memory.h"
#include "core/verify/sight/axes_drafts.h"
#include "core/verify/sight/bias_drafts.h"
#include "core/verify/sight/choices.h"
#include "core/verify/sight/exchanged.h"
#include "core/verify/sight/ids_drafts.h"
#include "core/verify/sight/known.h"
#include "core/verify/sight/line_drafts.h"
#include "core/verify/sight/mask_drafts.h"
#include "core/verify/sight/place_drafts.h"
#include "core/verify/sight/sight.h"
#include "core/verify/sight/unshown.h"
#include "core/verify/sight/waves.h"
#include "core/verify/verify.h"

/* The share of its numbers that a claim must have right to be the one that was meant. */
#define EVIDENCE 0.25
/* The share of the operations that are left which a search for one of its mistakes may take. */
#define LEFT 0.5

/* Returns the claim of one that has the right shapes and whose numbers one mistake explains:
 * the claim with the parameter that differs, or itself. A mask, or whole numbers, have few
 * values, which many mistakes make: only a parameter counts there. */
static struct pe_args *claim_of(struct pe_args *args, const struct pe_verdict *verdict,
                                bool *changed)
{
    const struct pe_explanation *explanation = &verdict->explanation;

    *changed = explanation->found != NULL;
    if (verdict->kind != PE_MISTAKE || explanation->count != 1)
        return NULL;
    if (explanation->found)
        return pe_args_ref(explanation->found);
    return args->enc->family != PE_MASK && args->enc->outputs[0].natural <= PE_BF16
               ? pe_args_ref(args)
               : NULL;
}

/* Judges the claims of the right shapes, the nearest first: one that a changed parameter makes
 * right is found. The first that has another mistake is kept, in case nothing is found. */
static struct pe_args *try_shaped(struct sight *sight, struct pe_verify_role *roles)
{
    struct pe_args *found = NULL;
    struct pe_errors errors;

    for (size_t i = 0; i < sight->shaped_count && !found && !sight_is_spent(sight); i++) {
        struct pe_args *args = sight->shaped[i].args;
        struct pe_verdict *verdict;
        bool changed;

        if (sight->shaped[i].unlike && sight->shaped[i].right < EVIDENCE)
            continue; /* another value gives it no other numbers, and it has few of them */
        pe_errors_clear(&errors);
        const double left = LEFT * (sight->end - sight->operations) - sight->shaped[i].cost;
        if (left <= 0 ||
            pe_verify_assign(args->enc, sight->tensors, sight->count, roles, &errors) ||
            verify_alone(&verdict, args, sight->tensors, sight->count, roles, left,
                         &sight->limits, &errors))
            continue;
        sight->operations += sight->shaped[i].cost + verdict->operations;
        struct pe_args *claim = claim_of(args, verdict, &changed);
        pe_verdict_free(verdict);
        if (claim && changed)
            found = claim;
        else if (claim && !sight->mistaken && sight->shaped[i].right >= EVIDENCE)
            sight->mistaken = claim;
        else
            pe_args_free(claim);
    }
    return found;
}

/* Returns the claim that has a mistake which the verdict then names, and sets its roles; NULL:
 * there is none. */
static struct pe_args *take_mistaken(struct sight *sight, struct pe_verify_role *roles)
{
    struct pe_args *args = sight->mistaken;
    struct pe_errors errors;

    pe_errors_clear(&errors);
    if (!args || pe_verify_assign(args->enc, sight->tensors, sight->count, roles, &errors))
        return NULL;
    sight->mistaken = NULL;
    return args;
}

/* Fails with the names of tensors that nothing has, and what a mask reads as. */
static enum pe_status unknown(struct pe_errors *errors, const struct pe_verify_tensor *tensors,
                              size_t count, const char *reads)
{
    char names[120] = "";
    size_t len = 0;

    for (size_t i = 0; i < count && len < sizeof names - 40; i++)
        len += (size_t)snprintf(names + len, sizeof names - len, "%s%.32s", i > 0 ? ", " : "",
                                tensors[i].name[0] ? tensors[i].name : "the tensor");
    return pe_fail(errors, PE_UNKNOWN_NAME, "encoding",
                   "no encoding and no model that was tried has the numbers of %s; give the "
                   "encoding or the model that was meant%s%s",
                   count > 0 ? names : "no tensor", reads[0] ? "; as a mask they read: " : "",
                   reads);
}

/* Tries the known claims: by the defaults of their encodings, which say more than a name does,
 * and then by their own parameters. */
static struct pe_args *try_known(struct sight *sight, const struct pe_verify_known *known,
                                 size_t count, struct pe_verify_role *roles)
{
    struct pe_args *args = NULL;

    for (size_t i = 0; i < count && !args; i++)
        if (!known_has_encoding(known, i, known[i].enc))
            args = sight_try(sight, known[i].enc, NULL, SIGHT_SIZES, roles);
    for (size_t i = 0; i < count && !args && !sight_is_spent(sight); i++)
        if (known_before(known, i) == i)
            args = sight_try(sight, known[i].enc, known[i].query, SIGHT_SIZES, roles);
    return args;
}

/* Tries every encoding, or those of masks alone, those of shorter names first: causal-mask is
 * more general than attention-sink-window-mask, whose numbers without a sink and a window are
 * the same. */
static struct pe_args *try_all(struct sight *sight, enum sight_depth depth, bool masks,
                               struct pe_verify_role *roles)
{
    struct pe_args *args = NULL;

    for (size_t i = 0; i < pe_count() && !args; i++)
        if (!masks || sight->shortest[i]->family == PE_MASK)
            args = sight_try(sight, sight->shortest[i], NULL, depth, roles);
    return args;
}

/* Tries what tensors of two values, and runs, can be: masks, also those whose terms were not
 * read. */
static struct pe_args *try_masks(struct sight *sight, struct pe_verify_role *roles)
{
    const struct pe_verify_tensor *tensors = sight->tensors;

    if (sight->unrolled.data)
        sight->tensors = &sight->runs;
    struct pe_args *args = mask_drafts_try(sight, roles);
    for (int depth = SIGHT_SIZES; depth < SIGHT_SHOWN && !args && sight->shown->masks; depth++)
        args = try_all(sight, (enum sight_depth)depth, true, roles);
    sight->tensors = tensors;
    return args;
}

/* Returns whether the numbers speak for no claim, since many have them and none is meant: a
 * tensor has no finite one, as a mask that hides every key from every query; or there is one
 * tensor of real numbers, which are all the same. */
static bool says_nothing(const struct sight *sight)
{
    for (size_t i = 0; i < sight->count; i++) {
        const struct view *view = &sight->views[i];
        const bool one = view->finite && view->least == view->most && !view->infinite &&
                         !view->nan && view->dtype <= PE_BF16;

        if (!view->finite && (view->nan || view->infinite))
            return true;
        if (one && sight->count == 1 && view_rows(view) * view_cols(view) > 1)
            return true;
    }
    return false;
}

/* Tries all that is known, the likely claims first; each stage leaves operations to those that
 * follow it. */
static struct pe_args *try_claims(struct sight *sight, const struct pe_verify_known *known,
                                  size_t known_count, struct pe_verify_role *roles)
{
    if (says_nothing(sight))
        return NULL;
    const struct waves_bases all = {.written = false};
    const struct waves_bases written = {true, known, known_count};
    struct pe_args *args = line_drafts_sines(sight, roles);

    sight_begin(sight, 0.4);
    if (!args && !sight->mistaken)
        args = waves_try(sight, &written, roles);
    sight_begin(sight, 0.5);
    if (!args && !sight->mistaken)
        args = axes_drafts_try(sight, roles);
    sight_begin(sight, 0.6);
    if (!args && !sight->mistaken)
        exchanged_try(sight, &written, roles);
    if (sight->mistaken)
        return take_mistaken(sight, roles);
    if (!args)
        args = try_masks(sight, roles);
    if (!args)
        args = ids_drafts_try(sight, roles);
    if (args || sight->reads[0])
        return args; /* a mask whose terms were read is nothing but a mask */
    sight_begin(sight, 0.66);
    args = try_known(sight, known, known_count, roles);
    if (!args)
        args = place_drafts_try(sight, known, known_count, roles);
    sight_begin(sight, 0.76);
    if (!args)
        args = try_all(sight, SIGHT_SIZES, false, roles);
    if (!args)
        args = bias_drafts_try(sight, roles);
    if (!args) /* another base than is written loses to an encoding that has the numbers */
        args = waves_try(sight, &all, roles);
    sight_begin(sight, 0.81);
    if (!args)
        args = try_all(sight, SIGHT_NUMBERS, false, roles);
    sight_begin(sight, 0.84);
    if (!args)
        args = try_all(sight, SIGHT_LIKE, false, roles);
    sight_begin(sight, 0.87);
    if (!args)
        args = choices_try(sight, roles);
    sight_begin(sight, 0.94);
    if (!args)
        args = try_shaped(sight, roles);
    sight_begin(sight, 0.97);
    if (!args)
        args = try_all(sight, SIGHT_SHOWN, false, roles);
    sight_begin(sight, 1);
    if (!args)
        args = try_all(sight, SIGHT_EXAMPLES, false, roles);
    return args ? args : take_mistaken(sight, roles);
}

double pe_verify_identify_operations(const struct pe_verify_tensor *tensors, size_t count)
{
    double all = 0;

    for (size_t i = 0; i < count; i++) {
        double elements = 1;

        for (size_t axis = 0; axis < tensors[i].info.rank; axis++)
            elements *= (double)tensors[i].info.dims[axis];
        all += elements;
    }
    return (1 + UNSHOWN_SHARE) * sight_budget(all);
}

enum pe_status pe_verify_identify(struct pe_args **out, bool *named,
                                  const struct pe_verify_tensor *tensors, size_t count,
                                  const struct pe_verify_known *known, size_t known_count,
                                  struct pe_verify_role roles[PE_VERIFY_TENSORS],
                                  const struct pe_limits *limits, struct pe_errors *errors)
{
    struct sight sight;

    if (known_count > 0)
        memset(named, 0, known_count * sizeof *named);
    if (count == 0 || count > PE_VERIFY_TENSORS)
        return unknown(errors, tensors, count > PE_VERIFY_TENSORS ? 0 : count, "");
    if (!sight_init(&sight, tensors, count, limits))
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    mpfr_memory_hold_constants();
    struct pe_args *args = try_claims(&sight, known, known_count, roles);
    if (args)
        args = unshown_drop(&sight, args, roles);
    if (args)
        known_name(named, &sight, known, known_count, args, roles);
    mpfr_memory_release_constants();
    const bool failed = sight.failed;
    char reads[sizeof sight.reads];
    memcpy(reads, sight.reads, sizeof reads);
    sight_fini(&sight);
    if (!args && failed)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    if (!args && pe_stop_is_set(limits->stop))
        return pe_fail(errors, PE_STOPPED, NULL, "the search did not end in time");
    if (!args) {
        memset(roles, 0, PE_VERIFY_TENSORS * sizeof *roles); /* those of the last trial */
        return unknown(errors, tensors, count, reads);
    }
    *out = args;
    return PE_OK;
}
