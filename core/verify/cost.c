/* SPDX-License-Identifier: Apache-2.0
 * cost.c - see cost.h. A search tests so many hypotheses, each of which takes arguments, a plan
 * and the comparison of a sample. The constants are of random numbers, which no hypothesis
 * explains: `make costs` holds them against the clock. */
#include "core/verify/cost.h"

#include <math.h>

#include "core/posenc_verify.h"
#include "core/verify/fit.h"
#include "core/verify/hypothesis/schema.h"
#include "core/verify/trial.h"

/* Named mistakes that can be made from a candidate: with angles, without, and of masks, of
 * which every other encoding of masks is one. */
enum { OF_ANGLES = 40, OF_OTHERS = 24, OF_MASKS = 500 };
#define FIRST 8.0            /* hypotheses that are tried as the first of two */
#define PLANNED 24.0         /* of so many hypotheses one is planned anew */
#define OF_PLANNING 0.5      /* of what a plan states: a search keeps tables and constants */
#define OF_ARGUMENTS 2500.0  /* operations to make and check them, */
#define OF_PARAMETER 300.0   /* and for each parameter */
#define OF_CANDIDATE 48000.0 /* to see the tensors by it, and read what a mistake needs */
#define OF_REAL 28.0         /* to compare an element with its bound */
#define OF_WAVE 30.0         /* to make one from an angle */
#define OF_WHOLE 4.5         /* the same of whole numbers and truth values */

#define LIMIT_LEAST 1e9   /* operations of a search at most, */
#define LIMIT_EACH 1000.0 /* or so many an element */

#define JUDGED_REAL 32.0 /* to compare one with the claim, as right or as wrong */
#define JUDGED_WHOLE 16.0
#define JUDGED_PLANS 16.0 /* arguments that are made: in float64, by dtype, profiles */
#define PLANNED_HERE 2e6  /* most operations of a plan that is made for its cost alone */

static double cost_of_arguments(const struct pe_encoding *enc)
{
    return OF_ARGUMENTS + OF_PARAMETER * (double)enc->param_count;
}

double cost_of_planned(const struct pe_encoding *enc, const struct pe_args *args)
{
    return cost_of_arguments(enc) + (args ? OF_PLANNING * pe_args_operations(args) : 0);
}

double cost_of_row(const struct candidate *candidate, size_t subject)
{
    const bool whole = candidate->tensor[subject]->output->natural > PE_BF16;
    const bool plain = candidate->wave[subject].kind == WAVE_NONE || !candidate->warped;
    const double made = plain ? pe_plan_cost_ns(candidate->plan, 1) : OF_WAVE;

    return (double)candidate_cols(candidate, subject) * (made + (whole ? OF_WHOLE : OF_REAL));
}

/* ---- judging --------------------------------------------------------------------------- */

/* Returns the operations that fill one element, if it does not take long to tell. */
static double cost_of_element(struct pe_args *args, double planning,
                              const struct pe_limits *limits)
{
    struct pe_limits brief = *limits;
    struct pe_errors errors;
    struct pe_plan *plan;
    double each = 0;

    brief.brief = true;
    pe_errors_clear(&errors);
    if (planning <= PLANNED_HERE && pe_plan_new(&plan, args, NULL, &brief, &errors) == PE_OK) {
        each = pe_plan_cost_ns(plan, 1);
        pe_plan_free(plan);
    }
    return each;
}

double cost_of_judging(struct pe_args *args, const struct pe_verify_tensor *tensors,
                       size_t count, const struct pe_verify_role *roles,
                       const struct pe_limits *limits)
{
    const double planning = pe_args_operations(args);
    const double filled = cost_of_element(args, planning, limits);
    double all = planning + JUDGED_PLANS * cost_of_arguments(args->enc);

    for (size_t i = 0; i < count; i++) {
        double elements = roles[i].output ? 1 : 0;

        for (size_t axis = 0; axis < tensors[i].info.rank; axis++)
            elements *= (double)tensors[i].info.dims[axis];
        if (roles[i].output)
            all += elements *
                   (filled + (roles[i].output->natural > PE_BF16 ? JUDGED_WHOLE : JUDGED_REAL));
    }
    return all;
}

/* ---- the search ------------------------------------------------------------------------ */

double cost_limit(const struct claim *claim)
{
    double elements = 0;

    for (size_t i = 0; i < claim->subject_count; i++)
        elements += (double)view_rows(&claim->subject[i].whole) *
                    (double)view_cols(&claim->subject[i].whole);
    return fmax(LIMIT_LEAST, elements * LIMIT_EACH);
}

static double mistakes_of(const struct claim *claim, const struct candidate *base)
{
    if (base && candidate_all_fitted(base) && base->angles)
        return OF_ANGLES;
    return claim->enc->family == PE_MASK ? OF_MASKS : OF_OTHERS;
}

/* Hypotheses that are tested alone, and two together. */
struct counted {
    double alone, together;
};

/* Counts the hypotheses: each alone; those that may be one of two beside the first ones, of
 * which few come near; and all pairs of choices. */
static struct counted count_hypotheses(struct claim *claim, const struct candidate *base)
{
    struct hypotheses list = {.count = 0};
    const double named = mistakes_of(claim, base);
    double pairing = 0, choices = 0;

    schema_add_values(&list, claim);
    for (size_t i = 0; i < list.count; i++) {
        pairing += !list.at[i].lone;
        choices += hypothesis_is_choice(&list.at[i]);
    }
    const struct counted counted = {(double)list.count + named,
                                    FIRST * (pairing + named) + choices * choices / 2};
    hypothesis_free(&list);
    return counted;
}

/* Returns the operations to compare so many rows of all subjects with a candidate; 0: those by
 * which hypotheses are ranked. */
static double cost_of_rows(const struct claim *claim, const struct candidate *base, double rows)
{
    const double filled = base ? pe_plan_cost_ns(base->plan, 1) : 0;
    double all = 0;

    for (size_t i = 0; i < claim->subject_count; i++) {
        const struct view *view = base ? &base->view[i] : &claim->subject[i].whole;
        const bool whole = claim->enc->outputs[claim->subject[i].output].natural > PE_BF16;
        const double compared = rows > 0
                                    ? rows
                                    : (double)fit_near_count(view_rows(view), view_cols(view),
                                                             claim->subject_count);

        all += compared * (double)view_cols(view) * (filled + (whole ? OF_WHOLE : OF_REAL));
    }
    return all;
}

double cost_of_search(struct claim *claim, const struct candidate *base)
{
    const double waves = base && base->angles ? 2 : 1; /* their parameters are set twice */
    const double planning = pe_args_operations(base ? base->args : claim->args);
    const double made = OF_CANDIDATE + waves * cost_of_arguments(claim->enc) +
                        planning / PLANNED; /* most plans were made before */
    const struct counted counted = count_hypotheses(claim, base);
    const double all =
        counted.alone * (made + cost_of_rows(claim, base, 0)) +
        (counted.alone + counted.together) * (made + cost_of_rows(claim, base, 1));

    return fmin(all, cost_limit(claim));
}
