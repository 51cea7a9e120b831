/* SPDX-License-Identifier: Apache-2.0
 * exchanged.c - see exchanged.h. */
#include "core/verify/sight/exchanged.h"

#include <string.h>

#include "core/verify/sight/axes_drafts.h"

/* Names a table by what it holds where the claim would be exchanged: of one tensor with both
 * the numbers say the order. False: it is no table. */
static bool rename_table(struct pe_verify_tensor *tensor, const struct pe_verify_role *role)
{
    if (!role->output)
        return false;
    tensor->role = NULL;
    if (role->form == PE_FORM_SIDE || role->form == PE_FORM_ABOVE)
        tensor->name = "";
    else if (role->form == PE_FORM_WHOLE && strcmp(role->output->name, "cos") == 0)
        tensor->name = "sin";
    else if (role->form == PE_FORM_WHOLE && strcmp(role->output->name, "sin") == 0)
        tensor->name = "cos";
    else
        return false;
    return true;
}

void exchanged_try(struct sight *sight, const struct waves_bases *bases,
                   struct pe_verify_role *roles)
{
    const struct pe_verify_tensor *tensors = sight->tensors;
    const struct pe_encoding *enc = axes_drafts_encoding(sight);
    struct pe_verify_tensor renamed[PE_VERIFY_TENSORS];
    struct pe_errors errors;
    bool all = true;

    pe_errors_clear(&errors);
    if (!enc || pe_verify_assign(enc, tensors, sight->count, roles, &errors) != PE_OK)
        return;
    memcpy(renamed, tensors, sight->count * sizeof *renamed);
    for (size_t i = 0; i < sight->count && all; i++)
        all = rename_table(&renamed[i], &roles[i]);
    if (!all)
        return;
    sight->tensors = renamed;
    struct pe_args *args = waves_try(sight, bases, roles);
    if (!args)
        args = axes_drafts_try(sight, roles);
    sight->tensors = tensors;
    if (args) {
        pe_args_free(sight->mistaken);
        sight->mistaken = args;
    }
}
