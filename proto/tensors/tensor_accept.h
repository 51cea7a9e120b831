/* SPDX-License-Identifier: Apache-2.0
 * tensor_accept.h - which types of elements a tensor of a body may have, by its name. */
#pragma once

#include "proto/tensors/element_type.h"

/* Returns the types that a tensor of that name may have: a list may have integers. If enc is
 * NULL, any. */
enum element_accept tensor_accept(const struct pe_encoding *enc, const char *name);
