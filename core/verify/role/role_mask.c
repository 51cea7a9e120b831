/* SPDX-License-Identifier: Apache-2.0
 * role_mask.c - see role_mask.h. */
#include "core/verify/role/role_mask.h"

#include "core/args/args.h"
#include "core/verify/role/role_content.h"
#include "core/verify/view.h"

static const struct pe_output *find_output(const struct pe_encoding *enc, const char *name)
{
    const size_t output = args_find_output(enc, name);

    return output == SIZE_MAX ? NULL : &enc->outputs[output];
}

/* Returns whether the numbers are real and all zero: added to scores they hide no key, where
 * truth values would hide every key from every query. */
static bool hides_nothing(const struct pe_verify_tensor *tensor)
{
    const struct view view = view_of(tensor);

    return tensor->data && view.finite && !view.nan && !view.infinite && view.least == 0 &&
           view.most == 0;
}

const struct pe_output *role_mask_named(const struct pe_encoding *enc,
                                        const struct pe_verify_tensor *tensor,
                                        const struct pe_output *output)
{
    const struct pe_output *mask = find_output(enc, "mask"),
                           *additive = find_output(enc, "additive");

    if (!mask || !additive || (output != mask && output != additive))
        return output;
    if (tensor->info.dtype > PE_BF16)
        return mask;
    return tensor->data && (!role_content_is_truth(tensor) || hides_nothing(tensor)) ? additive
                                                                                     : output;
}

/* Returns whether a program adds this mask to scores, as attention does with what is no bool:
 * real numbers, also where they are 1 and 0. */
static bool is_added(const struct pe_verify_tensor *tensor)
{
    return tensor->info.dtype <= PE_BF16 && !tensor->text;
}

const struct pe_output *role_mask_unnamed(const struct pe_encoding *enc,
                                          const struct pe_verify_tensor *tensor)
{
    const struct pe_output *mask = find_output(enc, "mask"),
                           *additive = find_output(enc, "additive"),
                           *runs = find_output(enc, "runs");
    const bool pairs = tensor->info.dims[tensor->info.rank - 1] == 2;

    if (mask && runs && pairs && tensor->info.rank > 2 && tensor->data &&
        tensor->info.dtype > PE_BF16 && !role_content_is_truth(tensor))
        return runs;
    return mask ? role_mask_named(enc, tensor, is_added(tensor) && additive ? additive : mask)
                : NULL;
}
