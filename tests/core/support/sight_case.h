/* SPDX-License-Identifier: Apache-2.0
 * sight_case.h - what a reader of tensors without a claim finds in those of a case. */
#pragma once

#include "core/verify/sight/sight.h"
#include "tests/core/support/verify_case.h"

typedef struct pe_args *sight_reader(struct sight *sight, struct pe_verify_role *roles);

/* Writes the encoding and the values of the arguments that were found, each after '&'; "" if
 * none were. */
void sight_case_read(struct verify_case *made, sight_reader *read, char *text, size_t size);

/* Tensors, as a request, and what a reader must say of them. */
struct sight_case {
    const char *made, *says[4]; /* parts of sight_case_read's text */
};
/* Check that a reader finds what a case says; finds nothing once one element is another; and
 * finds nothing in the tensors of a request. */
void sight_case_says(const struct sight_case *one, sight_reader *read);
void sight_case_spoilt(const struct sight_case *one, sight_reader *read);
void sight_case_nothing(const char *request, sight_reader *read);
