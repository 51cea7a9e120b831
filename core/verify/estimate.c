/* SPDX-License-Identifier: Apache-2.0
 * estimate.c - one parameter by least squares: v += (J . r) / (J . J), with the derivative J
 * from a small step. Björck 1996, Numerical Methods for Least Squares Problems, section 9.2. */
#include "core/verify/estimate.h"
#include "core/verify/expected.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/args/number.h"
#include "core/verify/fit.h"

enum { STEPS_MOST = 24 };
/* After so many steps the squared distance is at most these shares of the first one and of the
 * squared numbers, or the value does not lead to them. */
enum { STEPS_TELLING = 6 };
static const double left_most = 0.5, apart_most = 0.01;

double estimate_round(double value, int digits)
{
    char text[40];

    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    return strtod(text, NULL);
}

double estimate_nearby(double value)
{
    for (int digits = 1; digits < 9; digits++)
        if (fabs(estimate_round(value, digits) - value) <= 2e-4 * fabs(value))
            return estimate_round(value, digits);
    return value;
}

/* Adds the value to the changes; false if the parameter cannot have it. */
static bool add_value(struct changes *more, const struct changes *changes,
                      const struct pe_param *param, double value)
{
    more->count = 0;
    if (changes)
        *more = *changes;
    if (more->count == PE_VERIFY_CHANGES || !(value >= param->min && value <= param->max))
        return false;
    more->at[more->count].param = param;
    number_print(more->at[more->count].text, value);
    more->count++;
    return true;
}

static struct candidate *candidate_at(struct claim *claim, const struct changes *changes,
                                      const struct pe_param *param, double value)
{
    struct changes more;

    return add_value(&more, changes, param, value) ? candidate_new(claim, &more, NULL) : NULL;
}

struct step {
    double jr, jj, rr; /* J . r, J . J, r . r */
    double dd, count;  /* the numbers' own square; of r */
};

/* Adds the rows of one subject up to number `rows` of its sample. */
static void add_rows(struct step *sum, const struct candidate *here,
                     const struct candidate *beside, size_t subject, size_t rows, double h,
                     struct row_buffer scratch)
{
    const uint64_t cols = candidate_cols(here, subject), all = candidate_rows(here, subject);
    const struct row_buffer none = {.at = NULL}, at = row_buffer_part(scratch, 0, cols),
                            off = row_buffer_part(scratch, cols, cols),
                            data = row_buffer_part(scratch, 2 * cols, cols);

    for (size_t i = 0; i < fit_sample_count(all) && i < rows; i++) {
        uint64_t row = fit_sample_row(all, i);

        expected_row(here, subject, row, at, none);
        expected_row(beside, subject, row, off, none);
        view_row(&here->view[subject], row, data);
        for (uint64_t col = 0; col < cols; col++) {
            double j = (off.at[col] - at.at[col]) / h, r = data.at[col] - at.at[col];

            if (!isfinite(j) || !isfinite(r) || fabs(r) > 1e30)
                continue;
            sum->jr += j * r;
            sum->jj += j * j;
            sum->rr += r * r;
            sum->dd += data.at[col] * data.at[col];
            sum->count++;
        }
    }
}

/* Computes one step at a value from the first rows of the sample. */
static bool step_at(struct claim *claim, const struct changes *changes,
                    const struct pe_param *param, double value, size_t rows, struct step *sum)
{
    const double h = value != 0 ? value * 1e-5 : 1e-5;
    struct candidate *here = candidate_at(claim, changes, param, value);
    struct candidate *beside = here ? candidate_at(claim, changes, param, value + h) : NULL;
    struct row_buffer scratch = beside ? row_buffer_new(3 * here->widest, &claim->failed)
                                       : (struct row_buffer){.at = NULL};
    const bool ok = scratch.at && candidate_all_fitted(here) && candidate_all_fitted(beside);

    *sum = (struct step){.jr = 0};
    for (size_t i = 0; ok && i < claim->subject_count; i++)
        if (candidate_rows(here, i) == candidate_rows(beside, i) &&
            candidate_cols(here, i) == candidate_cols(beside, i))
            add_rows(sum, here, beside, i, rows, h, scratch);
    free(scratch.at);
    candidate_free(here);
    candidate_free(beside);
    return ok && sum->jj > 0 && isfinite(sum->jr);
}

bool estimate_value(struct claim *claim, const struct changes *changes,
                    const struct pe_param *param, double start, double *value)
{
    double at = start, first = 0;
    size_t rows = 3;

    for (int i = 0; i < STEPS_MOST; i++) {
        struct step sum;

        if (!step_at(claim, changes, param, at, rows, &sum))
            return false;
        if (i == 0)
            first = sum.rr / sum.count;
        if (i == STEPS_TELLING && sum.rr / sum.count > left_most * first &&
            sum.rr > apart_most * sum.dd)
            return false;
        double move = sum.jr / sum.jj;
        if (at > 0 && move < -0.7 * at)
            move = -0.7 * at; /* a positive parameter stays positive */
        if (at > 0 && move > 4 * at)
            move = 4 * at;
        at += move;
        if (fabs(move) > 1e-3 * fabs(at))
            continue; /* more steps on these rows */
        if (rows >= PE_VERIFY_ROWS && fabs(move) <= 1e-9 * fabs(at))
            break;
        rows = rows * 2 < PE_VERIFY_ROWS ? rows * 2 : PE_VERIFY_ROWS;
    }
    *value = at;
    return isfinite(at) && at != start;
}

/* ---- by frequencies ---------------------------------------------------------------------- */

/* Writes the logarithms of the frequencies at a value; false if there are none. */
static bool logarithms_at(struct claim *claim, const struct changes *changes,
                          const struct pe_param *param, double value, size_t pairs,
                          double *logarithms)
{
    struct changes more;
    struct angles *angles =
        add_value(&more, changes, param, value) ? angles_new(claim, &more) : NULL;
    bool ok = angles && angles->w[0] && angles->pairs == pairs;

    for (size_t i = 0; ok && i < pairs; i++)
        logarithms[i] = angles->w[0][i] > 0 ? log(angles->w[0][i]) : NAN;
    angles_free(angles);
    return ok;
}

/* Returns a step of the value's logarithm. A measured frequency is wrong by some of its own
 * size, since the frequencies may have been rounded to 16 bits, and by as much as the numbers
 * of the tensors are rounded: slow pairs count less. */
static double log_step(const double *here, const double *beside, const double *measured,
                       size_t pairs, double h, double noise)
{
    const double own = 0x1p-10;
    double jr = 0, jj = 0;

    for (size_t i = 0; i < pairs; i++) {
        if (!(measured[i] > 1e-7) || isnan(here[i]) || isnan(beside[i]))
            continue;
        double j = (beside[i] - here[i]) / h, r = log(measured[i]) - here[i];
        double apart = noise / measured[i], weight = 1 / (own * own + apart * apart);

        jr += weight * j * r;
        jj += weight * j * j;
    }
    return jj > 0 ? jr / jj : NAN;
}

/* Returns how far the numbers of the tensors are rounded. */
static double noise_of(const struct claim *claim)
{
    static const double noise[] =
        {[PE_F64] = 0x1p-24, [PE_F32] = 0x1p-24, [PE_F16] = 0x1p-11, [PE_BF16] = 0x1p-8};
    double most = noise[PE_F32];

    for (size_t i = 0; i < claim->subject_count; i++)
        if (claim->subject[i].whole.precision <= PE_BF16)
            most = fmax(most, noise[claim->subject[i].whole.precision]);
    return most;
}

bool estimate_by_frequencies(struct claim *claim, const struct changes *changes,
                             const struct pe_param *param, double start, const double *measured,
                             size_t pairs, double *value)
{
    const double h = 1e-5, most = 3, noise = noise_of(claim);
    double *here = claim_memory(claim, 2 * pairs + 1, sizeof *here),
           *beside = here ? here + pairs : NULL;
    double at = start, move = 0;
    bool ok = here != NULL && start > 0;

    for (int i = 0; ok && i < STEPS_MOST; i++) {
        ok = logarithms_at(claim, changes, param, at, pairs, here) &&
             logarithms_at(claim, changes, param, at * (1 + h), pairs, beside);
        move = ok ? log_step(here, beside, measured, pairs, h, noise) : NAN;
        ok = isfinite(move);
        if (ok)
            at *= exp(move > most ? most : move < -most ? -most : move);
        if (ok && fabs(move) < 1e-10)
            break;
    }
    free(here);
    *value = at;
    return ok && fabs(move) < 1e-3 && at != start;
}
