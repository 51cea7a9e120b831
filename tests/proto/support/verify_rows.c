/* SPDX-License-Identifier: Apache-2.0
 * verify_rows.c - rows of claims about tensors (proto_row.h): a query, the tensors of the body,
 * which are zeros of float32, and a member "claim" of a JSON body. The claims are
 *
 *     verify encoding=rope&dim=4&pos=0:2 cos[2,2],sin[2,2]
 *         claim: rope dim=4 pos=0,1    the arguments in few words; - without a claim
 *     verify - cos[2,2] {"claim": {"encoding": "rope", "dmi": 4}}
 *         refused: #/claim/dmi unknown parameter of rope / did you mean dim?
 *     verify-raw shape=2,2&in_dtype=f32&tensor=cos [2,2]   a body without header
 *     verify-npy tensor=cos [2,2]                          a body without names
 *     verify-beside - cos[2,2] encoding=rope&dim=4         a claim beside tensors
 *
 * and "verify-body shape=2,2&in_dtype=f16", what a query says about a body. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "proto/verify/verify_body.h"
#include "proto/verify/verify_request.h"
#include "proto/verify/verify_url.h"
#include "tests/proto/support/proto_row.h"
#include "tests/proto/support/verdicts.h"

struct asked {
    struct query query;
    struct json_body *body;
    struct json_body_value claim;
    struct tensor_set set;
    struct verify_source source;
    struct pe_errors errors;
};

/* Parses "QUERY TENSORS {body}", whose body may be missing. */
static void asked_init(struct asked *asked, const char *input, bool beside)
{
    char *text = strdup(input), *tensors = strchr(text, ' '), *body;

    *asked = (struct asked){.errors = {.count = 0}};
    ck_assert_ptr_nonnull(tensors);
    *tensors++ = '\0';
    body = strchr(tensors, ' ');
    if (body)
        *body++ = '\0';
    if (strcmp(text, "-") != 0)
        (void)query_parse(&asked->query, text, strlen(text), &asked->errors);
    verdicts_add_tensors(&asked->set, tensors);
    asked->source = (struct verify_source){.query = &asked->query,
                                           .tensors = &asked->set,
                                           .models = models_embedded(),
                                           .named = true};
    if (body && beside) {
        asked->set.claim = strdup(body);
    } else if (body) {
        asked->body = verify_body_new(1 << 20);
        json_body_add(asked->body, body, strlen(body));
        ck_assert_int_eq(json_body_finish(asked->body), JSON_BODY_OK);
        asked->source.body = asked->body;
        if (json_body_find(asked->body, NULL, "claim", &asked->claim))
            asked->source.claim = &asked->claim;
    }
    free(text);
}

static void asked_fini(struct asked *asked)
{
    query_fini(&asked->query);
    json_body_free(asked->body);
    tensor_set_fini(&asked->set);
}

/* Writes the claim in few words: "rope dim=4 pos=0,1", or the name alone if it has tensors. */
static void write_claim(struct buffer *out, const struct verify_request *request)
{
    if (!request->args) {
        buffer_add_text(out, "-");
        return;
    }
    if (request->model)
        buffer_add_format(out, "%s%s%s: ", request->model, request->layer_type ? " " : "",
                          request->layer_type ? request->layer_type : "");
    if (!verify_url_write_words(out, &(struct verify_url){.args = request->args}))
        buffer_add_text(out, pe_name(pe_args_encoding(request->args)));
}

static void write_read(struct buffer *out, struct asked *asked)
{
    struct verify_request request;
    enum pe_status status = verify_request_read(&request, &asked->source, &asked->errors);

    ck_assert_int_eq(status, asked->errors.count > 0 ? asked->errors.at[0].status : PE_OK);
    if (status == PE_OK)
        write_claim(out, &request);
    else
        proto_row_write_errors(out, &asked->errors);
    verify_request_fini(&request);
}

static void read(struct buffer *out, const char *input, const struct row *row)
{
    struct asked asked;

    const bool beside = strncmp(row->input, "verify-beside ", 14) == 0;
    asked_init(&asked, input, beside);
    asked.source.named = beside || strncmp(row->input, "verify ", 7) == 0;
    asked.source.headerless = strncmp(row->input, "verify-raw ", 11) == 0;
    write_read(out, &asked);
    asked_fini(&asked);
}

static void describe(struct buffer *out, const char *input, const struct row *row)
{
    struct verify_body body = verify_body_of_text(input, strlen(input));

    buffer_add_format(out, "%s %s", *body.name ? body.name : "-",
                      pe_dtype_name(body.info.dtype));
    for (size_t i = 0; i < body.info.rank; i++)
        buffer_add_format(out, "%c%ju", i == 0 ? ' ' : ',', (uintmax_t)body.info.dims[i]);
}

const struct proto_row_kind proto_row_claims[] = {
    {"verify", "claim", read},        {"verify", "refused", read},
    {"verify-raw", "claim", read},    {"verify-raw", "refused", read},
    {"verify-npy", "claim", read},    {"verify-npy", "refused", read},
    {"verify-beside", "claim", read}, {"verify-beside", "refused", read},
    {"verify-body", "=>", describe},  {NULL, NULL, NULL},
};
