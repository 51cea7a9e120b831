/* SPDX-License-Identifier: Apache-2.0
 * fuzz_batch.c - any bytes as the body of a batch: it is refused with a pointer, or each
 * request is read, and its tag is that of a request by itself. The joined answer is JSON.
 * Targets: the functions of proto/batch/batch_body.c proto/batch/batch_json.c */
#include <assert.h>
#include <jansson.h>
#include <stdint.h>
#include <string.h>

#include "proto/batch/batch_answer.h"
#include "proto/batch/batch_body.h"
#include "proto/http/format.h"
#include "proto/models/models.h"
#include "proto/request/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A path is the same request as by itself. */
static void check_path(const struct batch_item *item, const struct request *request)
{
    struct pe_errors errors = {.count = 0};
    struct request *again = request_new(item->enc);

    assert(again);
    assert(request_set_query(again, item->query, item->query_len, &errors) == PE_OK);
    assert(request_finish(again, NULL, 0, &errors) == PE_OK);
    assert(strcmp(request_etag(again, CONTENT_CODING_IDENTITY),
                  request_etag(request, CONTENT_CODING_IDENTITY)) == 0);
    request_free(again);
}

static void read_all(const struct batch_body *body, struct batch_answer *answer)
{
    const struct batch_context context = {.format = &format_json, .models = models_embedded()};

    for (size_t i = 0; i < body->count; i++) {
        struct pe_errors errors = {.count = 0};
        char place[BATCH_PLACE_SIZE];
        struct request *request;

        if (batch_body_read(body, i, &context, &request, &errors) == PE_OK) {
            if (body->items[i].query)
                check_path(&body->items[i], request);
            batch_answer_add(answer, body->items[i].id, "{}\n", 3);
        } else {
            assert(errors.count > 0);
            batch_body_print_place(i, place);
            batch_answer_add_problem(answer, body->items[i].id,
                                     &(struct problem){.kind = problem_kind_of(&errors),
                                                       .at = place,
                                                       .errors = &errors});
        }
        request_free(request);
    }
}

static void check_answer(const struct batch_answer *answer, size_t count)
{
    json_t *document =
        json_loadb(answer->text.bytes, answer->text.len, JSON_REJECT_DUPLICATES, NULL);

    assert(document);
    assert(json_array_size(json_object_get(document, "responses")) == count);
    json_decref(document);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pe_errors errors = {.count = 0};
    struct batch_answer answer;
    struct batch_body body;

    if (size > 1 << 16)
        return 0;
    struct json_body *json = json_body_new(1 << 16);
    assert(json);
    if (json_body_add(json, (const char *)data, size) == JSON_BODY_OK &&
        json_body_finish(json) == JSON_BODY_OK) {
        if (batch_body_check(&body, json, "", &errors) == PE_OK) {
            batch_answer_init(&answer, &format_json);
            read_all(&body, &answer);
            batch_answer_finish(&answer);
            check_answer(&answer, body.count);
            batch_answer_fini(&answer);
        }
        for (size_t i = 0; i < errors.count; i++)
            assert(strncmp(errors.at[i].parameter, "#/", 2) == 0 ||
                   errors.at[i].status == PE_NO_MEMORY);
        batch_body_fini(&body);
    }
    json_body_free(json);
    return 0;
}
