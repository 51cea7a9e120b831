/* SPDX-License-Identifier: Apache-2.0
 * hypothesis_axes.c - the axis of vectors along which positions run. */
#include "core/verify/hypothesis/hypothesis_axes.h"

#include <stdio.h>
#include <string.h>

/* Returns the vectors that the first judged output encodes; NULL if it has none. */
static const struct pe_tensor *vectors_of(const struct claim *claim)
{
    const struct pe_param *param =
        claim->subject_count > 0 ? args_tensor(claim->args, claim->subject[0].output) : NULL;

    return param ? (const void *)(claim->args->data + param->offset) : NULL;
}

static void add_axis(struct hypotheses *list, const struct pe_param *axis_param, size_t axis,
                     const struct pe_param *pos_param, double first, uint64_t length)
{
    struct hypothesis hypothesis = {.slug = axis_param->name, .price = 1.1, .lone = true};
    struct change *axis_change = &hypothesis.changes.at[0];
    struct change *pos_change = &hypothesis.changes.at[1];

    hypothesis.changes.count = 2;
    axis_change->param = axis_param;
    snprintf(axis_change->text, CHANGE_TEXT, "%zu", axis);
    pos_change->param = pos_param;
    snprintf(pos_change->text, CHANGE_TEXT, "%.17g:%.17g", first, first + (double)length);
    hypothesis_add(list, &hypothesis);
}

void hypothesis_axes_add(struct hypotheses *list, struct claim *claim,
                         const struct pe_param *param)
{
    const struct pe_tensor *vectors =
        strcmp(param->name, "seq_axis") == 0 ? vectors_of(claim) : NULL;
    const size_t at = args_find(claim->enc, "pos", 3);
    double own = 0;

    if (!vectors || at == SIZE_MAX || claim->enc->params[at].type != PE_POSITIONS)
        return;
    const struct pe_param *pos_param = &claim->enc->params[at];
    const struct pe_positions *pos =
        *(struct pe_positions *const *)(claim->args->data + pos_param->offset);
    claim_number(claim, claim_index(claim, param), &own);
    for (size_t axis = 0; pos && pe_positions_count(pos) > 0 && axis + 1 < vectors->rank;
         axis++)
        if ((double)axis != own)
            add_axis(list, param, axis, pos_param, pe_positions_at(pos, 0),
                     vectors->dims[axis]);
    claim->failed = claim->failed || list->failed;
}
