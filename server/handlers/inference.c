/* SPDX-License-Identifier: Apache-2.0
 * inference.c - see inference.h. Clients ask for gzip everywhere and unpack only the answers to
 * infer, so these documents are sent as they are. */
#include "server/handlers/inference.h"

#include <string.h>

#include "proto/inference/inference_body.h"
#include "proto/inference/inference_metadata.h"
#include "proto/inference/inference_path.h"
#include "proto/text/json_write.h"
#include "server/document/document.h"
#include "server/exchange/body.h"
#include "server/exchange/inference_reader.h"
#include "server/exchange/response.h"
#include "server/files/model_files.h"
#include "server/handlers/health.h"

/* Queues a short text as JSON that must not be stored. */
static enum next answer(struct exchange *ex, unsigned status, struct buffer *text,
                        struct reservation *reservation)
{
    size_t len = 0;
    char *bytes = buffer_take(text, &len);

    return response_queue_fresh(ex, status, "application/json", CONTENT_CODING_IDENTITY,
                                response_of_bytes(ex, bytes, len, reservation));
}

/* ---- health -------------------------------------------------------------------------- */

static enum next answer_health(struct exchange *ex, bool live, bool ready, bool ok)
{
    struct reservation reservation = reservation_of_problem(exchange_service(ex));
    struct buffer text = {.budget = &reservation.budget};

    json_write(&text, "{'live':%s,'ready':%s}", live ? "true" : "false",
               live && ready ? "true" : "false");
    return answer(ex, ok ? 200 : 503, &text, &reservation);
}

enum next inference_live(struct exchange *ex)
{
    bool live = health_is_live(ex);

    return answer_health(ex, live, health_is_ready(ex), live);
}

enum next inference_ready(struct exchange *ex)
{
    bool live = health_is_live(ex), ready = health_is_ready(ex);

    return answer_health(ex, live, ready, live && ready);
}

/* ---- documents ----------------------------------------------------------------------- */

#define LIST 6e6 /* operations of writing the names of all models */
#define ONE 1e6  /* and of writing one model */

static void write_service(struct buffer *out, const struct document *document)
{
    (void)document;
    inference_metadata_write_service(out);
}

static void write_names(struct buffer *out, const struct document *document)
{
    inference_metadata_write_names(out, model_files_models(document->models));
}

static void write_index(struct buffer *out, const struct document *document)
{
    inference_metadata_write_index(out, model_files_models(document->models));
}

static void write_ready(struct buffer *out, const struct document *document)
{
    json_write(out, "{");
    json_write_string(out, "name", document->canonical, document->canonical_len);
    json_write(out, "'ready':true}");
}

static void write_metadata(struct buffer *out, const struct document *document)
{
    inference_metadata_write(out, &document->inference, model_files_models(document->models));
}

static void write_config(struct buffer *out, const struct document *document)
{
    inference_metadata_write_config(out, &document->inference,
                                    model_files_models(document->models));
}

static const struct document_kind service = {DOCUMENT_JSON, true, ONE, write_service},
                                  names = {DOCUMENT_JSON, true, LIST, write_names},
                                  index_of_all = {DOCUMENT_JSON, true, LIST, write_index},
                                  ready = {DOCUMENT_JSON, true, ONE, write_ready},
                                  metadata = {DOCUMENT_JSON, true, ONE, write_metadata},
                                  config = {DOCUMENT_JSON, true, ONE, write_config};

static enum next answer_list(struct exchange *ex, const struct document_kind *kind)
{
    struct document *document = document_new(ex, kind);

    if (document)
        document_take_models(document, exchange_service(ex));
    return document_answer(ex, document, "", 0);
}

enum next inference_service(struct exchange *ex)
{
    return document_answer(ex, document_new(ex, &service), "", 0);
}

enum next inference_models(struct exchange *ex)
{
    return answer_list(ex, &names);
}

/* Every model is ready, so that an object that asks for the ready ones alone changes
 * nothing. */
enum next inference_index(struct exchange *ex)
{
    if (exchange_head(ex)->has_body && body_finish(ex) == MORE &&
        ex->problem.kind != PROBLEM_COUNT)
        return MORE;
    return answer_list(ex, &index_of_all);
}

/* Finds the model of the path in the set. False: there is none, and 404 is next. */
static bool find(struct exchange *ex, const struct model_set *set,
                 struct inference_model *model)
{
    struct inference_path path =
        inference_path_read(ex->target.segment, ex->target.segment_len);
    char why[INFERENCE_MODEL_WHY_SIZE];

    if (inference_model_find(model, model_files_models(set), path.name, path.name_len,
                             path.version, path.version_len, why))
        return true;
    exchange_fail(ex, model->other_version ? PROBLEM_UNKNOWN_REVISION : PROBLEM_NOT_FOUND, "%s",
                  why);
    return false;
}

static enum next answer_model(struct exchange *ex, const struct document_kind *kind)
{
    struct document *document = document_new(ex, kind);
    struct buffer name = {0};
    enum next next = MORE;

    if (!document)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    document_take_models(document, exchange_service(ex));
    if (!find(ex, document->models, &document->inference)) {
        document_free(document);
        return MORE;
    }
    inference_model_write_name(&name, &document->inference);
    if (name.failed) {
        document_free(document);
        return exchange_fail_status(ex, PE_NO_MEMORY);
    }
    next = document_answer(ex, document, name.bytes, name.len);
    buffer_fini(&name);
    return next;
}

enum next inference_model_ready(struct exchange *ex)
{
    return answer_model(ex, &ready);
}

enum next inference_model_metadata(struct exchange *ex)
{
    return answer_model(ex, &metadata);
}

enum next inference_config(struct exchange *ex)
{
    return answer_model(ex, &config);
}

/* ---- numbers ------------------------------------------------------------------------- */

/* Gives the body its model, and the exchange the encoding; the steps of requests for an
 * encoding follow. */
static enum next begin(struct exchange *ex, const struct inference_model *model)
{
    struct inference_path path =
        inference_path_read(ex->target.segment, ex->target.segment_len);

    if (!ex->body.inference) /* the request has no body, which is that of {} */
        inference_reader_start(ex);
    if (ex->problem.kind != PROBLEM_COUNT)
        return MORE;
    if (!inference_body_set_model(ex->body.inference, path.name, path.name_len,
                                  model->preset ? model->preset->id : NULL))
        return exchange_fail_status(ex, PE_NO_MEMORY);
    ex->target.segment = pe_name(model->enc);
    ex->target.segment_len = strlen(ex->target.segment);
    return exchange_begin_encoding(ex);
}

enum next inference_infer(struct exchange *ex)
{
    struct model_set *set = model_files_take(exchange_service(ex)->models);
    struct inference_model model;
    enum next next = find(ex, set, &model) ? begin(ex, &model) : MORE;

    model_files_drop(set);
    return next;
}
