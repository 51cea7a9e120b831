/* SPDX-License-Identifier: Apache-2.0
 * inference.c - see inference.h. Clients ask for gzip everywhere and unpack only the answers to
 * infer, so these documents are sent as they are. */
#include "server/handlers/inference.h"

#include <string.h>

#include "proto/inference/inference_body.h"
#include "proto/inference/inference_metadata.h"
#include "proto/inference/inference_path.h"
#include "proto/text/json_write.h"
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

void inference_write_service(struct buffer *out, const struct document *document)
{
    (void)document;
    inference_metadata_write_service(out);
}

void inference_write_names(struct buffer *out, const struct document *document)
{
    inference_metadata_write_names(out, model_files_models(document->models));
}

void inference_write_index(struct buffer *out, const struct document *document)
{
    inference_metadata_write_index(out, model_files_models(document->models));
}

void inference_write_ready(struct buffer *out, const struct document *document)
{
    json_write(out, "{");
    json_write_string(out, "name", document->key.bytes + document->own,
                      document->key.len - document->own);
    json_write(out, "'ready':true}");
}

void inference_write_metadata(struct buffer *out, const struct document *document)
{
    inference_metadata_write(out, &document->inference, model_files_models(document->models));
}

void inference_write_config(struct buffer *out, const struct document *document)
{
    inference_metadata_write_config(out, &document->inference,
                                    model_files_models(document->models));
}

/* Every model is ready, so that an object that asks for the ready ones alone changes
 * nothing. */
bool inference_read_index(struct exchange *ex, struct document *document)
{
    return !exchange_head(ex)->has_body || body_finish(ex);
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

bool inference_read_model(struct exchange *ex, struct document *document)
{
    if (!find(ex, document->models, &document->inference))
        return false;
    inference_model_write_name(&document->key, &document->inference);
    return true;
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
