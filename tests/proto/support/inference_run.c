/* SPDX-License-Identifier: Apache-2.0
 * inference_run.c - see inference_run.h. */
#include "tests/proto/support/inference_run.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "proto/http/format.h"
#include "proto/inference/inference_error.h"
#include "proto/inference/inference_model.h"
#include "proto/inference/inference_request.h"

enum { MAX_BODY = 1 << 20, PIECE = 4096 };

static bool reserve(void *context, uint64_t bytes)
{
    size_t *budget = context;

    if (bytes > *budget)
        return false;
    *budget -= (size_t)bytes;
    return true;
}

static struct inference_body *read_body(struct inference_run *run, size_t *budget)
{
    struct inference_source source = {.head = run->head,
                                      .length = run->len,
                                      .max_bytes = MAX_BODY,
                                      .reserve = reserve,
                                      .context = budget};
    struct inference_body *body = inference_body_new(&source);

    ck_assert_ptr_nonnull(body);
    for (size_t at = 0; at < run->len; at += run->chunk)
        inference_body_add(body, run->body + at,
                           run->chunk < run->len - at ? run->chunk : run->len - at);
    run->state = inference_body_finish(body);
    return body;
}

static void read_answer(struct inference_run *run, const struct request *request,
                        struct pe_plan *plan)
{
    struct encoder *encoder = encoder_new(request, plan);
    uint64_t size = encoder_size(encoder);
    size_t got;

    encoder_write_headers(encoder, &run->headers);
    do {
        char *space = buffer_reserve(&run->answer, PIECE);

        got = encoder_read(encoder, space, PIECE);
        buffer_advance(&run->answer, got);
    } while (got > 0);
    ck_assert(size == FORMAT_UNKNOWN || size == run->answer.len);
    encoder_free(encoder);
}

static void answer(struct inference_run *run, struct inference_body *body,
                   const struct inference_model *model)
{
    const struct request_limits limits = {.max_elements = 1 << 20,
                                          .max_text_elements = 1 << 16,
                                          .max_prepared = 1 << 20};
    struct request *request = request_new(model->enc);
    struct pe_errors errors = {0};
    struct pe_plan *plan = NULL;

    ck_assert(inference_body_set_model(body, run->model, strlen(run->model),
                                       model->preset ? model->preset->id : NULL));
    if (*run->query)
        (void)request_set_query(request, run->query, strlen(run->query), &errors);
    (void)inference_request_set(request, body, &errors);
    if (request_finish(request, NULL, 0, &errors) == PE_OK &&
        request_plan(request, &plan, NULL, &limits, &errors) == PE_OK) {
        ck_assert(!request_is_cached(request));
        read_answer(run, request, plan);
    } else {
        inference_error_write(&run->error, NULL, &errors);
    }
    pe_plan_free(plan);
    request_free(request);
}

void inference_run(struct inference_run *run)
{
    size_t budget = run->budget;
    struct inference_model model;
    char why[INFERENCE_MODEL_WHY_SIZE];
    struct inference_body *body = read_body(run, &budget);

    if (run->state != INFERENCE_OK)
        inference_error_write(&run->error, inference_body_error(body), NULL);
    else if (inference_model_find(&model, models_embedded(), run->model, strlen(run->model),
                                  NULL, 0, why))
        answer(run, body, &model);
    else
        inference_error_write(&run->error, why, NULL);
    inference_body_free(body);
}

void inference_run_fini(struct inference_run *run)
{
    buffer_fini(&run->headers);
    buffer_fini(&run->answer);
    buffer_fini(&run->error);
}
