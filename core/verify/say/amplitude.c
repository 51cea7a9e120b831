/* SPDX-License-Identifier: Apache-2.0
 * amplitude.c - see amplitude.h. */
#include "core/verify/say/amplitude.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REASON_MAX = 60 };

/* Amplitudes are measured, so that they are near and not equal. */
static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static bool have_same_angles(const struct angles *one, const struct angles *other)
{
    if (!one || !other || !one->w[0] || !other->w[0] || one->pairs != other->pairs ||
        one->rows != other->rows || one->rows == 0)
        return false;
    for (size_t i = 0; i < 2 * one->pairs; i++)
        if (!is_near(one->w[0][i], other->w[0][i]))
            return false;
    return angles_position(one, 0) == angles_position(other, 0) &&
           angles_position(one, one->rows - 1) == angles_position(other, one->rows - 1);
}

/* Returns whether the numbers of both differ by their amplitudes alone, the same for all. */
static bool differ_by_amplitude(const struct candidate *claimed, const struct candidate *found)
{
    if (claimed->enc != found->enc || found->warped || found->map != MAP_NONE ||
        found->columns || found->rows || !have_same_angles(claimed->angles, found->angles))
        return false;
    for (size_t i = 0; i < claimed->claim->subject_count; i++) {
        const struct wave *one = &claimed->wave[i], *other = &found->wave[i];

        if (one->kind == WAVE_NONE || one->kind != other->kind || one->order != other->order ||
            one->adjacent != other->adjacent || one->inverse != other->inverse ||
            !is_near(one->amplitude, claimed->wave[0].amplitude) ||
            !is_near(other->amplitude, found->wave[0].amplitude))
            return false;
    }
    return !is_near(claimed->wave[0].amplitude, found->wave[0].amplitude);
}

/* Writes " (= 0.1 ln 4 + 1)" where the factor of the claim gives the amplitude by YaRN's rule;
 * returns whether it does. */
static bool give_reason(char reason[REASON_MAX], struct claim *claim, double amplitude)
{
    const size_t param = args_find(claim->enc, "factor", strlen("factor"));
    double factor;

    reason[0] = '\0';
    if (param == SIZE_MAX || !claim_number(claim, param, &factor) || !(factor > 1) ||
        fabs(0.1 * log(factor) + 1 - amplitude) > 1e-9)
        return false;
    snprintf(reason, REASON_MAX, " (= 0.1 ln %.6g + 1)", factor);
    return true;
}

void amplitude_say(struct pe_mistake *mistake, const struct candidate *claimed,
                   const struct candidate *found)
{
    char reason[REASON_MAX];

    if (!differ_by_amplitude(claimed, found))
        return;
    const double right = claimed->wave[0].amplitude, wrong = found->wave[0].amplitude;
    const char *whose = give_reason(reason, claimed->claim, right) ? "YaRN's" : "the";
    if (is_near(wrong, 1))
        snprintf(mistake->says, sizeof mistake->says, "%s attention factor %.5g%s is missing",
                 whose, right, reason);
    else
        snprintf(mistake->says, sizeof mistake->says,
                 "cosines and sines are multiplied by %.5g where %s attention factor %.5g%s is "
                 "right",
                 wrong, whose, right, reason);
    snprintf(mistake->fix, sizeof mistake->fix,
             "multiply cosines and sines by %.10g in place of %.10g", right, wrong);
    snprintf(mistake->code, sizeof mistake->code, "cos, sin = cos * %.10g, sin * %.10g", right,
             right);
}
