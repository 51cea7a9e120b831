/* SPDX-License-Identifier: Apache-2.0
 * packed.h - the documents of a row, given in one of four ways: their lengths, the tokens at
 * which they begin, the document of each token, the position of each token. */
#pragma once

#include "core/encoding.h"

/* Exactly one list is given; the others are NULL. */
struct packed_lists {
    const struct pe_positions *lengths, *cu_seqlens, *document_ids, *position_ids;
};

/* PACKED_ROWS are the parameters, PACKED_ONE_OF those of which one must be given. */
#define PACKED_ONE_OF "lengths|cu_seqlens|document_ids|position_ids"
#define PACKED_ROWS(TYPE, PART)                                                                \
    {PE_FIELD_OF(TYPE, PART, lengths), .type = PE_POSITIONS,                                   \
     .summary = "number of tokens of each document: 3,2"},                                     \
        {PE_FIELD_OF(TYPE, PART, cu_seqlens), .type = PE_POSITIONS,                            \
         .summary = "token at which each document begins, and the end: 0,3,5"},                \
        {PE_FIELD_OF(TYPE, PART, document_ids), .type = PE_POSITIONS,                          \
         .summary = "document of each token: 0,0,0,1,1"},                                      \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, position_ids),                                                 \
            .type = PE_POSITIONS,                                                              \
            .summary = "position of each token in its document: "                              \
                       "0,1,2,0,1"                                                             \
    }

/* Returns PE_OK if exactly one list is given and it is valid. */
enum pe_status packed_check(const struct packed_lists *lists, struct pe_errors *errors);

struct packed {
    double *begins; /* [documents + 1], the last is the end; NULL: documents are only counted */
    uint64_t documents, tokens;
    double longest;
};

/* Counts the documents and, unless packed->begins is NULL, writes where each begins. *packed is
 * zeroed except for begins. A document begins where its number changes, or where a position is
 * not the previous position + 1. */
void packed_read(const struct packed_lists *lists, struct packed *packed);
double packed_read_ns(const struct packed_lists *lists); /* operations of packed_read */
/* Reads the lists into the plan's memory. Returns NULL when out of memory. */
const struct packed *packed_new(struct pe_build *build, const struct packed_lists *lists);
/* Returns the document of a token below `tokens`: the last one that begins at or before it. */
uint64_t packed_document(const struct packed *packed, uint64_t token);
