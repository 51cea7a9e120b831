/* SPDX-License-Identifier: Apache-2.0
 * batch_rows.c - rows of batches (proto_row.h): a body, which is read for JSON or, after
 * "batch-file", for safetensors; after "batch-below" its service is below /pe. The claims are
 *
 *     batch {"requests": [{"id": "q", "path": "/v1/rope?dim=8&pos=0:4"}]}
 *         reads: q: /v1/rope?...       each request in its canonical form, or its problems
 *     batch {}
 *         refused: #/requests is missing: ...
 *
 * and "batch-format format=json ; ACCEPT", which chooses the format; - is no Accept. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "proto/batch/batch_body.h"
#include "proto/batch/batch_format.h"
#include "proto/http/format.h"
#include "proto/models/models.h"
#include "proto/request/request.h"
#include "tests/proto/support/proto_row.h"

static void write_request(struct buffer *out, const struct batch_body *body, size_t i,
                          const struct batch_context *context)
{
    struct pe_errors errors = {.count = 0};
    struct request *request;
    enum pe_status status = batch_body_read(body, i, context, &request, &errors);

    ck_assert_int_eq(status, errors.count > 0 ? errors.at[0].status : PE_OK);
    buffer_add_text(out, i > 0 ? " & " : "");
    if (body->items[i].id)
        buffer_add_format(out, "%s: ", body->items[i].id);
    if (status == PE_OK)
        buffer_add_text(out, request_canonical(request, NULL));
    else
        proto_row_write_errors(out, &errors);
    request_free(request);
}

static void read(struct buffer *out, const char *input, const struct row *row)
{
    const bool file = strncmp(row->input, "batch-file ", 11) == 0;
    const char *base = strncmp(row->input, "batch-below ", 12) == 0 ? "/pe" : "";
    const struct batch_context context = {.format = file ? &format_safetensors : &format_json,
                                          .models = models_embedded()};
    struct json_body *json = json_body_new(1 << 20);
    struct pe_errors errors = {.count = 0};
    struct batch_body body;

    json_body_add(json, input, strlen(input));
    ck_assert_int_eq(json_body_finish(json), JSON_BODY_OK);
    enum pe_status status = batch_body_check(&body, json, base, &errors);
    ck_assert_int_eq(status, errors.count > 0 ? errors.at[0].status : PE_OK);
    if (status != PE_OK)
        proto_row_write_errors(out, &errors);
    for (size_t i = 0; status == PE_OK && i < body.count; i++)
        write_request(out, &body, i, &context);
    batch_body_fini(&body);
    json_body_free(json);
}

static void choose(struct buffer *out, const char *input, const struct row *row)
{
    const char *mark = strstr(input, " ; "), *accept = mark + 3;
    const size_t len = (size_t)(mark - input);
    struct pe_errors errors = {.count = 0};
    struct batch_format chosen;

    ck_assert_ptr_nonnull(mark);
    if (batch_format_choose(&chosen, input, len, strcmp(accept, "-") == 0 ? NULL : accept,
                            &errors) != PE_OK)
        proto_row_write_errors(out, &errors);
    else
        buffer_add_text(out, chosen.format ? chosen.format->name : "-");
}

const struct proto_row_kind proto_row_batches[] = {
    {"batch", "reads", read},
    {"batch", "refused", read},
    {"batch-file", "reads", read},
    {"batch-below", "reads", read},
    {"batch-below", "refused", read},
    {"batch-format", "=>", choose},
    {"batch-format", "refused", choose},
    {NULL, NULL, NULL},
};
