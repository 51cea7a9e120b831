/* SPDX-License-Identifier: Apache-2.0
 * batch.c - see batch.h. The steps of the whole batch: body, tag, one part after the other. */
#include "server/batch/batch.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "proto/batch/batch_format.h"
#include "proto/http/sentences.h"
#include "proto/tensors/tables.h"
#include "server/batch/batch_state.h"
#include "server/exchange/body.h"
#include "server/exchange/body_reader.h"
#include "server/exchange/compress.h"
#include "server/files/model_files.h"
#include "server/files/table_files.h"

enum {
    INLINE_BODY = 64 << 10,             /* bytes of JSON that take a millisecond to read */
    INLINE_LISTS = 80000,               /* bytes of ten thousand numbers */
    FULL_POOL_LISTS = 4 * INLINE_LISTS, /* the most that is read here when the pool is full */
    OPERATIONS_A_BYTE = 10,             /* to read JSON */
    TURN_NS = 1000000,                  /* time for which a batch keeps its loop from others */
};

static exchange_step step_checked, step_part;

/* ---- the body ---------------------------------------------------------------------------- */

static struct batch *batch_new(struct exchange *ex, const struct batch_format *chosen)
{
    struct batch *batch = calloc(1, sizeof *batch);

    if (!batch)
        return NULL;
    batch->service = exchange_service(ex);
    batch->errors = calloc(1, sizeof *batch->errors);
    batch->tag = batch_tag_new(chosen->format);
    if (!batch->errors || !batch->tag) {
        batch_free(batch);
        return NULL;
    }
    batch->base = ex->target.base;
    batch->format = chosen->format;
    batch->format_given = chosen->given;
    batch->all_pinned = true;
    batch->models = model_files_take(batch->service->models);
    batch->tables = table_files_take(batch->service->tables);
    batch->json = ex->body.json;
    batch->held = ex->body.memory;
    ex->body.json = NULL;
    ex->body.memory.bytes = 0;
    batch_answer_init(&batch->answer, batch->format);
    return batch;
}

enum next batch_begin(struct exchange *ex)
{
    const struct exchange_target *target = &ex->target;
    struct batch_format chosen;

    if (!exchange_head(ex)->has_body)
        return exchange_fail(ex, PROBLEM_INVALID_BODY, SENTENCE_BATCH_BODY, target->base);
    if (!body_finish(ex))
        return MORE;
    pe_errors_clear(ex->problem.errors);
    enum pe_status status =
        batch_format_choose(&chosen, target->query, target->query ? target->query_len : 0,
                            exchange_head(ex)->accept, ex->problem.errors);
    if (status != PE_OK)
        return exchange_fail_status(ex, status);
    if (!chosen.format)
        return exchange_fail_format(ex);
    const bool gzip = compress_wanted(ex);
    if ((chosen.format->binary || !gzip) && compress_refuses_identity(ex))
        return MORE;
    struct batch *batch = ex->parts.batch = batch_new(ex, &chosen);
    ex->parts.kind = &batch_parts;
    if (!batch)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    connection_share_work(ex->connection);
    return batch_wait_begin(ex);
}

enum next batch_step_body(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;
    const uint64_t len = json_body_len(batch->json);

    if (ex->parts.gone)
        return batch_step_next(ex);
    const double operations = (double)OPERATIONS_A_BYTE * (double)len;
    if (len > INLINE_BODY)
        return batch_job_start(ex, batch_work_read_body, step_checked, operations)
                   ? WAIT
                   : exchange_refuse_work(ex);
    if (!exchange_may_work(ex, operations))
        return YIELD;
    batch->turn_ns = uv_hrtime();
    batch_work_read_body(batch);
    return step_checked(ex);
}

static enum next step_checked(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;
    const struct head *head = exchange_head(ex);

    if (batch->json_state != JSON_BODY_OK)
        return body_fail_json(ex, batch->json, batch->json_state);
    if (batch->status != PE_OK) {
        exchange_take_errors(ex, &batch->errors);
        return exchange_fail_status(ex, batch->status);
    }
    /* The answer to a condition needs the tags of all parts, but computes none of them. */
    batch->tagging = head->method == METHOD_QUERY && head->if_none_match;
    ex->step = batch_step_next;
    return MORE;
}

/* ---- the parts --------------------------------------------------------------------------- */

/* Ends the reading for tags: the parts are run from the first on. */
static bool restart(struct batch *batch)
{
    batch_tag_free(batch->tag);
    batch->tag = batch_tag_new(batch->format);
    batch->tagging = false;
    batch->next = 0;
    batch->has_tensors = batch->named = false;
    batch->all_pinned = true;
    return batch->tag != NULL;
}

static enum next end_tagging(struct exchange *ex, bool complete)
{
    struct batch *batch = ex->parts.batch;

    if (complete && batch_is_known(ex, false))
        return batch_not_modified(ex, UINT64_MAX);
    return restart(batch) ? MORE : exchange_fail_status(ex, PE_NO_MEMORY);
}

/* Adds the tag of a part that was read. One without a tag has answers that nobody can have. */
static enum next tag_part(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;
    struct request *request = batch->whole.request;
    const bool tagged = batch->status == PE_OK && !request_has_tensors(request);

    if (tagged) {
        batch->named |= request_options(request)->named;
        batch->all_pinned &= request_options(request)->rev_pinned;
        batch_tag_add(batch->tag, batch->body.items[batch->next].id, request);
    }
    request_free(request);
    batch->whole.request = NULL;
    ex->step = batch_step_next;
    batch->next++;
    return tagged ? MORE : end_tagging(ex, false);
}

static enum next step_part(struct exchange *ex)
{
    return ex->parts.batch->tagging ? tag_part(ex) : batch_part_begin(ex);
}

static bool is_late(const struct exchange *ex)
{
    return loop_now_ms(ex->state->loop) >= ex->connection->work_until_ms;
}

static enum next read_part(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;
    const size_t bytes = batch_body_number_bytes(&batch->body, batch->next);

    if (bytes > INLINE_LISTS &&
        batch_job_start(ex, batch_work_read_part, step_part, (double)bytes))
        return WAIT;
    if (bytes > FULL_POOL_LISTS) {
        access_log_reject(ex, METRICS_REJECT_OVERLOAD);
        return batch_fail(ex, PROBLEM_OVERLOADED, thread_pool_refusal(ex->work.refused));
    }
    batch_work_read_part(batch);
    return step_part(ex);
}

enum next batch_step_next(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;
    const uint64_t now = uv_hrtime();

    if (ex->parts.gone) {
        access_log_reject(ex, METRICS_REJECT_CLIENT_GONE);
        ex->response.closes = true;
        return batch_fail(ex, PROBLEM_OVERLOADED,
                          "the client disconnected before its request was computed");
    }
    if (is_late(ex)) {
        access_log_reject(ex, METRICS_REJECT_DEADLINE);
        return batch_fail(ex, PROBLEM_OVERLOADED, "no answer was ready in time; try again");
    }
    if (batch->next == batch->body.count && batch->tagging)
        return end_tagging(ex, true);
    if (batch->next == batch->body.count) {
        answer_queue_leave(&ex->state->answers, ex->connection);
        ex->step = batch_step_respond;
        return MORE;
    }
    if (now - batch->turn_ns > TURN_NS) {
        if (!exchange_may_work(ex, TURN_OPERATIONS))
            return YIELD;
        batch->turn_ns = now;
    }
    return read_part(ex);
}
