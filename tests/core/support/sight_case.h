/* SPDX-License-Identifier: Apache-2.0
 * sight_case.h - what a reader of tensors without a claim finds in those of a case. */
#pragma once

#include "core/verify/sight/sight.h"
#include "tests/core/support/verify_case.h"

typedef struct pe_args *sight_reader(struct sight *sight, struct pe_verify_role *roles);

/* Writes the encoding and the values of the arguments that were found, each after '&'; "" if
 * none were. */
void sight_case_read(struct verify_case *made, sight_reader *read, char *text, size_t size);
