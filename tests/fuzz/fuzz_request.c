/* SPDX-License-Identifier: Apache-2.0
 * fuzz_request.c - any bytes as a JSON body of any encoding, beside a query: the path of a
 * POST. An accepted request is equal to that of its canonical URL. Targets: the functions of
 * proto/request/json_param.c proto/request/request.c proto/text/json_body.c
 * core/args/args_canonical.c */
#include <assert.h>
#include <jansson.h>
#include <stdint.h>
#include <string.h>

#include "proto/http/problem.h"
#include "proto/request/request.h"
#include "proto/text/json_body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_problem(const struct pe_errors *errors)
{
    struct problem problem = {.kind = problem_kind_of(errors), .errors = errors};
    struct buffer text = {0};

    problem_write(&text, &problem);
    json_t *document = json_loadb(text.bytes, text.len, JSON_REJECT_DUPLICATES, NULL);
    assert(document);
    json_decref(document);
    buffer_fini(&text);
}

/* The request as a URL has an equal canonical form. */
static void check_url(const struct request *request)
{
    struct pe_errors errors = {0};
    size_t len;
    const char *text = request_canonical(request, &len);
    const char *query = strchr(text, '?') + 1;
    struct request *again = request_new(request_encoding(request));

    assert(again);
    assert(request_set_query(again, query, len - (size_t)(query - text), &errors) == PE_OK);
    assert(request_finish(again, NULL, 0, &errors) == PE_OK);
    assert(strcmp(request_canonical(again, NULL), text) == 0);
    request_free(again);
}

static void ask(struct request *request, const struct json_body *body, bool with_query)
{
    static const char query[] = "format=safetensors";
    struct pe_errors errors = {0};

    if (with_query)
        request_set_query(request, query, sizeof query - 1, &errors);
    request_set_json(request, body, &errors);
    if (request_finish(request, "application/json, text/csv;q=0.5", 32, &errors) == PE_OK) {
        if (!request_has_tensors(request)) /* a URL does not hold their elements */
            check_url(request);
    } else {
        assert(errors.count > 0);
        check_problem(&errors);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > 1 << 16)
        return 0;
    struct json_body *body = json_body_new(1 << 16);
    assert(body);
    if (json_body_add(body, (const char *)data + 2, size - 2) == JSON_BODY_OK &&
        json_body_finish(body) == JSON_BODY_OK) {
        struct request *request = request_new(pe_at(data[0] % pe_count()));
        assert(request);
        ask(request, body, data[1] & 1);
        request_free(request);
    }
    json_body_free(body);
    return 0;
}
