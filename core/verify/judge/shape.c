/* SPDX-License-Identifier: Apache-2.0
 * shape.c - see shape.h. */
#include "core/verify/judge/shape.h"

#include <stdio.h>
#include <string.h>

#include "core/verify/explain.h"
#include "core/verify/fit.h"
#include "core/verify/hypothesis/schema.h"
#include "core/verify/judge/judge.h"

/* Keeps the value that a choice has by itself: with another mistake it may fit. */
static void keep_opened(struct claim *claim, const struct pe_param *param)
{
    const char *text = claim->text[claim_index(claim, param)];

    claim->opened.param = text ? param : NULL;
    snprintf(claim->opened.text, sizeof claim->opened.text, "%s", text ? text : "");
}

/* Returns whether the tensors have the shape of the claim with changes. */
static bool has_shape(struct claim *claim, const struct changes *changes)
{
    struct candidate *candidate = candidate_new(claim, changes, NULL);
    const bool fitted = candidate && candidate_all_fitted(candidate);

    candidate_free(candidate);
    return fitted;
}

/* Makes changes a part of the claim; returns its candidate, or NULL where the tensors have not
 * its shape. */
static struct candidate *adopt(struct claim *claim, const struct changes *changes)
{
    struct candidate *base =
        claim_adopt(claim, changes) ? candidate_new(claim, NULL, NULL) : NULL;

    if (base && candidate_all_fitted(base))
        return base;
    candidate_free(base);
    return NULL;
}

/* Finds a choice that the claim leaves open and with which the tensors have its shape. */
static struct candidate *fit_open_choice(struct claim *claim)
{
    struct hypotheses list = {.count = 0};
    struct candidate *base = NULL;

    schema_add_values(&list, claim);
    for (size_t i = 0; !base && !claim->failed && i < list.count; i++) {
        const struct pe_param *param = list.at[i].changes.at[0].param;

        if (param->type != PE_CHOICE || pe_param_group(param) == PE_GROUP_FREQUENCIES ||
            args_bit(claim->args->filled, claim_index(claim, param)))
            continue;
        if (!has_shape(claim, &list.at[i].changes))
            continue;
        keep_opened(claim, param);
        base = adopt(claim, &list.at[i].changes);
        for (size_t j = 0; base && j < claim->subject_count; j++)
            if (base->fits[j][0] == '\0')
                snprintf(base->fits[j], sizeof base->fits[j], "%.36s=%.36s", param->name,
                         list.at[i].changes.at[0].text);
    }
    hypothesis_free(&list);
    return base;
}

/* ---- batches ----------------------------------------------------------------------------- */

enum { BATCH_MOST = 64 }; /* sequences whose positions a claim of one is repeated for */

/* Returns how many sequences a tensor of [batch, ..., rows, columns] holds; 1: it is none. */
static uint64_t batch_of(const struct view *whole)
{
    uint64_t rows = 0, batch = 1;

    for (size_t i = whole->rank > 0 ? whole->rank - 1 : 0; i-- > 0;) {
        if (whole->dims[i] == 1)
            continue;
        if (rows == 0)
            rows = whole->dims[i];
        else
            batch *= whole->dims[i];
    }
    return batch;
}

/* Writes the claim's positions as often as the tensor has sequences. */
static bool repeat_positions(struct change *change, struct claim *claim, uint64_t batch)
{
    const char *text = NULL;
    size_t len = 0;

    for (size_t i = 0; i < claim->enc->param_count && !text; i++)
        if (claim->enc->params[i].type == PE_POSITIONS && claim->text[i]) {
            change->param = &claim->enc->params[i];
            text = claim->text[i];
        }
    for (uint64_t i = 0; text && i < batch && len < sizeof change->text; i++)
        len += (size_t)snprintf(change->text + len, sizeof change->text - len, "%s%s",
                                i > 0 ? "," : "", text);
    return text && len < sizeof change->text;
}

/* Returns the choice of full rows, where the claim leaves it open; NULL: it does not. */
static const struct pe_param *open_width(struct claim *claim)
{
    const size_t width = args_find(claim->enc, "width", strlen("width"));

    return width == SIZE_MAX || args_bit(claim->args->filled, width)
               ? NULL
               : &claim->enc->params[width];
}

/* Judges a batch, whose sequences differ, by the positions that the claim has for each. */
static struct candidate *fit_batch(struct claim *claim)
{
    const uint64_t batch = claim->subject_count > 0 ? batch_of(&claim->subject[0].whole) : 1;
    const struct pe_param *width = open_width(claim);
    struct changes changes = {.count = 1};

    if (batch < 2 || batch > BATCH_MOST || !repeat_positions(&changes.at[0], claim, batch))
        return NULL;
    bool fitted = has_shape(claim, &changes);
    if (!fitted && width) {
        changes.at[changes.count].param = width;
        snprintf(changes.at[changes.count++].text, sizeof changes.at[0].text, "full");
        fitted = has_shape(claim, &changes);
    }
    return fitted ? adopt(claim, &changes) : NULL;
}

/* ---- squares ----------------------------------------------------------------------------- */

/* Returns whether a tensor is a square of rows by columns, one for a frequency. */
static bool has_square(const struct candidate *base)
{
    for (size_t i = 0; i < base->claim->subject_count; i++) {
        const struct pe_tensor_info *tensor = base->tensor[i];

        if (tensor->output->columns >= PE_COLUMN_PAIRED && tensor->rank == 2 &&
            tensor->rows == tensor->cols && tensor->rows > 1)
            return true;
    }
    return false;
}

/* Returns whether the numbers are, in a sample, as near as a right table may be. */
static bool is_near(const struct candidate *candidate)
{
    struct fit fit;

    return candidate_all_fitted(candidate) && fit_sample(&fit, candidate) &&
           fit.within <= JUDGE_SUSPICIOUS;
}

struct candidate *shape_turned(struct claim *claim, const struct candidate *base)
{
    if (!has_square(base) || is_near(base))
        return NULL;
    claim->columns_first = true;
    struct candidate *turned = candidate_new(claim, NULL, NULL);
    if (turned && is_near(turned))
        return turned;
    candidate_free(turned);
    claim->columns_first = false;
    return NULL;
}

/* ---- refusals ---------------------------------------------------------------------------- */

/* Returns the first subject whose tensor has not the shape that the plan gives to its output,
 * which *planned is; NULL if all have it. */
static const struct subject *find_misfit(const struct claim *claim, const struct pe_plan *plan,
                                         const struct pe_tensor_info **planned)
{
    char fits[PE_VERIFY_TEXT];

    for (size_t i = 0; i < claim->subject_count; i++) {
        const struct subject *subject = &claim->subject[i];
        struct view view = subject->whole;

        for (size_t j = 0; j < pe_plan_tensor_count(plan); j++) {
            *planned = pe_plan_tensor(plan, j);
            if ((*planned)->output == &claim->enc->outputs[subject->output] &&
                !view_fit(&view, (*planned)->dims, (*planned)->rank, fits))
                return subject;
        }
    }
    return NULL;
}

/* Writes the shape that the output has with full rows, where the claim leaves them open. */
static void print_other_width(struct claim *claim, const struct pe_output *output,
                              char text[100])
{
    struct changes changes = {.count = 1};
    char shape[60];

    changes.at[0].param = open_width(claim);
    if (!changes.at[0].param)
        return;
    snprintf(changes.at[0].text, sizeof changes.at[0].text, "full");
    struct planned other = claim_planned(claim, claim->enc, &changes, claim->outputs, PE_F64);
    for (size_t i = 0; other.plan && i < pe_plan_tensor_count(other.plan); i++) {
        const struct pe_tensor_info *tensor = pe_plan_tensor(other.plan, i);

        explain_print_list(shape, sizeof shape, tensor->dims, tensor->rank, ",");
        if (tensor->output == output)
            snprintf(text, 100, ", or %s with %s=full,", shape, changes.at[0].param->name);
    }
    pe_plan_free(other.plan);
    pe_args_free(other.args);
}

enum pe_status shape_refuse(struct claim *claim, struct pe_errors *errors)
{
    struct pe_limits limits = *claim->limits;
    const struct pe_tensor_info *planned;
    struct pe_plan *plan;
    char got[100], right[100], other[100];

    limits.brief = true;
    enum pe_status status = pe_plan_new(&plan, claim->args, NULL, &limits, errors);
    if (status)
        return status;
    const struct subject *misfit = find_misfit(claim, plan, &planned);
    if (misfit) {
        explain_print_list(got, sizeof got, misfit->whole.dims, misfit->whole.rank, ",");
        explain_print_list(right, sizeof right, planned->dims, planned->rank, ",");
        other[0] = '\0';
        if (misfit == claim->subject) /* no tensor has shown the width */
            print_other_width(claim, planned->output, other);
        status = pe_fail(errors, PE_BAD_VALUE, planned->output->name,
                         "must have the shape %s%s of the claim; the tensor has %s", right,
                         other, got);
    } else {
        status = pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    }
    pe_plan_free(plan);
    return status;
}

/* Returns the output of which the tensor is a row where the claim has a column of as many
 * positions, and how long it is; NULL: there is none. */
static const struct pe_output *find_row(const struct candidate *base, uint64_t *length)
{
    for (size_t i = 0; i < base->claim->subject_count; i++) {
        const struct pe_tensor_info *tensor = base->tensor[i];
        const struct view *whole = &base->claim->subject[i].whole;

        *length = view_cols(whole);
        if (tensor->output->columns >= PE_COLUMN_PAIRED && tensor->rank == 2 &&
            tensor->cols == 1 && tensor->rows == *length && *length > 1 && whole->rank > 1)
            return tensor->output;
    }
    return NULL;
}

enum pe_status shape_refuse_row(const struct candidate *base, struct pe_errors *errors)
{
    uint64_t length;
    const struct pe_output *output = base ? find_row(base, &length) : NULL;

    if (!output || !pe_param_find(base->enc, "dim", strlen("dim")))
        return PE_OK;
    return pe_fail(errors, PE_BAD_VALUE, output->name,
                   "must have the shape [%llu,1] of the claim; the tensor has [1,%llu], as one "
                   "position of dim=%llu has, or of dim=%llu with full rows",
                   (unsigned long long)length, (unsigned long long)length,
                   (unsigned long long)(2 * length), (unsigned long long)length);
}

struct candidate *shape_candidate(struct claim *claim)
{
    struct candidate *base = candidate_new(claim, NULL, NULL);

    if (base && !candidate_all_fitted(base)) {
        candidate_free(base);
        base = fit_open_choice(claim);
        base = base ? base : fit_batch(claim);
    }
    struct candidate *turned = base ? shape_turned(claim, base) : NULL;
    if (turned) {
        candidate_free(base);
        base = turned;
    }
    for (size_t i = 0; base && i < claim->subject_count; i++)
        memcpy(claim->fits[i], base->fits[i], sizeof claim->fits[i]);
    return base;
}
