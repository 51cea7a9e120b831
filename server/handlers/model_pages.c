/* SPDX-License-Identifier: Apache-2.0
 * model_pages.c - documents of models, and the job that resolves a configuration. */
#include "server/handlers/model_pages.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/describe/model_text.h"
#include "proto/http/sentences.h"
#include "proto/models/hf/hf_config.h"
#include "proto/pages/model_list_page.h"
#include "proto/pages/model_page.h"
#include "proto/pages/page_card.h"
#include "server/document/document_alone.h"
#include "server/exchange/body.h"
#include "server/exchange/wait.h"
#include "server/files/model_files.h"
#include "server/handlers/html_frame.h"

#define ONE 2e5         /* operations of writing one model */
#define BYTE_OF_BODY 50 /* operations of reading a byte of a configuration */

/* ---- documents ----------------------------------------------------------------------- */

void model_pages_write_list(struct buffer *out, const struct document *document)
{
    model_text_list(out, model_files_models(document->models), &document->asked);
}

void model_pages_write_html_list(struct buffer *out, const struct document *document)
{
    const struct page_frame frame = html_frame_of(document->config);

    model_list_page_write(out, &frame, model_files_models(document->models));
}

void model_pages_write_one(struct buffer *out, const struct document *document)
{
    model_text_one(out, document->model, true, NULL, 0);
}

void model_pages_write_html_one(struct buffer *out, const struct document *document)
{
    struct page_frame frame = html_frame_of(document->config);
    struct buffer card = {0};

    page_card_add_model(&card, document->model, model_files_models(document->models),
                        document->config->max_elements);
    if (card.failed)
        buffer_fail(out);
    frame.card = card.failed ? NULL : card.bytes;
    model_page_write(out, &frame, document->model);
    buffer_fini(&card);
}

/* Models are found by words in any case, with any spaces between them. */
static void write_asked(struct buffer *out, const struct fields_query *asked)
{
    const char *words = asked->words;

    buffer_add_integer(out, asked->set);
    for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
        buffer_add_text(out, " ");
        for (; *words && *words != ' '; words++)
            buffer_add(out, (const char[]){(char)tolower((unsigned char)*words)}, 1);
    }
}

bool model_pages_read_list(struct exchange *ex, struct document *document)
{
    if (!document_fields(ex, &model_text_fields, &document->asked))
        return false;
    write_asked(&document->key, &document->asked);
    return true;
}

enum next model_pages_unknown(struct exchange *ex, const struct models *models)
{
    const struct exchange_target *target = &ex->target;
    char near[MODELS_NEAR_TEXT];

    models_print_nearest(models, target->segment, target->segment_len, near, sizeof near);
    return exchange_fail(ex, PROBLEM_NOT_FOUND, SENTENCE_NO_MODEL,
                         (int)(target->segment_len < 60 ? target->segment_len : 60),
                         target->segment, near[0] != '\0' ? "; did you mean " : "", near,
                         near[0] != '\0' ? "?" : "");
}

bool model_pages_read_one(struct exchange *ex, struct document *document)
{
    const struct models *models = model_files_models(document->models);

    if (document_has_query(ex))
        return false;
    document->model = models_find(models, ex->target.segment, ex->target.segment_len);
    if (document->model)
        buffer_add_text(&document->key, document->model->id);
    else
        model_pages_unknown(ex, models);
    return document->model != NULL;
}

/* ---- a configuration ----------------------------------------------------------------- */

struct resolve_job {
    struct wait wait; /* first: a wait is cast to its job */
    struct service *service;
    struct json_body *json;
    struct inflight_body held; /* bytes of the body in the budget of bodies */
    struct document_alone *answer;
    struct pe_errors *errors;
    bool written;
};

static void run(struct wait *wait)
{
    struct resolve_job *job = (struct resolve_job *)(void *)wait;
    struct hf_config *config = hf_config_read(job->json, NULL, NULL, job->errors);
    const char *const *notes;
    size_t count;

    if (!config)
        return;
    notes = hf_config_notes(config, &count);
    model_text_one(&job->answer->text, hf_config_model(config), false, notes, count);
    hf_config_free(config);
    job->written = document_alone_finish(job->answer);
}

static void give(struct resolve_job *job, struct exchange *ex)
{
    if (job->written) {
        document_alone_give(ex, job->answer);
        job->answer = NULL;
        return;
    }
    exchange_take_errors(ex, &job->errors);
    exchange_fail_status(ex, ex->problem.errors->count == 0 ||
                                     problem_kind_of(ex->problem.errors) == PROBLEM_OVERLOADED
                                 ? PE_NO_MEMORY
                                 : PE_BAD_VALUE);
}

static void settle(struct wait *wait, struct exchange *ex)
{
    struct resolve_job *job = (struct resolve_job *)(void *)wait;

    if (ex)
        give(job, ex);
    inflight_release_body(job->service, &job->held, 0);
    json_body_free(job->json);
    document_alone_free(job->answer);
    free(job->errors);
    free(job);
}

/* One that has begun takes milliseconds, and looks at no stop. */
static const struct wait_kind kind = {
    .run = run, .step = SPAN_COMPUTE, .settle = settle, .stops = true};

enum next model_pages_resolve(struct exchange *ex)
{
    struct resolve_job *job;

    if (document_has_query(ex))
        return MORE;
    if (!ex->body.json)
        return exchange_fail(ex, PROBLEM_MALFORMED_JSON, SENTENCE_CONFIG_BODY);
    if (!body_finish(ex))
        return MORE;
    job = calloc(1, sizeof *job);
    if (!job)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    job->service = exchange_service(ex);
    job->answer = document_alone_new(ex);
    job->errors = calloc(1, sizeof *job->errors);
    if (!job->answer || !job->errors) {
        settle(&job->wait, NULL);
        return exchange_fail_status(ex, PE_NO_MEMORY);
    }
    job->json = ex->body.json;
    job->held = ex->body.memory;
    ex->body.json = NULL;
    ex->body.memory.bytes = 0;
    return wait_start(ex, &job->wait, &kind,
                      ONE + BYTE_OF_BODY * (double)json_body_len(job->json));
}
