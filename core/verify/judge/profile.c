/* SPDX-License-Identifier: Apache-2.0
 * profile.c - see profile.h. */
#include "core/verify/judge/profile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/verify/fit.h"
#include "core/verify/hypothesis/schema.h"

static const double coarse = 8; /* bounds of float32 */

uint64_t profile_differs(const struct rounding *rounding, size_t count, double *agree)
{
    uint64_t differs = 0, of = 0;

    for (size_t i = 0; i < count; i++) {
        differs += rounding[i].differs;
        of += rounding[i].of;
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

/* A table of 16 bits may be what a framework has; vectors of float32 that were turned by it are
 * farther from right than a turn in float32 is: returns whether some are. */
static bool is_turned_coarsely(const struct candidate *base)
{
    bool turned = false;
    struct fit fit;

    for (size_t i = 0; i < base->claim->subject_count; i++)
        turned =
            turned || (base->wave[i].kind == WAVE_TURN && base->view[i].precision <= PE_F32);
    return turned && fit_sample(&fit, base) && fit.within > coarse;
}

bool profile_find(struct pe_verdict *verdict, struct claim *claim, const struct candidate *base)
{
    struct hypotheses list = {.count = 0};
    struct rounding rounding[CLAIM_SUBJECTS];
    const struct hypothesis *best = NULL;
    double agree = 0, best_agree = 0.6;

    if (is_turned_coarsely(base))
        return false;
    schema_add_profiles(&list, claim);
    for (size_t i = 0; i < list.count && best_agree < 1; i++) {
        if (!rounding_compare(rounding, base, &list.at[i].changes, true, NULL, NULL))
            continue;
        verdict->tested++;
        profile_differs(rounding, claim->subject_count, &agree);
        if (!is_profile(rounding, base) || agree <= best_agree)
            continue;
        best = &list.at[i];
        best_agree = agree;
    }
    bool found = best && rounding_compare(rounding, base, &best->changes, false, NULL, NULL);
    if (found)
        profile_differs(rounding, claim->subject_count, &agree);
    found = found && is_profile(rounding, base);
    if (found) {
        print_profile(verdict, &best->changes.at[0]);
        verdict->agree = agree;
    }
    hypothesis_free(&list);
    return found;
}
