/* SPDX-License-Identifier: Apache-2.0
 * short_answer.c - see short_answer.h. */
#include "server/exchange/short_answer.h"

#include <assert.h>
#include <stdlib.h>

#include "server/compute/compute.h"
#include "server/exchange/response.h"

enum { ELEMENTS_MAX = 8192 };
#define INLINE_NS                                                                              \
    1e6 /* what costs more is streamed, and made on the pool where that is needed */

bool short_answer_suits(const struct exchange *ex)
{
    return request_format_context(ex->request) &&
           encoder_size(ex->work.encoder) == FORMAT_UNKNOWN &&
           pe_plan_elements(ex->work.plan) <= ELEMENTS_MAX &&
           compute_cost_ns(ex->work.plan, request_options(ex->request)->format) <= INLINE_NS;
}

static struct MHD_Response *make(struct exchange *ex, struct compute *compute)
{
    const struct response_meta meta = response_meta_of(ex);
    struct MHD_Response *response = response_of_bytes(compute->bytes, compute->len);
    char *lines = response_lines(&exchange_service(ex)->config, ex->work.encoder,
                                 response_has_parts(ex->request));

    struct header_block head;

    header_block_init(&head);
    header_block_add_lines(&head, lines ? lines : "");
    response_write_meta(&head, &meta);
    response_write_timing(&head, ex->work.cache_result, (double)compute->ns / 1e6);
    response = response_if(response && lines && header_block_give(&head, response), response);
    free(lines);
    return response;
}

/* Gives back what was reserved beyond the answer, which is counted as being sent. */
static void keep_sending(struct exchange *ex, uint64_t len)
{
    struct service *service = exchange_service(ex);

    assert(len <= EXCHANGE_CACHEABLE);
    inflight_release(service, EXCHANGE_CACHEABLE - len);
    ex->work.reserved -= EXCHANGE_CACHEABLE - len;
    inflight_begin_send(service, len);
    ex->response.sending = len;
}

enum next short_answer(struct exchange *ex)
{
    struct compute compute = {.encoder = ex->work.encoder,
                              .elements = pe_plan_elements(ex->work.plan),
                              .limit = EXCHANGE_CACHEABLE};

    if (!exchange_reserve(ex, EXCHANGE_CACHEABLE))
        return MORE;
    compute_run(&compute);
    metrics_compute(loop_metrics(ex->state->loop), pe_index(request_encoding(ex->request)),
                    compute.ns, compute.elements);
    if (compute.result != COMPUTE_DONE) {
        free(compute.bytes);
        return exchange_fail_status(ex, PE_NO_MEMORY);
    }
    keep_sending(ex, compute.len);
    return response_queue(ex, 200, make(ex, &compute), compute.len);
}
