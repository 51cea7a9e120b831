/* SPDX-License-Identifier: Apache-2.0
 * verify_words.h - the names of a query to verify that are neither a part of the claim nor
 * about the bytes of the body: role.NAME=cos says what the tensor NAME is, atol and rtol how
 * far an element may be from the claim's. */
#pragma once

#include "core/posenc_verify.h"
#include "proto/request/query.h"

enum { VERIFY_WORDS_ROLE_SIZE = 64 };

struct verify_words { /* {0} has no words */
    struct pe_verify_tolerance tolerance;
    bool has_tolerance;                                   /* atol or rtol was given */
    char role[PE_VERIFY_TENSORS][VERIFY_WORDS_ROLE_SIZE]; /* of each tensor; "": not given */
};

/* Returns whether the name is such a word. */
bool verify_words_has(const char *name, size_t len);
/* Reads the words of a query about tensors of these names; a role of a tensor that is not there
 * is a problem. */
void verify_words_read(struct verify_words *words, const struct query *query,
                       const struct pe_verify_tensor *tensors, size_t count,
                       struct pe_errors *errors);
