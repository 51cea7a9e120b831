/* SPDX-License-Identifier: Apache-2.0
 * exchange_read.c - the steps that read and check a request: its query and its body, or another
 * position for a request that was read before. exchange.c has the steps that follow. */
#include "server/exchange/internal.h"

#include <string.h>

#include "server/cache/request_templates.h"
#include "server/exchange/body.h"
#include "server/exchange/body_parse_job.h"
#include "server/exchange/compress.h"
#include "server/files/model_files.h"

static enum next follow_key(struct exchange *ex, enum pe_status status)
{
    if (status != PE_OK)
        return exchange_fail_status(ex, status);
    if (!request_options(ex->request)->format)
        return exchange_fail_format(ex);
    if (*request_old_names(ex->request) != '\0')
        metrics_old_names(loop_metrics(ex->state->loop));
    if (!compress_choose(ex))
        return MORE;
    ex->step = exchange_begin_checked;
    return MORE;
}

/* The pool has read the body. */
static enum next step_parsed(struct exchange *ex)
{
    return follow_key(ex, ex->body.parse_status);
}

/* The key of a request depends on the models and the learned tables that the service has now.
 * */
static enum next finish(struct exchange *ex)
{
    struct loop_files *files = &ex->state->files;
    const char *accept = exchange_head(ex)->accept;
    enum next next;

    loop_files_renew(files, exchange_service(ex));
    request_set_models(ex->request, model_files_models(files->models));
    request_set_tables(ex->request, files->tables);
    next = follow_key(ex, request_finish(ex->request, accept, accept ? strlen(accept) : 0,
                                         ex->problem.errors));
    request_set_tables(ex->request, NULL);
    return next;
}

/* Makes the request from that of an earlier target. False: it must be read; *wanted says
 * whether it should then become the template of the key. */
static bool from_template(struct exchange *ex, struct request_templates_key *key, bool *wanted)
{
    const struct exchange_target *target = &ex->target;
    const unsigned generation =
        atomic_load_explicit(&exchange_service(ex)->generation, memory_order_acquire);

    if (!request_templates_key(key, target->segment, target->segment_len, target->query,
                               target->query_len, exchange_head(ex)->accept, generation))
        return false;
    ex->request = request_templates_find(ex->state->templates, key, wanted);
    return ex->request != NULL;
}

static enum next step_read(struct exchange *ex)
{
    struct request_templates_key key;
    enum pe_status query = PE_OK, body = PE_OK;
    bool has_body = exchange_head(ex)->has_body || ex->body.reader, wanted = false;

    pe_errors_clear(ex->problem.errors);
    if (!has_body && from_template(ex, &key, &wanted))
        return follow_key(ex, PE_OK);
    if (has_body && !body_parse_job_is_due(ex) &&
        !exchange_may_work(ex, body_parse_job_operations(ex)))
        return YIELD;
    if (has_body && !body_finish(ex))
        return MORE;
    ex->request = request_new(pe_find(ex->target.segment, ex->target.segment_len));
    if (!ex->request)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    if (has_body && body_parse_job_is_due(ex)) {
        ex->step = step_parsed;
        return body_parse_job_start(ex);
    }
    if (ex->target.query)
        query = request_set_query(ex->request, ex->target.query, ex->target.query_len,
                                  ex->problem.errors);
    if (has_body)
        body = body_give(ex);
    if (ex->problem.kind != PROBLEM_COUNT)
        return MORE;
    if (query == PE_NO_MEMORY || body == PE_NO_MEMORY)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    if (wanted)
        request_keep(ex->request);
    enum next next = finish(ex); /* reports these errors together with its own */
    if (wanted && ex->problem.kind == PROBLEM_COUNT)
        request_templates_add(ex->state->templates, &key, ex->request);
    return next;
}

enum next exchange_begin_encoding(struct exchange *ex)
{
    ex->step = step_read;
    return cached_try(ex);
}
