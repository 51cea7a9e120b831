/* SPDX-License-Identifier: Apache-2.0
 * shaped.c - see shaped.h. Of the drafts of a search most have other shapes than the tensors;
 * the axes of an output are named after parameters, so a shape takes no plan. */
#include "core/verify/sight/shaped.h"

#include "core/args/args.h"
#include "core/plan/plan_size.h"
#include "core/verify/view_fit.h"

/* Returns the tensor of an output; NULL: it is not wanted. */
static const struct pe_tensor_info *find_tensor(const struct pe_tensor_info *tensors,
                                                size_t count, const struct pe_output *output)
{
    for (size_t i = 0; i < count; i++)
        if (tensors[i].output == output)
            return &tensors[i];
    return NULL;
}

/* See a view in the shape of a tensor, as a candidate sees it; false: it has another. */
static bool see(struct view *view, const struct pe_tensor_info *tensor)
{
    const bool paired = tensor->output->columns >= PE_COLUMN_PAIRED && tensor->rank == 2;
    char how[PE_VERIFY_TEXT];

    return view_fit(view, tensor->dims, tensor->rank, how) ||
           (paired && view_fit_columns_first(view, tensor->rows, tensor->cols));
}

enum shaped shaped_look(const struct pe_args *args, const struct view *views, size_t count,
                        const struct pe_verify_role *roles, struct unlike_known *known,
                        bool *failed)
{
    struct pe_tensor_info tensors[PE_MAX_OUTPUTS];
    struct unlike_seen seen[UNLIKE_KNOWN];
    const size_t wanted = pe_args_tensors(args, tensors);
    size_t judged = 0;

    for (size_t i = 0; i < count; i++) {
        const enum pe_verify_form form = roles[i].form;
        const size_t parts = form == PE_FORM_WHOLE ? 1 : 2;

        for (size_t part = 0; roles[i].output && part < parts; part++) {
            const struct pe_output *output = roles[i].output + part;
            const struct pe_tensor_info *tensor = find_tensor(tensors, wanted, output);
            const struct view *view = &views[i];

            seen[judged] = (struct unlike_seen){
                output, args->enc->family, parts == 1 ? *view : view_part(view, form, part)};
            if (!tensor || !see(&seen[judged++].view, tensor))
                return SHAPED_OTHERWISE;
        }
    }
    return unlike(seen, judged, known, failed) ? SHAPED_UNLIKE : SHAPED_ALIKE;
}

bool shaped_has(const struct shaped_claim *claims, size_t count, const struct pe_encoding *enc)
{
    for (size_t i = 0; i < count; i++)
        if (claims[i].args->enc == enc)
            return true;
    return false;
}

size_t shaped_keep(struct shaped_claim *claims, size_t count, const struct shaped_claim *claim)
{
    size_t at = count;

    if (at == SHAPED_MOST) {
        if (claims[at - 1].right >= claim->right) {
            pe_args_free(claim->args);
            return count;
        }
        pe_args_free(claims[--at].args);
    } else {
        count++;
    }
    for (; at > 0 && claims[at - 1].right < claim->right; at--)
        claims[at] = claims[at - 1];
    claims[at] = *claim;
    return count;
}

void shaped_fini(struct shaped_claim *claims, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pe_args_free(claims[i].args);
}
