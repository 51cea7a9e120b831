/* SPDX-License-Identifier: Apache-2.0
 * local_batch.c - many requests in one, answered one after the other. */
#include "proto/batch/batch_answer.h"
#include "proto/batch/batch_body.h"
#include "proto/batch/batch_format.h"
#include "proto/http/format.h"
#include "proto/http/sentences.h"
#include "proto/local/local_state.h"
#include "proto/models/models.h"

static void add_problem(struct local *local, struct batch_answer *answer,
                        const struct batch_body *body, size_t i)
{
    char place[BATCH_PLACE_SIZE];
    struct problem problem = {.kind = problem_kind_of(&local->errors),
                              .base = "",
                              .errors = &local->errors};

    batch_body_print_place(i, place);
    problem.at = place;
    batch_answer_add_problem(answer, body->items[i].id, &problem);
}

/* Answers the request number i; false: memory is short. */
static bool add(struct local *local, struct batch_answer *answer, const struct batch_body *body,
                const struct batch_context *context, size_t i)
{
    const struct request_limits limits = local_limits();
    struct request *request = NULL;
    struct pe_plan *plan = NULL;
    struct buffer bytes = {0};

    pe_errors_clear(&local->errors);
    enum pe_status status = batch_body_read(body, i, context, &request, &local->errors);
    if (status == PE_OK)
        status = request_plan(request, &plan, NULL, &limits, &local->errors);
    if (status == PE_OK) {
        struct encoder *encoder = encoder_new(request, plan);

        if (local_encode(encoder, &bytes))
            batch_answer_add(answer, body->items[i].id, bytes.bytes, bytes.len);
        else
            status = PE_NO_MEMORY;
        encoder_free(encoder);
    } else if (status != PE_NO_MEMORY) {
        add_problem(local, answer, body, i);
    }
    buffer_fini(&bytes);
    pe_plan_free(plan);
    request_free(request);
    return status != PE_NO_MEMORY && !batch_answer_failed(answer);
}

/* Makes the answer to all requests what local_answer returns. */
static void give(struct local *local, struct batch_answer *answer, size_t requests,
                 const struct format *format)
{
    size_t len;

    batch_answer_finish(answer);
    if (batch_answer_failed(answer)) {
        local_fail_status(local, PE_NO_MEMORY);
        return;
    }
    if (batch_answer_is_problem(answer)) {
        local->entries = buffer_take(&answer->entries, &len);
        if (local->entries)
            local_fail(local, answer->worst, SENTENCE_BATCH_WHOLE, answer->failed, requests,
                       format->name);
        else
            local_fail_status(local, PE_NO_MEMORY);
        return;
    }
    buffer_add(&local->answer->body, answer->text.bytes, answer->text.len);
    for (size_t i = 0; i < BATCH_ANSWER_SIZES; i++)
        buffer_add(&local->answer->body, answer->data[i].bytes, answer->data[i].len);
}

/* Answers the requests of a checked body. */
static void answer_all(struct local *local, const struct batch_body *body,
                       const struct format *format)
{
    const struct batch_context context = {.format = format, .models = models_embedded()};
    struct batch_answer answer;
    size_t done = 0;

    batch_answer_init(&answer, format);
    local->answer->type = format->media_type;
    while (done < body->count && add(local, &answer, body, &context, done))
        done++;
    if (done == body->count)
        give(local, &answer, body->count, format);
    else
        local_fail_status(local, PE_NO_MEMORY);
    batch_answer_fini(&answer);
}

void local_batch(struct local *local)
{
    struct batch_format chosen;
    struct batch_body body = {0};
    const char *query = local->asked->query;

    if (!local->asked->type) {
        local_fail(local, PROBLEM_INVALID_BODY, SENTENCE_BATCH_BODY, "");
        return;
    }
    if (!local_read_body(local, false, NULL))
        return;
    enum pe_status status =
        batch_format_choose(&chosen, query, query ? local->asked->query_len : 0,
                            local->asked->accept, &local->errors);
    if (status == PE_OK && !chosen.format) {
        size_t count;
        const struct format *const *formats = batch_answer_formats(&count);

        local_fail_format(local, formats, count);
        return;
    }
    if (status == PE_OK)
        status = batch_body_check(&body, local->json, "", &local->errors);
    if (status == PE_OK)
        answer_all(local, &body, chosen.format);
    else
        local_fail_status(local, status);
    batch_body_fini(&body);
}
