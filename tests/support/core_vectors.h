/* SPDX-License-Identifier: Apache-2.0
 * core_vectors.h - an encoding of the client's vectors, as small as they come, for the tests
 * of the path from a body to an answer. */
#pragma once

#include "core/encoding.h"

/* "scale/apply", PE_INPUT: x, q and k (any shape of rank 1 and more) are each multiplied by
 * factor and answered under their own names. */
extern const struct pe_encoding core_vectors;
