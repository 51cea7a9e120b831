/* SPDX-License-Identifier: Apache-2.0
 * verify_integers.c - see verify_integers.h. */
#include "proto/verify/verify_integers.h"

#include <string.h>

/* Returns whether a body has such elements in 8 bits. */
static bool has_one_byte(const struct verify_request *request, size_t i)
{
    const char *type = verify_request_type(request, i);

    return strcmp(type, "i8") == 0 || strcmp(type, "u8") == 0;
}

bool verify_integers_are(const struct verify_request *request, const struct pe_verdict *verdict,
                         size_t i)
{
    const enum pe_dtype dtype = request->tensors[i].info.dtype;
    const struct pe_output *output = request->roles[i].output;

    if (dtype != PE_I32 && dtype != PE_I64 && dtype != PE_U8)
        return false;
    if (!verdict)
        return has_one_byte(request, i);
    return output && output->natural == PE_F32 &&
           pe_family_of(pe_args_encoding(request->args)) != PE_MASK &&
           verdict->tensor[i].kind >= PE_MISTAKE;
}

void verify_integers_write(struct buffer *out, const struct verify_request *request, size_t i)
{
    const char *name = request->tensors[i].name;

    buffer_add_format(out,
                      "%s has integers (%s), but its numbers are fractions: "
                      "multiply the levels of a quantised table by their scale; a cast to "
                      "integers alone cuts fractions off",
                      *name ? name : "the tensor", verify_request_type(request, i));
}
