/* SPDX-License-Identifier: Apache-2.0
 * raw_error_response.c - see raw_error_response.h. libmicrohttpd sends nothing at that time, so
 * its bytes and these cannot mix; a socket that does not take a kilobyte at once gets no
 * response. */
#include "server/exchange/raw_error_response.h"

#include <uv.h>

#include "proto/inference/inference_error.h"
#include "proto/text/buffer.h"
#include "server/exchange/response.h"

void raw_error_response_problem(struct exchange *ex, enum problem_kind kind, const char *detail)
{
    struct problem problem = {.kind = kind,
                              .detail = detail,
                              .request_id = ex->access.request_id,
                              .base = ex->target.base};
    struct buffer body = {0}, text = {0};
    unsigned status = problem_status(kind);
    bool inference = response_is_inference(ex->connection);

    if (inference)
        inference_error_write(&body, detail, NULL);
    else
        problem_write(&body, &problem);
    buffer_add_format(&text,
                      "HTTP/1.1 %u %s\r\nContent-Type: %s\r\n"
                      "Content-Length: %zu\r\nCache-Control: no-store\r\n"
                      "X-Content-Type-Options: nosniff\r\n%sX-Request-Id: %s\r\n"
                      "Connection: close\r\n\r\n",
                      status, problem_title(kind),
                      inference ? "application/json" : PROBLEM_MEDIA_TYPE, body.len,
                      status == 503 ? "Retry-After: 1\r\n" : "", ex->access.request_id);
    if (exchange_head(ex)->method != METHOD_HEAD)
        buffer_add(&text, body.bytes, body.len);
    if (!body.failed && !text.failed)
        connection_send_last(ex->connection, text.bytes, text.len);
    ex->response.status = status;
    ex->access.answered_ns = uv_hrtime();
    ex->response.bytes = body.len;
    buffer_fini(&body);
    buffer_fini(&text);
}
