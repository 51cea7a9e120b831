/* SPDX-License-Identifier: Apache-2.0
 * proto_row.h - inputs of proto and their outputs, as rows of text files (tests/support/row.h):
 *
 *     config {"model_type": "bloom", "n_head": 112}
 *         uses: alibi?heads=112&distance_kind=key-index
 *
 * The first word of an input names a function, or the input is a request,
 * "rope?pos=0:2&dim=4 {"rev": 2}", whose query and body may be missing. The claim says what is
 * written of the result, and the text behind the colon is the whole of it. A refusal is written
 * as "PARAMETER sentence / hint", where - is no parameter; several are joined by " | ". */
#pragma once

#include <stdbool.h>

#include "core/posenc.h"
#include "proto/text/buffer.h"
#include "tests/support/row.h"

/* Whether the row's expectation comes true; if not, `why` names file, line and the result. */
bool proto_row_holds(const struct row *row, char *why, size_t size);

/* A claim about the results of a function. A claim that ends with a blank stands for all that
 * begin with it. A function that is "" is for requests. */
struct proto_row_kind {
    const char *function, *claim;
    /* Writes the result for an input (without the function). A claim about a part of the result
     * writes the row's text if it holds, else the whole result. */
    void (*write)(struct buffer *out, const char *input, const struct row *row);
};

/* The kinds of each file, which end with a kind without function. */
extern const struct proto_row_kind proto_row_batches[], proto_row_claims[], proto_row_configs[],
    proto_row_inference[], proto_row_numbers[], proto_row_requests[], proto_row_tensors[],
    proto_row_texts[];

void proto_row_write_errors(struct buffer *out, const struct pe_errors *errors);
/* Returns the text with its %0a decoded, NUL-terminated; free() it. len may be NULL. */
char *proto_row_decode(const char *text, size_t *len);
/* Returns the body of an input "body ..." or "long-body ..."; free() it. */
char *proto_row_body(const char *input, size_t *len);
