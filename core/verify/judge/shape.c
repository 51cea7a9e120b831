/* SPDX-License-Identifier: Apache-2.0
 * shape.c - see shape.h. */
#include "core/verify/judge/shape.h"

#include <stdio.h>
#include <string.h>

#include "core/verify/explain.h"
#include "core/verify/hypothesis/schema.h"

/* Keeps the value that a choice has by itself: with another mistake it may fit. */
static void keep_opened(struct claim *claim, const struct pe_param *param)
{
    const char *text = claim->text[claim_index(claim, param)];

    claim->opened.param = text ? param : NULL;
    snprintf(claim->opened.text, sizeof claim->opened.text, "%s", text ? text : "");
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
        base = candidate_new(claim, &list.at[i].changes, NULL);
        const bool fitted = base && candidate_all_fitted(base);
        candidate_free(base);
        if (fitted)
            keep_opened(claim, param);
        base = fitted && claim_adopt(claim, &list.at[i].changes)
                   ? candidate_new(claim, NULL, NULL)
                   : NULL;
        if (base && !candidate_all_fitted(base)) {
            candidate_free(base);
            base = NULL;
        }
        for (size_t j = 0; base && j < claim->subject_count; j++)
            if (base->fits[j][0] == '\0')
                snprintf(base->fits[j], sizeof base->fits[j], "%.36s=%.36s", param->name,
                         list.at[i].changes.at[0].text);
    }
    hypothesis_free(&list);
    return base;
}

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

enum pe_status shape_refuse(const struct claim *claim, struct pe_errors *errors)
{
    struct pe_limits limits = *claim->limits;
    const struct pe_tensor_info *planned;
    struct pe_plan *plan;
    char got[100], right[100];

    limits.brief = true;
    enum pe_status status = pe_plan_new(&plan, claim->args, NULL, &limits, errors);
    if (status)
        return status;
    const struct subject *misfit = find_misfit(claim, plan, &planned);
    if (misfit) {
        explain_print_list(got, sizeof got, misfit->whole.dims, misfit->whole.rank, ",");
        explain_print_list(right, sizeof right, planned->dims, planned->rank, ",");
        status = pe_fail(errors, PE_BAD_VALUE, planned->output->name,
                         "must have the shape %s of the claim; the tensor has %s", right, got);
    } else {
        status = pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    }
    pe_plan_free(plan);
    return status;
}

struct candidate *shape_candidate(struct claim *claim)
{
    struct candidate *base = candidate_new(claim, NULL, NULL);

    if (base && !candidate_all_fitted(base)) {
        candidate_free(base);
        base = fit_open_choice(claim);
    }
    for (size_t i = 0; base && i < claim->subject_count; i++)
        memcpy(claim->fits[i], base->fits[i], sizeof claim->fits[i]);
    return base;
}
