/* SPDX-License-Identifier: Apache-2.0
 * batch_format.c - see batch_format.h. */
#include "proto/batch/batch_format.h"

#include <string.h>

#include "proto/batch/batch_answer.h"
#include "proto/http/accept.h"
#include "proto/http/format.h"
#include "proto/request/query.h"

enum { SHOWN = 60 };

static enum pe_status read_format(struct batch_format *chosen, const char *name,
                                  struct pe_errors *errors)
{
    size_t count;
    const struct format *const *formats = batch_answer_formats(&count);

    if (chosen->given)
        return pe_fail(errors, PE_REPEATED_PARAMETER, "format", "is given twice; give it once");
    chosen->given = true;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(formats[i]->name, name) == 0) {
            chosen->format = formats[i];
            return PE_OK;
        }
    }
    return pe_fail(errors, PE_BAD_VALUE, "format",
                   "must be %s or %s, which hold the answers of a batch; got %.*s",
                   formats[0]->name, formats[1]->name, SHOWN, name);
}

enum pe_status batch_format_choose(struct batch_format *chosen, const char *query, size_t len,
                                   const char *accept, struct pe_errors *errors)
{
    struct query parsed = {0};
    enum pe_status status = query_parse(&parsed, query, len, errors);
    size_t count;
    const struct format *const *formats = batch_answer_formats(&count);

    *chosen = (struct batch_format){.format = NULL};
    for (size_t i = 0; i < parsed.count; i++) {
        const struct query_parameter *at = &parsed.at[i];
        enum pe_status read =
            strcmp(at->name, "format") == 0
                ? read_format(chosen, at->value, errors)
                : pe_fail(errors, PE_UNKNOWN_PARAMETER, at->name,
                          "is unknown: the query of a batch has format=json or "
                          "format=safetensors; parameters belong to its requests");

        status = status == PE_OK ? read : status;
    }
    query_fini(&parsed);
    if (status == PE_OK && !chosen->given)
        chosen->format =
            accept_choose_among(formats, count, accept, accept ? strlen(accept) : 0, NULL);
    return status;
}
