/* SPDX-License-Identifier: Apache-2.0
 * response_problem.c - the response that says what is wrong with a request: RFC 9457, an error
 * of the Open Inference Protocol, or a page where a browser asked for nothing that is there. */
#include <inttypes.h>
#include <stdio.h>

#include "proto/batch/batch_answer.h"
#include "proto/http/inflate.h"
#include "proto/inference/inference_error.h"
#include "proto/pages/page_frame.h"
#include "proto/text/buffer.h"
#include "server/exchange/body_reader.h"
#include "server/exchange/cors.h"
#include "server/exchange/response.h"

#define NO_STORE "no-store"

enum { AVAILABLE_MAX = 16 };

/* Lists the media types of all formats, or of those of a batch; NULL: no 406 names them. */
static const char *const *list_available(const struct exchange *ex,
                                         const char *available[AVAILABLE_MAX + 1])
{
    const bool batch = ex->target.endpoint && ex->target.endpoint->id == ENDPOINT_BATCH;
    size_t count = format_count();
    const struct format *const *formats = batch ? batch_answer_formats(&count) : format_all();

    for (size_t i = 0; i < count && i < AVAILABLE_MAX; i++)
        available[i] = formats[i]->media_type;
    return ex->problem.of_format ? available : NULL;
}

/* A page for people is HTML in place of JSON. */
static void write_problem_type(const struct exchange *ex, struct header_block *block, bool page)
{
    if (!page) {
        header_block_add(block, "Content-Type",
                         response_is_inference(ex->connection) ? "application/json"
                                                               : PROBLEM_MEDIA_TYPE);
        return;
    }
    header_block_add(block, "Content-Type", page_frame_type);
    header_block_add(block, "Content-Security-Policy", page_frame_policy);
    header_block_add(block, "Referrer-Policy", "no-referrer");
}

/* Where nothing is, browsers get a page. */
static const char *varies_by(const struct service *service)
{
    return cors_of(&service->config) == CORS_LISTED ? "Accept, Origin" : "Accept";
}

/* A path where nothing is stays empty for a moment; but of a revision another server behind the
 * same cache may have it. */
static bool may_be_kept(const struct exchange *ex)
{
    return problem_status(ex->problem.kind) == 404 &&
           ex->problem.kind != PROBLEM_UNKNOWN_REVISION;
}

/* Returns the revision of the encoding that was asked for; 0: the request is for none. */
static unsigned revision_of(const struct exchange *ex)
{
    const enum endpoint_id id = ex->target.endpoint ? ex->target.endpoint->id : ENDPOINT_COUNT;
    const struct pe_encoding *enc = NULL;

    if (id == ENDPOINT_ENCODING || id == ENDPOINT_APPLY)
        enc = pe_find(ex->target.segment, ex->target.segment_len);
    return enc ? pe_revision(enc) : 0;
}

static void write_problem_headers(struct exchange *ex, struct header_block *block, bool page)
{
    const unsigned status = problem_status(ex->problem.kind);
    struct buffer list = {0};
    char range[40]; /* and other numbers */

    write_problem_type(ex, block, page);
    header_block_add(block, "Cache-Control", may_be_kept(ex) ? "max-age=5" : NO_STORE);
    response_write_rev(block, revision_of(ex));
    header_block_add(block, "X-Content-Type-Options", "nosniff");
    if (status == 404 && !response_is_inference(ex->connection))
        header_block_add(block, "Vary", varies_by(exchange_service(ex)));
    if (status == 401)
        header_block_add(block, "WWW-Authenticate", "Bearer realm=\"posencd\"");
    if (exchange_retry_s(ex, status) > 0) {
        snprintf(range, sizeof range, "%u", exchange_retry_s(ex, status));
        header_block_add(block, "Retry-After", range);
    }
    if (status == 416) {
        snprintf(range, sizeof range, "bytes */%" PRIu64, ex->response.full_size);
        header_block_add(block, "Content-Range", range);
    }
    if (status == 415) {
        body_media_types(ex, &list);
        response_write_list(block, "Accept", &list);
        header_block_add(block, "Accept-Encoding", INFLATE_CODINGS);
    }
    if (status == 405 && ex->target.endpoint) {
        endpoint_allow(ex->target.endpoint, &list);
        response_write_list(block, "Allow", &list);
    }
}

static void write_problem(const struct exchange *ex, struct buffer *text)
{
    const char *available[AVAILABLE_MAX + 1] = {NULL};
    struct problem problem = {.kind = ex->problem.kind,
                              .detail = ex->problem.detail[0] ? ex->problem.detail : NULL,
                              .request_id = ex->access.request_id,
                              .base = ex->target.base,
                              .available = list_available(ex, available),
                              .limited_by = ex->problem.limited_by,
                              .entries = ex->problem.entries,
                              .errors = ex->problem.with_errors ? ex->problem.errors : NULL};

    if (response_is_inference(ex->connection))
        inference_error_write(text, problem.detail, problem.errors);
    else
        problem_write(text, &problem);
}

enum next response_problem(struct exchange *ex)
{
    struct header_block head;
    struct reservation reservation = reservation_of_problem(exchange_service(ex));
    struct buffer text = {.budget = &reservation.budget};
    size_t len = 0;
    const bool page = ex->problem.kind == PROBLEM_NOT_FOUND &&
                      !response_is_inference(ex->connection) &&
                      exchange_service(ex)->routes->problem_page(ex, &text);

    if (!page)
        write_problem(ex, &text);
    char *bytes = buffer_take(&text, &len);
    header_block_init(&head);
    write_problem_headers(ex, &head, page);
    return response_queue(ex, problem_status(ex->problem.kind),
                          response_of_bytes(ex, bytes, len, &reservation), &head);
}
