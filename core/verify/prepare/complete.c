/* SPDX-License-Identifier: Apache-2.0
 * complete.c - gives a claim the parameters that it leaves out and that its tensors say:
 * positions and lengths by their shapes, the axis of positions, and where positions begin by
 * the angles of the first rows. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/verify/fit.h"
#include "core/verify/prepare/place.h"

enum { SETTINGS = 4, TEXT = 64, SIZES = 2 * PE_MAX_RANK, TRIALS = 40 };
enum { PLANNED_MOST = 10000000 };      /* operations of planning a trial; */
static const double trials_most = 3e8; /* of all trials, after which no more is begun */

/* Of two trials that are as near, the one without an assumption is taken. */
static const double doubt = 1e-9;

/* A value for a parameter that the claim leaves out. */
struct setting {
    const struct pe_param *param;
    char text[TEXT];
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
    struct trial best;
    size_t trials;
    bool failed; /* there was no memory for a trial: the nearest may be another */
};

/* ---- arguments --------------------------------------------------------------------------- */

static struct pe_args *copy_args(const struct pe_args *from)
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
    struct pe_args *args = copy_args(completing->given);

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

/* ---- sizes ------------------------------------------------------------------------------- */

/* Returns the words of axes whose length a parameter says; NULL: it says none. */
static const char *axes_of(const struct pe_param *param)
{
    static const struct {
        const char *param, *axes;
    } rows[] = {{"pos", " pos token slot "},
                {"len", " q k token pos "},
                {"q_len", " q "},
                {"k_len", " k "},
                {"q", " q "},
                {"k", " k "},
                {"heads", " heads "},
                {"dim", " dim width pair "},
                {"seq_axis", ""}};

    for (size_t i = 0; i < PE_LEN(rows); i++)
        if (strcmp(rows[i].param, param->name) == 0)
            return rows[i].axes;
    return NULL;
}

static bool is_inferred(const struct pe_param *param)
{
    return (param->type == PE_INT || param->type == PE_POSITIONS) && axes_of(param);
}

static bool is_axis_of(const struct pe_param *param, const char *axis)
{
    char word[TEXT];

    snprintf(word, sizeof word, " %.50s ", axis);
    return strstr(axes_of(param), word) != NULL;
}

static bool has_axis_of(const struct pe_param *param, const struct pe_output *output)
{
    bool found = false;

    for (size_t i = 0; i < PE_MAX_RANK && output->axes[i]; i++)
        found = found || is_axis_of(param, output->axes[i]);
    return found;
}

/* Returns the first tensor that is judged and has an axis of the parameter, or else the first
 * that is judged, seen as its first output. */
static struct view judged_view(const struct completing *completing,
                               const struct pe_param *param, const struct pe_output **output)
{
    const struct pe_verify_role *roles = completing->roles;
    size_t any = SIZE_MAX, best = SIZE_MAX;

    for (size_t i = 0; i < completing->count; i++) {
        if (!roles[i].output)
            continue;
        any = any == SIZE_MAX ? i : any;
        if (best == SIZE_MAX && has_axis_of(param, roles[i].output))
            best = i;
    }
    best = best == SIZE_MAX ? any : best;
    assert(best != SIZE_MAX); /* pe_verify_assign refuses a set without one */
    *output = roles[best].output;
    return roles[best].form == PE_FORM_WHOLE
               ? completing->views[best]
               : view_part(&completing->views[best], roles[best].form, 0);
}

/* Lists the sizes of axes that the parameter may say, the likeliest first; *axes are their
 * axes. */
static size_t list_sizes(const struct completing *completing, const struct pe_param *param,
                         uint64_t sizes[SIZES], size_t axes[SIZES])
{
    const struct pe_output *output;
    const struct view view = judged_view(completing, param, &output);
    size_t count = 0, names = 0;

    while (names < PE_MAX_RANK && output->axes[names])
        names++;
    for (size_t j = 0; j < names && view.rank >= names; j++)
        if (is_axis_of(param, output->axes[j]))
            axes[count++] = view.rank - names + j;
    for (size_t i = view.rank; i-- > 0;)
        if (i + 1 < view.rank)
            axes[count++] = i;
    if (view.rank > 0)
        axes[count++] = view.rank - 1;
    for (size_t i = 0; i < count; i++)
        sizes[i] = view.dims[axes[i]];
    return count;
}

/* Writes value number `i` that the parameter may have; false: there are no more. */
static bool suggest(const struct completing *completing, const struct pe_param *param, size_t i,
                    char text[TEXT])
{
    uint64_t sizes[SIZES];
    size_t axes[SIZES];
    const size_t count = list_sizes(completing, param, sizes, axes);
    const bool doubled = param->type == PE_INT && strcmp(param->name, "seq_axis") != 0;
    const size_t at = doubled ? i / 2 : i;

    if (at >= count)
        return false;
    if (param->type == PE_POSITIONS)
        snprintf(text, TEXT, "0:%llu", (unsigned long long)sizes[at]);
    else if (!doubled)
        snprintf(text, TEXT, "%zu", axes[at]);
    else
        snprintf(text, TEXT, "%llu", (unsigned long long)(sizes[at] << i % 2));
    return true;
}

/* ---- trials ------------------------------------------------------------------------------ */

/* Makes the claim's candidate, with full rows of cosines where the claim leaves it open and the
 * tensors have them, which *assumes. */
static struct candidate *fitted(struct claim *claim, bool *assumes)
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
        candidate = fitted(&claim, &assumes);
    if (candidate)
        (void)fit_sample(&fit, candidate);
    if (assumes)
        fit.mean += doubt;
    const bool shaped = candidate != NULL;
    candidate_free(candidate);
    completing->failed = completing->failed || !ready || claim.failed;
    completing->operations += claim.operations;
    claim_fini(&claim);
    if (shaped && (!completing->best.args || fit.mean < completing->best.mean)) {
        pe_args_free(completing->best.args);
        completing->best = (struct trial){args, *settings, fit.within, fit.mean};
    } else {
        pe_args_free(args);
    }
}

static void search(struct completing *completing, const struct settings *settings)
{
    struct settings more = *settings;
    const struct pe_param *missing;
    struct pe_errors errors;

    pe_errors_clear(&errors);
    if (completing->trials++ >= TRIALS || completing->operations >= trials_most ||
        completing->failed || completing->best.within <= 1)
        return;
    struct pe_args *args = make_args(completing, settings, &missing, &errors);
    if (args)
        keep_nearest(completing, args, settings);
    if (args || !missing || !is_inferred(missing) || settings->count == SETTINGS)
        return;
    struct setting *setting = &more.at[more.count++];
    setting->param = missing;
    for (size_t i = 0; suggest(completing, missing, i, setting->text); i++)
        search(completing, &more);
}

/* ---- where positions begin --------------------------------------------------------------- */

/* Tries the positions that the angles of the rows have, in place of those from 0 on. */
static void begin_elsewhere(struct completing *completing)
{
    struct settings settings = completing->best.settings;
    struct setting *setting = NULL;
    struct pe_errors errors;
    struct claim claim;
    const struct pe_param *missing;
    bool read = false, assumes;

    for (size_t i = 0; i < settings.count; i++)
        if (settings.at[i].param->type == PE_POSITIONS)
            setting = &settings.at[i];
    if (!setting || completing->best.within <= 1)
        return;
    const bool ready =
        claim_init(&claim, completing->best.args, completing->tensors, completing->count,
                   completing->roles, completing->views, &completing->limits);
    if (ready) {
        struct candidate *candidate = fitted(&claim, &assumes);

        read = candidate && place_read_slice(candidate, setting->text, sizeof setting->text);
        candidate_free(candidate);
    }
    completing->failed = completing->failed || !ready || claim.failed;
    claim_fini(&claim);
    pe_errors_clear(&errors);
    struct pe_args *args = read ? make_args(completing, &settings, &missing, &errors) : NULL;
    if (args)
        keep_nearest(completing, args, &settings);
}

enum pe_status pe_verify_complete(struct pe_args **checked, struct pe_args *given,
                                  const struct pe_verify_tensor *tensors, size_t count,
                                  const struct pe_verify_role *roles,
                                  const struct pe_limits *limits, struct pe_errors *errors)
{
    struct completing completing = {.given = given,
                                    .tensors = tensors,
                                    .count = count,
                                    .roles = roles,
                                    .limits = *limits,
                                    .best = {.within = INFINITY, .mean = INFINITY}};
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
    if (*checked || !missing || !is_inferred(missing))
        return *checked ? PE_OK : errors->at[0].status;
    for (size_t i = 0; i < count; i++)
        completing.views[i] = view_of(&tensors[i]);
    search(&completing, &none);
    if (completing.best.args)
        begin_elsewhere(&completing);
    if (completing.failed) {
        pe_args_free(completing.best.args);
        pe_errors_clear(errors);
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    }
    if (!completing.best.args)
        return errors->at[0].status;
    pe_errors_clear(errors);
    *checked = completing.best.args;
    return PE_OK;
}
