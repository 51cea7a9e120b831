/* SPDX-License-Identifier: Apache-2.0
 * request_words.h - the words of posencd compute as a request: NAME=VALUE as a query has
 * it, and NAME=@FILE as tensors of a body. */
#pragma once

#include "proto/request/request.h"
#include "server/cli/command/call.h"

/* Finds the encoding of the first word: "rope", or "/v1/rope?dim=8", whose query is kept. NULL
 * after a line on stderr. */
const struct pe_encoding *request_words_encoding(const struct call *call);

struct request_words {
    uint64_t max_elements; /* of one file */
    size_t wrong;     /* words that are no NAME=VALUE, each with a line on stderr, are added */
    size_t unread;    /* problems that are a file's */
    bool undescribed; /* raw bytes were not read, for a reason that request_finish finds */
    int file_code;    /* exit code of the first file that could not be read, or 0 */
};

/* Sets every word of the call; the problems are in *errors. */
void request_words_set(struct request *request, const struct call *call,
                       struct request_words *words, struct pe_errors *errors);
