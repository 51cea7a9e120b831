/* SPDX-License-Identifier: Apache-2.0
 * batch_response.c - the response to a batch: its headers, its gzip variant, and the problem in
 * place of a file that lacks an answer. */
#include <stdlib.h>
#include <string.h>

#include "proto/http/gzip.h"
#include "proto/http/sentences.h"
#include "server/batch/batch_state.h"
#include "server/document/document_head.h"
#include "server/exchange/compress.h"
#include "server/exchange/cors.h"
#include "server/exchange/response.h"
#include "server/http/if_none_match.h"

enum { INLINE_GZIP = 128 << 10, BLOCK = 64 << 10 };

static exchange_step step_send;

/* ---- headers ----------------------------------------------------------------------------- */

/* The answer may be asked for again: it depends on nothing but the text of the request. */
static bool is_kept(const struct exchange *ex)
{
    const struct batch *batch = ex->parts.batch;

    return exchange_head(ex)->method == METHOD_QUERY && !batch->has_tensors &&
           batch->answer.failed == 0;
}

/* tag: memory for the tag that *meta refers to. */
static struct response_meta meta_of(const struct exchange *ex, enum content_coding coding,
                                    char tag[BATCH_TAG_SIZE])
{
    const struct batch *batch = ex->parts.batch;
    const struct config *config = &exchange_service(ex)->config;
    const enum response_age age = batch->named        ? RESPONSE_MINUTE
                                  : batch->all_pinned ? RESPONSE_FOR_EVER
                                                      : RESPONSE_HOUR;
    const bool kept = is_kept(ex);

    batch_tag_print(batch->tag, coding, tag);
    return (struct response_meta){
        .control = kept ? response_cache_control(config, age) : "no-store",
        .by_accept = !batch->format_given,
        .by_coding = !batch->format->binary,
        .cors = cors_of(config),
        .coding = coding,
        .etag = kept ? tag : NULL,
        .old_names = batch->old_names,
    };
}

/* Writes the head, with that of the format: what a browser may do with it, a file's name. */
static void write_head(const struct exchange *ex, const struct response_meta *meta,
                       struct header_block *head)
{
    const struct batch *batch = ex->parts.batch;

    header_block_init(head);
    document_write_type(head, batch->format->media_type);
    if (batch->format->binary)
        header_block_add(head, "Content-Disposition", "inline; filename=\"batch.safetensors\"");
    response_write_coding(head, meta->coding);
    response_write_link(head, &exchange_service(ex)->config);
    response_write_meta(head, meta);
    response_write_timing(head, batch->missed ? "miss" : "hit", batch->compute_ms);
}

/* ---- conditions -------------------------------------------------------------------------- */

bool batch_is_known(const struct exchange *ex, bool made)
{
    const char *tags = exchange_head(ex)->if_none_match;
    const struct batch *batch = ex->parts.batch;
    char tag[BATCH_TAG_SIZE];

    for (enum content_coding coding = CONTENT_CODING_IDENTITY; coding <= CONTENT_CODING_GZIP;
         coding++) {
        batch_tag_print(batch->tag, coding, tag);
        enum if_none_match condition = if_none_match_check(tags, tag);
        if (condition == IF_NONE_MATCH_MATCH || (condition == IF_NONE_MATCH_ANY && made))
            return true;
    }
    return false;
}

enum next batch_not_modified(struct exchange *ex, uint64_t len)
{
    const char *tags = exchange_head(ex)->if_none_match;
    char tag[BATCH_TAG_SIZE], gzip[BATCH_TAG_SIZE];
    struct response_meta meta = meta_of(ex, CONTENT_CODING_IDENTITY, tag);

    batch_tag_print(ex->parts.batch->tag, CONTENT_CODING_GZIP, gzip);
    if (if_none_match_check(tags, tag) == IF_NONE_MATCH_NONE)
        meta.etag = gzip;
    exchange_count(ex, METRICS_NOT_MODIFIED);
    ex->work.cache_result = "hit";
    return exchange_forget_work(ex, response_not_modified(ex, &meta, len));
}

/* ---- the bytes --------------------------------------------------------------------------- */

/* A file that is being sent: the head and the elements lie in several buffers. */
struct file {
    struct batch_answer answer;
    struct exchange *ex; /* lives as long as the response is sent */
};

static ssize_t read_file(void *context, uint64_t at, char *out, size_t capacity)
{
    struct file *file = context;
    const struct buffer *buffer = &file->answer.text;
    uint64_t begin = 0;

    for (size_t i = 0; at >= begin + buffer->len; i++) {
        if (i == BATCH_ANSWER_SIZES)
            return TRANSPORT_END;
        begin += buffer->len;
        buffer = &file->answer.data[i];
    }
    const size_t left = buffer->len - (size_t)(at - begin);
    const size_t len = left < capacity ? left : capacity;
    memcpy(out, buffer->bytes + (at - begin), len);
    connection_progress(file->ex->connection, at + len);
    file->ex->response.bytes = at + len;
    return (ssize_t)len;
}

static void free_file(void *context)
{
    struct file *file = context;

    batch_answer_fini(&file->answer);
    free(file);
}

static struct transport_body body_of_file(struct exchange *ex, struct reservation *reservation)
{
    struct batch *batch = ex->parts.batch;
    struct file *file = reservation_take(reservation, BLOCK) ? malloc(sizeof *file) : NULL;

    if (!file) {
        reservation_trim(reservation, 0);
        return (struct transport_body){.kind = TRANSPORT_LACKS};
    }
    *file = (struct file){.answer = batch->answer, .ex = ex};
    batch_answer_init(&batch->answer, batch->format);
    return response_of_pull(ex,
                            (struct transport_body){.len = batch_answer_len(&file->answer),
                                                    .block = BLOCK,
                                                    .pull = read_file,
                                                    .release = free_file,
                                                    .owner = file},
                            reservation);
}

/* Returns the answer that takes the place of the parts, whose body is over. */
static struct transport_body take_answer(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;
    struct reservation reservation = reservation_taken(batch->service, batch->reserved);

    batch->reserved = 0;
    if (batch->format->binary) {
        reservation_trim(&reservation, batch_answer_held(&batch->answer));
        return body_of_file(ex, &reservation);
    }
    size_t size = batch->gzip_len;
    char *bytes = batch->gzip ? batch->gzip : buffer_take(&batch->answer.text, &size);
    batch->gzip = NULL;
    return response_of_bytes(ex, bytes, size, &reservation);
}

static enum next step_send(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;
    char tag[BATCH_TAG_SIZE];
    const enum content_coding coding =
        batch->gzip ? CONTENT_CODING_GZIP : CONTENT_CODING_IDENTITY;
    const struct response_meta meta = meta_of(ex, coding, tag);
    struct transport_body body;
    struct header_block head;

    if (coding == CONTENT_CODING_IDENTITY && !batch->format->binary &&
        !ex->compress.accepted.identity)
        return exchange_fail(ex, PROBLEM_OVERLOADED,
                             "the gzip answer could not be made now; try again");
    ex->work.cache_result = batch->missed ? "miss" : "hit";
    write_head(ex, &meta, &head);
    body = take_answer(ex);
    batch_free(batch);
    ex->parts.batch = NULL;
    return response_queue(ex, 200, body, &head);
}

/* ---- the steps --------------------------------------------------------------------------- */

static enum next fail_whole(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;
    size_t len;

    ex->problem.entries = buffer_take(&batch->answer.entries, &len);
    return ex->problem.entries
               ? exchange_fail(ex, batch->answer.worst, SENTENCE_BATCH_WHOLE,
                               batch->answer.failed, batch->body.count, batch->format->name)
               : exchange_fail_status(ex, PE_NO_MEMORY);
}

/* The pool has compressed the answer. */
static enum next step_compressed(struct exchange *ex)
{
    const struct batch *batch = ex->parts.batch;

    if (batch->gzip)
        metrics_compressed(loop_metrics(ex->state->loop), batch->answer.text.len,
                           batch->gzip_len);
    return step_send(ex);
}

static enum next step_compress_here(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;
    const size_t len = batch->answer.text.len;

    if (!exchange_may_work(ex, COMPRESS_OPERATIONS_A_BYTE * (double)len))
        return YIELD;
    if (!compress_page(ex, batch->answer.text.bytes, len, &batch->gzip, &batch->gzip_len))
        batch->gzip = NULL;
    ex->step = step_send;
    return MORE;
}

/* Without memory, or a free place on the pool, the answer is sent as it is. */
static enum next compress(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;
    const uint64_t len = batch->answer.text.len, bound = gzip_bound(len);

    ex->step = step_send;
    if (!exchange_try_share(ex, bound) || !inflight_reserve(batch->service, bound))
        return MORE;
    batch->reserved += bound;
    if (len <= INLINE_GZIP) {
        ex->step = step_compress_here;
        return MORE;
    }
    return batch_job_start(ex, batch_work_compress, step_compressed,
                           COMPRESS_OPERATIONS_A_BYTE * (double)len)
               ? WAIT
               : MORE;
}

enum next batch_step_respond(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;

    batch_answer_finish(&batch->answer);
    if (batch_answer_failed(&batch->answer))
        return exchange_fail_status(ex, PE_NO_MEMORY);
    if (batch_answer_is_problem(&batch->answer))
        return fail_whole(ex);
    if (is_kept(ex) && batch_is_known(ex, true))
        return batch_not_modified(ex, batch_answer_len(&batch->answer));
    if (!batch->format->binary && compress_suits_page(ex, batch->answer.text.len))
        return compress(ex);
    ex->step = step_send;
    return MORE;
}
