/* SPDX-License-Identifier: Apache-2.0
 * verdicts.h - verdicts made by hand, and the requests that they are about, for the suites of
 * what is written of them. */
#pragma once

#include "proto/verify/verify_request.h"

struct verdicts {
    struct query query;
    struct tensor_set set;
    struct verify_request request;
    struct pe_verdict *verdict; /* everything in it is zero but what a test sets */
};

/* Reads a claim about tensors of zeros, "cos[2,2],sin[2,2]"; the query may be "". The verdict
 * says that each of these tensors is exact. */
void verdicts_init(struct verdicts *verdicts, const char *query, const char *tensors);
void verdicts_fini(struct verdicts *verdicts);
/* Adds tensors of zeros to a set. */
void verdicts_add_tensors(struct tensor_set *set, const char *text);
/* Returns the checked arguments of a query for an encoding. */
struct pe_args *verdicts_args(const char *encoding, const char *query);
