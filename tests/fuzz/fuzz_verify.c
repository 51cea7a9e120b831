/* SPDX-License-Identifier: Apache-2.0
 * fuzz_verify.c - any bytes as a query, a line end, and a JSON body of tensors with a claim:
 * the path of a POST of /v1/verify up to its verdict. A claim that has a URL is equal to the
 * request of this URL. Targets: the functions of proto/verify/verify_body.c
 * proto/verify/verify_claim.c proto/verify/verify_request.c proto/verify/verify_url.c */
#include <assert.h>
#include <jansson.h>
#include <stdint.h>
#include <string.h>

#include "proto/verify/verify_answer.h"
#include "proto/verify/verify_url.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The request of the URL has the same arguments. */
static void check_url(const struct pe_args *args)
{
    struct pe_errors errors = {0};
    struct buffer url = {0};

    if (verify_url_write(&url, &(struct verify_url){.args = args})) {
        struct request *again = request_new(pe_args_encoding(args));
        const char *query = strchr(url.bytes, '?');

        assert(again);
        if (query)
            assert(request_set_query(again, query + 1, strlen(query + 1), &errors) == PE_OK);
        assert(request_finish(again, NULL, 0, &errors) == PE_OK);
        assert(pe_args_value_count(request_args(again)) == pe_args_value_count(args));
        request_free(again);
    }
    buffer_fini(&url);
}

/* Checks that the answer about tensors without a verdict is JSON, whatever the claim is. */
static void check_answer(const struct verify_request *request)
{
    struct buffer text = {0};

    verify_answer_write(&text, request, NULL);
    json_t *document = json_loadb(text.bytes, text.len, JSON_REJECT_DUPLICATES, NULL);
    assert(document);
    json_decref(document);
    buffer_fini(&text);
}

static void read(const struct query *query, const struct json_body *body,
                 const struct tensor_set *set)
{
    struct json_body_value claim;
    struct pe_errors errors = {0};
    struct verify_request request;
    struct verify_source source = {.query = query,
                                   .body = body,
                                   .tensors = set,
                                   .models = models_embedded(),
                                   .named = true};

    if (json_body_find(body, NULL, "claim", &claim))
        source.claim = &claim;
    if (verify_request_read(&request, &source, &errors) == PE_OK) {
        if (request.args)
            check_url(request.args);
        check_answer(&request);
        verify_request_fini(&request);
    } else {
        assert(errors.count > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *line = memchr(text, '\n', size);
    struct pe_errors errors = {0};
    struct tensor_set set = {0};
    struct query query;

    if (!line || size > 1 << 16)
        return 0;
    struct json_body *body = verify_body_new(1 << 16);
    assert(body);
    (void)query_parse(&query, text, (size_t)(line - text), &errors);
    if (json_body_add(body, line + 1, size - (size_t)(line + 1 - text)) == JSON_BODY_OK &&
        json_body_finish(body) == JSON_BODY_OK &&
        verify_body_read_json(body, &(struct verify_body){.name = ""}, &set, &errors) == PE_OK)
        read(&query, body, &set);
    tensor_set_fini(&set);
    query_fini(&query);
    json_body_free(body);
    return 0;
}
