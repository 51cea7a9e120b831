/* SPDX-License-Identifier: Apache-2.0
 * role_both.c - see role_both.h. */
#include "core/verify/role/role_both.h"

#include <string.h>

#include "core/args/args.h"
#include "core/verify/role/role_content.h"

static const struct pe_output *find_output(const struct pe_encoding *enc, const char *name)
{
    const size_t output = args_find_output(enc, name);

    return output == SIZE_MAX ? NULL : &enc->outputs[output];
}

struct pe_verify_role role_both(const struct pe_encoding *enc, enum pe_verify_form form)
{
    return (struct pe_verify_role){.output = find_output(enc, "cos"),
                                   .form = form,
                                   .name =
                                       form == PE_FORM_PARTS ? "freqs_cis" : "cos_sin_cache"};
}

bool role_both_has(const struct pe_encoding *enc)
{
    return find_output(enc, "cos") && find_output(enc, "sin");
}

/* Returns the form in which the parts stand in the order that a name says: its code takes them
 * in this order, whatever they hold. */
static enum pe_verify_form in_order(enum pe_verify_form form, const struct pe_output *first)
{
    const bool sines = first && strcmp(first->name, "sin") == 0;

    if (first && (form == PE_FORM_SIDE || form == PE_FORM_SIDE_SIN))
        return sines ? PE_FORM_SIDE_SIN : PE_FORM_SIDE;
    if (first && (form == PE_FORM_ABOVE || form == PE_FORM_ABOVE_SIN))
        return sines ? PE_FORM_ABOVE_SIN : PE_FORM_ABOVE;
    return form;
}

struct pe_verify_role role_both_called(const struct pe_encoding *enc,
                                       const struct pe_verify_tensor *tensor,
                                       const struct pe_output *first)
{
    enum pe_verify_form form = role_content_form(tensor);

    if (form == PE_FORM_WHOLE)
        form = role_content_shape(tensor);
    return form == PE_FORM_WHOLE ? (struct pe_verify_role){.output = NULL}
                                 : role_both(enc, in_order(form, first));
}
