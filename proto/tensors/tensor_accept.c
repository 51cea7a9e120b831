/* SPDX-License-Identifier: Apache-2.0
 * tensor_accept.c - see tensor_accept.h. */
#include "proto/tensors/tensor_accept.h"

#include "proto/tensors/tensor.h"

enum element_accept tensor_accept(const struct pe_encoding *enc, const char *name)
{
    const struct pe_param *param = enc ? tensor_param(enc, name) : NULL;

    return !enc                               ? ELEMENT_ANY
           : param && param->type == PE_REALS ? ELEMENT_NUMBERS
                                              : ELEMENT_REALS;
}
