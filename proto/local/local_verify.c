/* SPDX-License-Identifier: Apache-2.0
 * local_verify.c - the verdict about the tensors of a body. */
#include "proto/http/sentences.h"
#include "proto/local/local_state.h"
#include "proto/models/models.h"
#include "proto/verify/verify_answer.h"

static void judge(struct local *local, const struct verify_source *source)
{
    const struct pe_limits limits = {.max_elements = LOCAL_MAX_ELEMENTS,
                                     .max_prepared = PE_DEFAULT_MAX_PREPARED};
    struct verify_request request = {0};
    struct pe_verdict *verdict = NULL;
    enum pe_status status = verify_request_read(&request, source, &local->errors);

    if (status == PE_OK) {
        status = verify_request_run(&request, &verdict, &limits, &local->errors);
        if (status == PE_OK)
            verify_answer_write(&local->answer->body, &request, verdict);
        pe_verdict_free(verdict);
        verify_request_fini(&request);
    }
    if (status == PE_OK)
        return;
    local_fail_status(local, status);
    if (request.wrong_body && local->with_errors)
        local->kind = PROBLEM_INVALID_BODY;
}

void local_verify(struct local *local)
{
    const char *text = local->asked->query ? local->asked->query : "";
    struct verify_source source = {.tensors = &local->tensors, .models = models_embedded()};
    struct json_body_value claim;
    struct query query;

    if (!local->asked->type) {
        local_fail(local, PROBLEM_INVALID_BODY, SENTENCE_VERIFY_BODY);
        return;
    }
    if (!local_read_body(local, true, NULL))
        return;
    if (local->json) {
        const struct verify_body words = verify_body_of_text(text, local->asked->query_len);
        const enum pe_status status =
            verify_body_read_json(local->json, &words, &local->tensors, &local->errors);

        if (status != PE_OK) {
            local_fail_status(local, status);
            if (status == PE_BAD_VALUE)
                local->kind = PROBLEM_INVALID_BODY;
            return;
        }
    }
    verify_claim_set_body(&source, local->json, local->format, &claim);
    if (query_parse(&query, text, local->asked->query_len, &local->errors) == PE_NO_MEMORY) {
        local_fail_status(local, PE_NO_MEMORY);
    } else {
        source.query = &query;
        judge(local, &source);
    }
    query_fini(&query);
}
