/* SPDX-License-Identifier: Apache-2.0
 * role_refuse.c - see role_refuse.h. */
#include "core/verify/role/role_refuse.h"

#include <stdio.h>

#include "core/args/args.h"

enum { NAMES_MAX = 200 };

void role_refuse(const struct pe_encoding *enc, const char *name, struct pe_errors *errors)
{
    char names[NAMES_MAX] = "";
    size_t len = 0;

    for (size_t i = 0; i < enc->output_count && len < NAMES_MAX - 40; i++)
        len += (size_t)snprintf(names + len, NAMES_MAX - len, "%s%s", i > 0 ? ", " : "",
                                enc->outputs[i].name);
    if (name[0] == '\0')
        (void)pe_fail(errors, PE_MISSING_PARAMETER, "tensor",
                      "is required: which output of %s the tensor is, of %s", enc->name, names);
    else
        (void)pe_fail(errors, PE_UNKNOWN_PARAMETER, name,
                      "is no output of %s; name the tensor one of %s", enc->name, names);
}
