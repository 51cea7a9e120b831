/* SPDX-License-Identifier: Apache-2.0
 * other.c - plans the numbers of another encoding with what the claim has in common with it. */
#include "core/verify/other.h"

#include <stdio.h>
#include <string.h>

/* Changes the first whole distance that both encodings have; false if there is none. */
static bool add_step(struct claim *claim, const struct pe_encoding *enc,
                     struct changes *changes, int step)
{
    for (size_t i = 0; i < claim->enc->param_count; i++) {
        const struct pe_param *param = &claim->enc->params[i];
        const enum pe_group group = pe_param_group(param);
        int64_t value;

        if (param->type != PE_INT || !claim->text[i] ||
            (group != PE_GROUP_DISTANCE && group != PE_GROUP_MASK) ||
            args_find(enc, param->name, strlen(param->name)) == SIZE_MAX)
            continue;
        memcpy(&value, claim->args->data + param->offset, sizeof value);
        changes->at[0].param = param;
        snprintf(changes->at[0].text, CHANGE_TEXT, "%lld", (long long)value + step);
        changes->count = 1;
        return true;
    }
    return false;
}

/* Returns the text of the claim's grid, whatever its name; "" if it has none. */
static const char *grid_text(struct claim *claim)
{
    for (size_t i = 0; i < claim->enc->param_count; i++)
        if (claim->enc->params[i].type == PE_GRID && claim->text[i])
            return claim->text[i];
    return "";
}

/* Returns whether a parameter that the claim has not follows from the tensors or the claim. */
static bool is_inferred(const struct pe_param *missing, int64_t size)
{
    return size != 0 ? missing->type == PE_INT
                     : missing->type == PE_POSITIONS || missing->type == PE_GRID;
}

/* Returns the length of the first axis that is longer than 1. */
static uint64_t first_length(const struct view *view)
{
    size_t axis = 0;

    while (axis + 1 < view->rank && view->dims[axis] == 1)
        axis++;
    return view->rank > 0 ? view->dims[axis] : 1;
}

/* Plan numbers of another encoding; with `size`, of the number that its arguments lack.
 * Positions that they lack count the rows of the first tensor. */
static struct planned plan_other(struct claim *claim, const struct pe_encoding *enc,
                                 struct changes *changes, uint32_t outputs, int64_t size)
{
    struct planned planned = claim_planned(claim, enc, changes, outputs, PE_F64);
    const struct pe_param *missing = planned.missing;

    if (planned.args || !missing || changes->count == PE_VERIFY_CHANGES ||
        !is_inferred(missing, size)) {
        if (size == 0)
            return planned;
        pe_plan_free(planned.plan);
        pe_args_free(planned.args);
        return (struct planned){.args = NULL}; /* there is nothing to add */
    }
    struct change *added = &changes->at[changes->count++];
    added->param = missing;
    if (size != 0)
        snprintf(added->text, CHANGE_TEXT, "%lld", (long long)size);
    else if (missing->type == PE_GRID)
        snprintf(added->text, CHANGE_TEXT, "%s", grid_text(claim));
    else
        snprintf(added->text, CHANGE_TEXT, "0:%llu",
                 (unsigned long long)first_length(&claim->subject[0].whole));
    return claim_planned(claim, enc, changes, outputs, PE_F64);
}

/* Returns the outputs (bit i: output i) of the names that are judged. */
static uint32_t outputs_of(const struct claim *claim, const struct pe_encoding *enc)
{
    uint32_t outputs = 0;

    for (size_t i = 0; i < enc->output_count; i++)
        for (size_t j = 0; j < claim->subject_count; j++)
            if (strcmp(enc->outputs[i].name,
                       claim->enc->outputs[claim->subject[j].output].name) == 0)
                outputs |= UINT32_C(1) << i;
    return outputs;
}

/* Makes that candidate with the columns of the other width, where the encoding offers it. */
static struct candidate *with_width(struct claim *claim, const struct pe_encoding *enc,
                                    const struct changes *changes, uint32_t outputs)
{
    const struct pe_param *width = pe_param_find(enc, "width", 5);

    for (int i = 0; width && width->choices && i < 2 && width->choices[i].name; i++) {
        struct changes more = *changes;

        if (more.count < PE_VERIFY_CHANGES) {
            struct change *added = &more.at[more.count++];

            added->param = width;
            snprintf(added->text, CHANGE_TEXT, "%s", width->choices[i].name);
        }
        const struct planned planned = claim_planned(claim, enc, &more, outputs, PE_F64);
        struct candidate *candidate = candidate_build(claim, enc, &more, &planned, 0);
        if (candidate && candidate_all_fitted(candidate))
            return candidate;
        candidate_free(candidate);
    }
    return NULL;
}

struct candidate *other_encoding(struct claim *claim, const struct pe_encoding *enc, int step,
                                 int64_t size)
{
    const uint32_t outputs = outputs_of(claim, enc);
    struct changes changes = {.count = 0};

    if (outputs == 0 || (step != 0 && !add_step(claim, enc, &changes, step)))
        return NULL;
    const struct planned planned = plan_other(claim, enc, &changes, outputs, size);
    struct candidate *candidate = candidate_build(claim, enc, &changes, &planned, 0);
    if (!candidate || candidate_all_fitted(candidate))
        return candidate;
    candidate_free(candidate);
    return with_width(claim, enc, &changes, outputs);
}
