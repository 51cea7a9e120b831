/* SPDX-License-Identifier: Apache-2.0
 * other.c - plans the numbers of another encoding with what the claim has in common with it. */
#include "core/verify/other.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Change the first whole distance that both encodings have; false if there is none. */
static bool add_step(struct candidate *candidate, int step)
{
    struct claim *claim = candidate->claim;

    for (size_t i = 0; i < claim->enc->param_count; i++) {
        const struct pe_param *param = &claim->enc->params[i];
        const enum pe_group group = pe_param_group(param);
        int64_t value;

        if (param->type != PE_INT || !claim->text[i] ||
            (group != PE_GROUP_DISTANCE && group != PE_GROUP_MASK) ||
            args_find(candidate->enc, param->name, strlen(param->name)) == SIZE_MAX)
            continue;
        memcpy(&value, claim->args->data + param->offset, sizeof value);
        candidate->changes.at[0].param = param;
        snprintf(candidate->changes.at[0].text, CHANGE_TEXT, "%lld", (long long)value + step);
        candidate->changes.count = 1;
        return true;
    }
    return false;
}

/* Return the text of the claim's grid, whatever its name; "" if it has none. */
static const char *grid_text(struct claim *claim)
{
    for (size_t i = 0; i < claim->enc->param_count; i++)
        if (claim->enc->params[i].type == PE_GRID && claim->text[i])
            return claim->text[i];
    return "";
}

/* Return whether a parameter that the claim has not follows from the tensors or the claim. */
static bool is_inferred(const struct pe_param *missing, int64_t size)
{
    return size != 0 ? missing->type == PE_INT
                     : missing->type == PE_POSITIONS || missing->type == PE_GRID;
}

/* Make arguments of another encoding; with `size`, of the number that they lack. Positions that
 * they lack count the rows of the first tensor. */
static struct pe_args *args_of(struct candidate *candidate, uint32_t outputs, int64_t size)
{
    struct claim *claim = candidate->claim;
    struct changes *changes = &candidate->changes;
    const struct pe_param *missing;
    struct pe_args *args =
        claim_args(claim, candidate->enc, changes, outputs, PE_F64, &missing);

    if (args || !missing || changes->count == PE_VERIFY_CHANGES ||
        !is_inferred(missing, size)) {
        if (size == 0)
            return args;
        pe_args_free(args);
        return NULL; /* there is nothing to add */
    }
    struct change *added = &changes->at[changes->count++];
    added->param = missing;
    if (size != 0)
        snprintf(added->text, CHANGE_TEXT, "%lld", (long long)size);
    else if (missing->type == PE_GRID)
        snprintf(added->text, CHANGE_TEXT, "%s", grid_text(claim));
    else
        snprintf(added->text, CHANGE_TEXT, "0:%llu",
                 (unsigned long long)claim->subject[0].whole.dims[0]);
    return claim_args(claim, candidate->enc, changes, outputs, PE_F64, NULL);
}

static struct candidate *start(struct claim *claim, const struct pe_encoding *enc,
                               uint32_t *outputs)
{
    struct candidate *candidate = claim_room(claim, 1, sizeof *candidate);

    *outputs = 0;
    if (!candidate)
        return NULL;
    candidate->claim = claim;
    candidate->enc = enc;
    for (size_t i = 0; i < enc->output_count; i++)
        for (size_t j = 0; j < claim->subject_count; j++)
            if (strcmp(enc->outputs[i].name,
                       claim->enc->outputs[claim->subject[j].output].name) == 0)
                *outputs |= UINT32_C(1) << i;
    return candidate;
}

/* Make that candidate with the columns of the other width, where the encoding offers it. */
static struct candidate *with_width(struct claim *claim, const struct pe_encoding *enc,
                                    const struct changes *changes)
{
    const struct pe_param *width = pe_param_find(enc, "width", 5);
    struct candidate *candidate;
    uint32_t outputs;

    for (int i = 0; width && width->choices && i < 2 && width->choices[i].name; i++) {
        candidate = start(claim, enc, &outputs);
        if (!candidate)
            return NULL;
        candidate->changes = *changes;
        if (changes->count < PE_VERIFY_CHANGES) {
            struct change *added = &candidate->changes.at[candidate->changes.count++];

            added->param = width;
            snprintf(added->text, CHANGE_TEXT, "%s", width->choices[i].name);
        }
        candidate->args = claim_args(claim, enc, &candidate->changes, outputs, PE_F64, NULL);
        candidate = candidate_build(candidate, 0);
        if (candidate && candidate_all_fitted(candidate))
            return candidate;
        candidate_free(candidate);
    }
    return NULL;
}

struct candidate *other_encoding(struct claim *claim, const struct pe_encoding *enc, int step,
                                 int64_t size)
{
    uint32_t outputs;
    struct candidate *candidate = start(claim, enc, &outputs);

    if (!candidate)
        return NULL;
    if (outputs != 0 && (step == 0 || add_step(candidate, step)))
        candidate->args = args_of(candidate, outputs, size);
    const struct changes changes = candidate->changes;
    candidate = candidate_build(candidate, 0);
    if (!candidate || candidate_all_fitted(candidate))
        return candidate;
    candidate_free(candidate);
    return with_width(claim, enc, &changes);
}
