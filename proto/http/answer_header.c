/* SPDX-License-Identifier: Apache-2.0
 * answer_header.c - see answer_header.h. */
#include "proto/http/answer_header.h"

static const struct answer_header headers[] = {
#define ANSWER_HEADER(ID, NAME, SUMMARY) [ANSWER_HEADER_##ID] = {NAME, SUMMARY},
#include "proto/http/answer_headers.def"
#undef ANSWER_HEADER
};

const struct answer_header *answer_header_at(enum answer_header_id id)
{
    return &headers[id];
}
