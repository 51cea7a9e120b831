/* SPDX-License-Identifier: Apache-2.0
 * complete.c - see complete.h: positions and lengths by the shapes of the tensors, the axis of
 * positions, and where positions begin by the angles of the first rows. */
#include "core/verify/prepare/complete.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/verify/fit.h"
#include "core/verify/judge/shape.h"
#include "core/verify/prepare/place.h"
#include "core/verify/prepare/suggest.h"

enum { SETTINGS = 4, TRIALS = 40, SHAPED = 6 };
enum { PLANNED_MOST = 50000000 };      /* operations of planning a trial; */
static const double trials_most = 3e8; /* of all trials, after which no more is begun */

/* Of two trials that are as near, the one without an assumption is taken. */
static const double doubt = 1e-9;

/* A value for a parameter that the claim leaves out. */
struct setting {
    const struct pe_param *param;
    char text[SUGGEST_TEXT];
};

struct settings {
    struct setting at[SETTINGS];
    size_t count;
};

/* Arguments that were tried, and how far the tensors are from them. */
struct trial {
    struct pe_args *args; /* checked */
    struct settings settings;
    double within, mean;
};

struct completing {
    const struct pe_args *given; /* prepared, not checked */
    const struct pe_verify_tensor *tensors;
    size_t count;
    const struct pe_verify_role *roles;
    struct pe_limits limits; /* the caller's, with fewer operations for a plan */
    double operations;       /* of all trials, counted */
    struct view views[PE_VERIFY_TENSORS];
    struct judged judged;
    struct trial shaped[SHAPED]; /* the nearest of which the tensors have the shapes, */
    size_t shaped_count;         /* the nearest first */
    struct pe_args *misfit; /* the first checked ones whose shapes the tensors do not have */
    size_t trials;
    bool failed; /* there was no memory for a trial: the nearest may be another */
};

/* ---- arguments --------------------------------------------------------------------------- */

struct pe_args *complete_copy(const struct pe_args *from)
{
    struct pe_args *args = pe_args_new(from->enc);
    bool taken = args != NULL;

    for (size_t i = 0; taken && i < from->enc->param_count; i++)
        taken = !args_bit(from->filled, i) || args_take(args, from, i);
    if (!taken) {
        pe_args_free(args);
        return NULL;
    }
    args->given = from->given;
    args->filled = from->filled;
    args->wanted = from->wanted;
    args->out_given = from->out_given;
    args->dtype_given = from->dtype_given;
    args->dtype = from->dtype;
    args->keeps_given = from->keeps_given;
    return args;
}

/* Makes checked arguments with the settings; NULL, and the parameter that is missing besides,
 * if nothing else is wrong, in *missing. */
static struct pe_args *make_args(struct completing *completing, const struct settings *settings,
                                 const struct pe_param **missing, struct pe_errors *errors)
{
    struct pe_args *args = complete_copy(completing->given);

    *missing = NULL;
    if (!args) {
        completing->failed = true;
        return NULL;
    }
    for (size_t i = 0; i < settings->count; i++)
        pe_args_set_text(args, settings->at[i].param->name, strlen(settings->at[i].param->name),
                         settings->at[i].text, strlen(settings->at[i].text), errors);
    if (errors->count == 0 && pe_args_check(args, errors) == PE_OK)
        return args;
    bool only = errors->dropped == 0;
    for (size_t i = 0; i < errors->count; i++) {
        completing->failed = completing->failed || errors->at[i].status == PE_NO_MEMORY;
        only = only && errors->at[i].status == PE_MISSING_PARAMETER;
        if (!*missing)
            *missing = pe_param_find(completing->given->enc, errors->at[i].parameter,
                                     strlen(errors->at[i].parameter));
    }
    *missing = only ? *missing : NULL;
    pe_args_free(args);
    return NULL;
}

/* ---- trials ------------------------------------------------------------------------------ */

struct candidate *complete_candidate(struct claim *claim, bool *assumes)
{
    const size_t width = args_find(claim->enc, "width", strlen("width"));
    struct changes changes = {.count = 1};
    struct candidate *candidate = candidate_new(claim, NULL, NULL);

    *assumes = false;
    if (candidate && candidate_all_fitted(candidate))
        return candidate;
    candidate_free(candidate);
    if (width == SIZE_MAX || args_bit(claim->args->filled, width))
        return NULL;
    changes.at[0].param = &claim->enc->params[width];
    snprintf(changes.at[0].text, sizeof changes.at[0].text, "full");
    candidate = candidate_new(claim, &changes, NULL);
    *assumes = true;
    if (candidate && candidate_all_fitted(candidate))
        return candidate;
    candidate_free(candidate);
    return NULL;
}

/* Keeps a trial in its place, and drops the last where there is none left. */
static void keep(struct completing *completing, const struct trial *trial)
{
    struct trial *shaped = completing->shaped;
    size_t at = completing->shaped_count;

    if (at == SHAPED) {
        if (trial->mean >= shaped[at - 1].mean) {
            pe_args_free(trial->args);
            return;
        }
        pe_args_free(shaped[--at].args);
    } else {
        completing->shaped_count++;
    }
    for (; at > 0 && shaped[at - 1].mean > trial->mean; at--)
        shaped[at] = shaped[at - 1];
    shaped[at] = *trial;
}

/* Compares the tensors with arguments, which it takes over, and keeps the nearest. */
static void keep_nearest(struct completing *completing, struct pe_args *args,
                         const struct settings *settings)
{
    struct candidate *candidate = NULL;
    struct claim claim;
    struct fit fit = {.within = INFINITY, .mean = 1};
    bool assumes = false;

    const bool ready = claim_init(&claim, args, completing->tensors, completing->count,
                                  completing->roles, completing->views, &completing->limits);
    if (ready)
        candidate = complete_candidate(&claim, &assumes);
    if (candidate)
        (void)fit_sample(&fit, candidate);
    if (assumes)
        fit.mean += doubt;
    const bool shaped = candidate != NULL;
    candidate_free(candidate);
    completing->failed = completing->failed || !ready || claim.failed;
    completing->operations += claim.operations;
    claim_fini(&claim);
    if (shaped)
        keep(completing, &(struct trial){args, *settings, fit.within, fit.mean});
    else if (!completing->misfit)
        completing->misfit = args;
    else
        pe_args_free(args);
}

static bool is_found(const struct completing *completing)
{
    return completing->shaped_count > 0 && completing->shaped[0].within <= 1;
}

static void search(struct completing *completing, const struct settings *settings)
{
    struct settings more = *settings;
    const struct pe_param *missing;
    struct pe_errors errors;

    pe_errors_clear(&errors);
    if (completing->trials++ >= TRIALS || completing->operations >= trials_most ||
        completing->failed || is_found(completing))
        return;
    struct pe_args *args = make_args(completing, settings, &missing, &errors);
    if (args)
        keep_nearest(completing, args, settings);
    if (args || !missing || !suggest_is_for(missing) || settings->count == SETTINGS)
        return;
    struct setting *setting = &more.at[more.count++];
    setting->param = missing;
    for (size_t i = 0; suggest(&completing->judged, missing, i, setting->text); i++)
        search(completing, &more);
}

/* ---- where positions begin --------------------------------------------------------------- */

/* Reads the positions of the rows into a setting of a trial; false: they have none. */
static bool read_places(struct completing *completing, const struct trial *trial,
                        struct setting *setting, bool *backwards)
{
    bool read = false, assumes;
    struct claim claim;
    uint64_t length;

    const bool ready = claim_init(&claim, trial->args, completing->tensors, completing->count,
                                  completing->roles, completing->views, &completing->limits);
    if (ready) {
        struct candidate *candidate = complete_candidate(&claim, &assumes);

        read = candidate &&
               (place_read_slice(candidate, setting->text, sizeof setting->text, backwards) ||
                (suggest_batch_of(&completing->judged, setting->param, &length) > 1 &&
                 place_read_batch(candidate, length, setting->text, sizeof setting->text)));
        candidate_free(candidate);
    }
    completing->operations += claim.operations;
    completing->failed = completing->failed || !ready || claim.failed;
    claim_fini(&claim);
    return read;
}

/* Tries the positions that the angles of the rows have, in place of those from 0 on. Rows that
 * turn to the other side have the positions besides: they are kept before all others, whether
 * or not they are nearer. */
static bool begin_elsewhere(struct completing *completing, const struct trial *trial)
{
    struct settings settings = trial->settings;
    struct setting *setting = NULL;
    struct pe_errors errors;
    const struct pe_param *missing;
    bool backwards = false;

    for (size_t i = 0; i < settings.count; i++)
        if (settings.at[i].param->type == PE_POSITIONS)
            setting = &settings.at[i];
    pe_errors_clear(&errors);
    struct pe_args *args = setting && read_places(completing, trial, setting, &backwards)
                               ? make_args(completing, &settings, &missing, &errors)
                               : NULL;
    if (args && backwards)
        keep(completing, &(struct trial){args, settings, 2, -1});
    else if (args)
        keep_nearest(completing, args, &settings);
    return args && backwards;
}

/* Tries where positions begin, along each axis that they may run along. */
static void begin_anywhere(struct completing *completing)
{
    struct trial shaped[SHAPED];
    const size_t count = completing->shaped_count;
    bool backwards = false;

    memcpy(shaped, completing->shaped, count * sizeof *shaped);
    for (size_t i = 0; i < count; i++)
        pe_args_ref(shaped[i].args); /* another may take its place */
    for (size_t i = 0; i < count && !backwards && !is_found(completing); i++)
        backwards = begin_elsewhere(completing, &shaped[i]);
    for (size_t i = 0; i < count; i++)
        pe_args_free(shaped[i].args);
}

/* Says which shape the tensors would have by the sizes that they show, or what is missing. */
static enum pe_status refuse(struct completing *completing, struct pe_errors *errors)
{
    struct pe_errors shapes = {.count = 0};
    struct claim claim;
    enum pe_status status = PE_MISSING_PARAMETER;

    if (!completing->misfit)
        return errors->at[0].status;
    if (claim_init(&claim, completing->misfit, completing->tensors, completing->count,
                   completing->roles, completing->views, &completing->limits))
        status = shape_refuse(&claim, &shapes);
    const bool failed = claim.failed;
    claim_fini(&claim);
    if (failed || status != PE_BAD_VALUE)
        return failed ? PE_NO_MEMORY : errors->at[0].status;
    *errors = shapes;
    return status;
}

enum pe_status complete_claim(struct pe_args **checked, struct pe_args *given,
                              const struct pe_verify_tensor *tensors, size_t count,
                              const struct pe_verify_role *roles,
                              const struct pe_limits *limits, struct pe_errors *errors)
{
    struct completing completing = {.given = given,
                                    .tensors = tensors,
                                    .count = count,
                                    .roles = roles,
                                    .limits = *limits};
    const struct settings none = {.count = 0};
    const struct pe_param *missing;

    if (limits->max_operations == 0 || limits->max_operations > PLANNED_MOST)
        completing.limits.max_operations = PLANNED_MOST;
    if (errors->count > 0)
        return pe_args_check(given, errors);
    assert(count <= PE_VERIFY_TENSORS);
    *checked = make_args(&completing, &none, &missing, errors);
    if (completing.failed && errors->count == 0)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    if (*checked || !missing)
        return *checked ? PE_OK : errors->at[0].status;
    for (size_t i = 0; i < count; i++)
        completing.views[i] = view_of(&tensors[i]);
    completing.judged = (struct judged){completing.views, roles, count};
    if (!suggest_is_for(missing)) {
        suggest_window(&completing.judged, errors);
        return errors->at[0].status;
    }
    search(&completing, &none);
    begin_anywhere(&completing);
    enum pe_status status = PE_OK;
    if (completing.shaped_count > 0)
        pe_errors_clear(errors);
    else
        status = refuse(&completing, errors);
    pe_args_free(completing.misfit);
    *checked = completing.shaped_count > 0 ? pe_args_ref(completing.shaped[0].args) : NULL;
    for (size_t i = 0; i < completing.shaped_count; i++)
        pe_args_free(completing.shaped[i].args);
    if (!completing.failed && status != PE_NO_MEMORY)
        return status;
    pe_args_free(*checked);
    *checked = NULL;
    pe_errors_clear(errors);
    return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
}
