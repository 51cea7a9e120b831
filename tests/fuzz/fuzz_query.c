/* SPDX-License-Identifier: Apache-2.0
 * fuzz_query.c - any bytes as the query of any encoding. A refused query gets a problem that
 * is JSON; an accepted one has a canonical form that parses back to itself, a plan whose sizes
 * are right to 128 bits, and an answer. Targets: the functions of proto/request/query.c
 * proto/request/request.c proto/request/request_check.c proto/request/canonical.c
 * core/args/args_set.c core/args/args_check.c */
#include <assert.h>
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/http/format.h"
#include "proto/http/problem.h"
#include "proto/request/request.h"
#include "proto/text/buffer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

__extension__ typedef unsigned __int128 uint128;

static const struct request_limits limits = {
    .max_elements = 1 << 14, .max_text_elements = 1 << 12, .max_prepared = 1 << 14};

static void check_problem(const struct pe_errors *errors)
{
    struct problem problem = {.kind = problem_kind_of(errors), .errors = errors};
    struct buffer text = {0};

    assert(errors->count > 0);
    problem_write(&text, &problem);
    json_t *document = json_loadb(text.bytes, text.len, JSON_REJECT_DUPLICATES, NULL);
    assert(document);
    json_decref(document);
    buffer_fini(&text);
}

/* The canonical form parses back to itself. */
static void check_canonical(const struct request *request)
{
    struct pe_errors errors = {0};
    size_t len, again_len;
    const char *text = request_canonical(request, &len);
    struct request *again = request_new(request_encoding(request));
    const char *query = strchr(text, '?') + 1;

    assert(again);
    assert(request_set_query(again, query, len - (size_t)(query - text), &errors) == PE_OK);
    assert(request_finish(again, NULL, 0, &errors) == PE_OK);
    assert(strcmp(request_canonical(again, &again_len), text) == 0 && again_len == len);
    assert(strcmp(request_etag(again, CONTENT_CODING_IDENTITY),
                  request_etag(request, CONTENT_CODING_IDENTITY)) == 0);
    request_free(again);
}

/* Counts the elements again, in 128 bits, where nothing wraps. */
static void check_sizes(const struct pe_plan *plan)
{
    uint128 sum = 0;

    for (size_t i = 0; i < pe_plan_tensor_count(plan); i++) {
        const struct pe_tensor_info *tensor = pe_plan_tensor(plan, i);
        uint128 product = 1;

        for (size_t axis = 0; axis < tensor->rank; axis++) {
            product *= tensor->dims[axis];
            assert(product <= UINT64_MAX);
        }
        assert(product == (uint128)tensor->rows * tensor->cols);
        sum += product;
    }
    assert(sum == pe_plan_elements(plan) && sum <= limits.max_elements);
}

static void check_answer(const struct request *request, struct pe_plan *plan)
{
    struct encoder *encoder = encoder_new(request, plan);
    struct buffer lines = {0};
    uint64_t total = 0;
    char *space = malloc(FORMAT_MIN_CAPACITY);

    assert(encoder && space);
    encoder_write_headers(encoder, &lines);
    assert(lines.failed || lines.bytes[lines.len - 1] == '\n');
    buffer_fini(&lines);
    for (size_t got; (got = encoder_read(encoder, space, FORMAT_MIN_CAPACITY)) > 0;)
        total += got;
    assert(!encoder_failed(encoder));
    assert(encoder_size(encoder) == FORMAT_UNKNOWN || encoder_size(encoder) == total);
    free(space);
    encoder_free(encoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pe_errors errors = {0};

    if (size < 1 || size > 8192)
        return 0;
    struct request *request = request_new(pe_at(data[0] % pe_count()));
    assert(request);
    request_set_query(request, (const char *)data + 1, size - 1, &errors);
    enum pe_status status = request_finish(request, NULL, 0, &errors);
    struct pe_plan *plan = NULL;
    assert((status == PE_OK) == (errors.count == 0));
    if (status == PE_OK) {
        check_canonical(request);
        status = request_plan(request, &plan, NULL, &limits, &errors);
    }
    if (status == PE_OK) {
        check_sizes(plan);
        check_answer(request, plan);
    } else {
        check_problem(&errors);
    }
    pe_plan_free(plan);
    request_free(request);
    return 0;
}
