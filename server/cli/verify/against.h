/* SPDX-License-Identifier: Apache-2.0
 * against.h - the file of --against: its tensors, and the claim that explains them, by which
 * the other files are judged. */
#pragma once

#include "proto/verify/verify_pair.h"
#include "proto/verify/verify_request.h"
#include "server/cli/tensors/cli_tensors.h"

enum { AGAINST_SAYS = 600 };

struct against {
    const char *path;
    struct cli_tensors tensors;
    struct verify_request request;
    struct pe_verdict *verdict;
    struct query claim; /* what the tensors are, if they are right by it; borrowed texts */
    bool known;
    char says[AGAINST_SAYS]; /* what they are, or why nothing is known of them */
};

/* Reads the file and finds what it is, by the words of the call or without them. Returns 0, or
 * the exit code; then there is nothing to free, and *errors has why. */
int against_read(struct against *against, const char *path, const struct query *words,
                 const struct verify_body *body, struct pe_errors *errors);
/* Compares a file's tensors with these. The words have the tolerance. */
void against_compare(const struct against *against, struct verify_pairs *pairs,
                     const struct tensor_set *set, const struct query *words);
/* Makes the words by which a file is judged: those of the call about files, and the claim of
 * the other file, without the positions and the width of rows where its shapes are others. */
void against_words(const struct against *against, struct query *made, const struct query *words,
                   const struct verify_pairs *pairs);
/* Writes how a file is beside this one. */
void against_write(const struct against *against, struct buffer *out, const char *file,
                   const struct verify_pairs *pairs);
/* Adds the same to an answer of JSON; where `out` is empty, it is an answer that says whether
 * both are equal. */
void against_write_json(const struct against *against, struct buffer *out,
                        const struct verify_pairs *pairs);
void against_fini(struct against *against);
