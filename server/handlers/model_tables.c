/* SPDX-License-Identifier: Apache-2.0
 * model_tables.c - see model_tables.h. The loop reads the query, which the entity tag follows
 * from; the pool makes the plans; then the bytes are made as the socket takes them. */
#include "server/handlers/model_tables.h"

#include <stdlib.h>
#include <string.h>

#include "proto/output/model_tables.h"
#include "server/compute/compute.h"
#include "server/exchange/compress.h"
#include "server/exchange/cors.h"
#include "server/exchange/response.h"
#include "server/exchange/stream.h"
#include "server/exchange/wait.h"
#include "server/files/model_files.h"
#include "server/handlers/model_pages.h"
#include "server/http/if_none_match.h"

struct tables_job {
    struct wait wait; /* first: a wait is cast to its job */
    struct service *service;
    struct model_tables *tables; /* NULL: the encoder has them */
    struct encoder *encoder;
    struct reservation reservation;
    struct pe_errors *errors;
    enum pe_status status;
};

/* ---- the response ----------------------------------------------------------------------- */

static struct response_meta meta_of(const struct exchange *ex, const char *etag)
{
    const struct config *config = &exchange_service(ex)->config;

    return (struct response_meta){
        .control = response_cache_control(config, RESPONSE_MINUTE), /* the model may change */
        .cors = cors_of(config),
        .in_parts = true,
        .etag = etag,
    };
}

/* ---- on the pool ------------------------------------------------------------------------ */

static void run(struct wait *wait)
{
    struct tables_job *job = (struct tables_job *)(void *)wait;
    const struct config *config = &job->service->config;
    struct request_limits limits = {
        .max_elements = config->max_elements,
        .max_text_elements = config->max_text_elements,
        .max_prepared = PE_DEFAULT_MAX_PREPARED,
        .reserve = reservation_reserve,
        .context = &job->reservation,
        .max_operations = (uint64_t)compute_most_operations(config->work_timeout_ms),
        .stop = &job->wait.stop};

    job->status = model_tables_plan(job->tables, &limits, job->errors);
    if (job->status == PE_OK) {
        job->encoder = model_tables_encoder(job->tables);
        job->tables = job->encoder ? NULL : job->tables;
        job->status = job->encoder ? PE_OK : PE_NO_MEMORY;
    }
}

/* ---- on the loop's thread --------------------------------------------------------------- */

static enum next step_send(struct exchange *ex)
{
    const struct response_meta meta =
        meta_of(ex, model_tables_etag(model_tables_of(ex->work.encoder)));

    if (ex->work.delivery == DELIVERY_UNCHANGED) /* the plan shows that there is a response */
        return response_not_modified(ex, &meta, encoder_size(ex->work.encoder));
    ex->work.cache_result = "stream";
    (void)compress_wanted(ex); /* reads which codings the client accepts */
    return compress_refuses_identity(ex) ? MORE : stream_encoder(ex, &meta);
}

static void give(struct tables_job *job, struct exchange *ex)
{
    ex->work.encoder = job->encoder;
    ex->work.reserved += job->reservation.bytes;
    job->encoder = NULL;
    job->reservation.bytes = 0;
    if (job->status == PE_OK) {
        ex->step = step_send;
        return;
    }
    exchange_take_errors(ex, &job->errors);
    exchange_fail_status(ex, job->status == PE_STOPPED ? PE_NO_MEMORY : job->status);
}

static void settle(struct wait *wait, struct exchange *ex)
{
    struct tables_job *job = (struct tables_job *)(void *)wait;

    if (ex)
        give(job, ex);
    reservation_trim(&job->reservation, 0);
    encoder_free(job->encoder);
    model_tables_free(job->tables);
    free(job->errors);
    free(job);
}

static const struct wait_kind kind = {
    .run = run, .step = SPAN_COMPUTE, .settle = settle, .stops = true};

/* Has the pool plan the tables, which are taken over. */
static enum next start(struct exchange *ex, struct model_tables *tables)
{
    struct tables_job *job = calloc(1, sizeof *job);

    if (!job || !(job->errors = calloc(1, sizeof *job->errors))) {
        free(job);
        model_tables_free(tables);
        return exchange_fail_status(ex, PE_NO_MEMORY);
    }
    job->service = exchange_service(ex);
    job->reservation = reservation_of(job->service);
    job->tables = tables;
    return wait_start(ex, &job->wait, &kind, model_tables_operations(tables));
}

/* ---- the request ------------------------------------------------------------------------ */

/* Answers from the entity tag alone, if the client has the file. "*" is noted until the
 * plan shows that the tables can be had. */
static enum next follow_tag(struct exchange *ex, struct model_tables *tables)
{
    const struct response_meta meta = meta_of(ex, model_tables_etag(tables));
    const enum if_none_match condition =
        if_none_match_check(exchange_head(ex)->if_none_match, meta.etag);
    enum next next;

    if (condition == IF_NONE_MATCH_ANY)
        ex->work.delivery = DELIVERY_UNCHANGED;
    if (condition == IF_NONE_MATCH_MATCH) {
        next = response_not_modified(ex, &meta, TRANSPORT_LEN_UNKNOWN);
        model_tables_free(tables);
        return next;
    }
    if (exchange_must_not_compute(ex)) {
        model_tables_free(tables);
        return exchange_refuse_computing(ex);
    }
    return start(ex, tables);
}

enum next model_tables_begin(struct exchange *ex)
{
    struct model_set *set = model_files_take(exchange_service(ex)->models);
    const struct models *models = model_files_models(set);
    const struct model *model = models_find(models, ex->target.segment, ex->target.segment_len);
    struct model_tables *tables;
    enum pe_status status;
    enum next next;

    pe_errors_clear(ex->problem.errors);
    if (!model) {
        next = model_pages_unknown(ex, models);
    } else {
        status =
            model_tables_new(&tables, models, model, ex->target.query,
                             ex->target.query ? ex->target.query_len : 0, ex->problem.errors);
        next = status == PE_OK ? follow_tag(ex, tables) : exchange_fail_status(ex, status);
    }
    model_files_drop(set);
    return next;
}
