/* SPDX-License-Identifier: Apache-2.0
 * table_change.c - see table_change.h. The change owns the bytes while the pool works. */
#include "server/handlers/table_change.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/exchange/auth.h"
#include "server/exchange/body.h"
#include "server/exchange/document.h"
#include "server/exchange/pool_job.h"
#include "server/exchange/response.h"
#include "server/files/table_files.h"

struct table_change {
    struct pool_job job;
    struct table_files *files;
    bool put;
    char stem[TABLE_FILE_STEM_MAX + 1];
    char *bytes;
    size_t len;
    enum table_change_result result;
    char why[TABLE_FILE_WHY_SIZE];
};

/* ---- on the pool ------------------------------------------------------------------------ */

static void run(struct pool_job *job)
{
    struct table_change *change = (struct table_change *)(void *)job;

    change->result = change->put ? table_files_put(change->files, change->stem, change->bytes,
                                                   change->len, change->why)
                                 : table_files_remove(change->files, change->stem, change->why);
}

/* ---- on the loop's thread ---------------------------------------------------------------- */

/* Responds to a PUT with the description of the file as it is now. */
static enum next answer_put(struct exchange *ex, bool created)
{
    struct tables *tables = table_files_take(exchange_service(ex)->tables);
    struct buffer text = {0};
    struct MHD_Response *response;
    char *bytes, where[sizeof "/v1/tables/" + TABLE_FILE_STEM_MAX + CONFIG_PREFIX_MAX];
    size_t len = 0;

    snprintf(where, sizeof where, "%s/v1/tables/%.*s", ex->target.base,
             (int)ex->target.segment_len, ex->target.segment);
    if (!tables_write_one(tables, ex->target.segment, ex->target.segment_len, &text))
        buffer_add_text(&text, "{}"); /* another request has removed the file meanwhile */
    tables_drop(tables);
    bytes = buffer_take(&text, &len);
    response = response_of_bytes(bytes, len);
    response =
        response_if(response && response_add(response, "Content-Type", "application/json") &&
                        response_add(response, "Cache-Control", "no-store") &&
                        response_add(response, "X-Content-Type-Options", "nosniff") &&
                        (!created || response_add(response, "Location", where)),
                    response);
    return response_queue(ex, created ? 201 : 200, response, len);
}

static enum next answer_removed(struct exchange *ex)
{
    struct MHD_Response *response = response_empty();

    response =
        response_if(response && response_add(response, "Cache-Control", "no-store"), response);
    return response_queue(ex, 204, response, 0);
}

static enum next step_created(struct exchange *ex)
{
    return answer_put(ex, true);
}

static enum next step_replaced(struct exchange *ex)
{
    return answer_put(ex, false);
}

static void settle(struct pool_job *job, struct exchange *ex)
{
    const struct table_change *change = (struct table_change *)(void *)job;

    switch (change->result) {
    case TABLE_CREATED:
        ex->step = step_created;
        break;
    case TABLE_REPLACED:
        ex->step = step_replaced;
        break;
    case TABLE_REMOVED:
        ex->step = answer_removed;
        break;
    case TABLE_MISSING:
        exchange_fail(ex, PROBLEM_NOT_FOUND, "there is no file %s; /v1/tables lists them",
                      change->stem);
        break;
    case TABLE_REFUSED:
        exchange_fail(ex, PROBLEM_INVALID_BODY, "%s", change->why);
        break;
    case TABLE_NO_MEMORY:
        exchange_fail_status(ex, PE_NO_MEMORY);
        break;
    case TABLE_FAILED:
        exchange_fail(ex, PROBLEM_INTERNAL, "%s", change->why);
        break;
    }
}

static void change_free(struct pool_job *job)
{
    struct table_change *change = (struct table_change *)(void *)job;

    free(change->bytes);
    free(change);
}

/* A change that was begun is made, even if its client has left. */
static const struct pool_job_kind kind = {.run = run, .settle = settle, .free = change_free};

enum next table_change_begin(struct exchange *ex)
{
    bool put = exchange_head(ex)->method == METHOD_PUT;
    struct table_change *change;

    if (!auth_admits_table_change(ex) || document_has_query(ex))
        return MORE;
    if (put && body_finish(ex) == MORE && ex->problem.kind != PROBLEM_COUNT)
        return MORE;
    if (put && (ex->body.file.len == 0 || ex->body.file.failed))
        return ex->body.file.failed ? exchange_fail_status(ex, PE_NO_MEMORY)
                                    : exchange_fail(ex, PROBLEM_INVALID_BODY,
                                                    "send a safetensors file as the body");
    change = calloc(1, sizeof *change);
    if (!change)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    change->files = exchange_service(ex)->tables;
    change->put = put;
    memcpy(change->stem, ex->target.segment, ex->target.segment_len);
    if (put)
        change->bytes = buffer_take(&ex->body.file, &change->len);
    return pool_job_start(ex, &change->job, &kind, 0);
}
