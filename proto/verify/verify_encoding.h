/* SPDX-License-Identifier: Apache-2.0
 * verify_encoding.h - the encoding that a claim means which has a model and no encoding. */
#pragma once

#include "proto/verify/verify_source.h"

/* Returns the one encoding of the model that the tensors of the source may be of: that of
 * vectors where they are among them. NULL after adding a problem. */
const struct pe_encoding *verify_encoding_of_model(const struct verify_source *source,
                                                   const struct model *model,
                                                   struct pe_errors *errors);
