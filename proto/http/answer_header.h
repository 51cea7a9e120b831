/* SPDX-License-Identifier: Apache-2.0
 * answer_header.h - the header fields of answers that only posencd has (answer_headers.def). */
#pragma once

#include <stddef.h>

enum answer_header_id {
#define ANSWER_HEADER(ID, NAME, SUMMARY) ANSWER_HEADER_##ID,
#include "proto/http/answer_headers.def"
#undef ANSWER_HEADER
    ANSWER_HEADER_COUNT
};

struct answer_header {
    const char *name;
    const char *summary; /* half a sentence, no full stop */
};

const struct answer_header *answer_header_at(enum answer_header_id id);
