/* SPDX-License-Identifier: Apache-2.0
 * short_answer.c - see short_answer.h. */
#include "server/exchange/short_answer.h"

#include <stdlib.h>

#include "server/compute/compute.h"
#include "server/exchange/response.h"

enum { ELEMENTS_MAX = 8192 };
#define INLINE_NS                                                                              \
    1e6 /* what costs more is streamed, and made on the pool where that is needed */

bool short_answer_suits(const struct exchange *ex)
{
    const bool is_known = encoder_size(ex->work.encoder) != FORMAT_UNKNOWN;
    const bool has_body = (exchange_head(ex)->method & (METHOD_POST | METHOD_QUERY)) != 0;

    return (is_known ? has_body : request_format_context(ex->request) != NULL) &&
           pe_plan_elements(ex->work.plan) <= ELEMENTS_MAX &&
           compute_cost_ns(ex->work.plan, request_options(ex->request)) <= INLINE_NS;
}

static enum next queue(struct exchange *ex, struct compute *compute)
{
    const struct response_meta meta = response_meta_of(ex);
    struct reservation reservation = response_take_reserved(ex, EXCHANGE_CACHEABLE);
    char *lines = response_lines(&exchange_service(ex)->config, ex->work.encoder,
                                 response_has_parts(ex->request));
    struct header_block head;

    header_block_init(&head);
    header_block_add_lines(&head, lines);
    free(lines);
    response_write_meta(&head, &meta);
    response_write_timing(&head, ex->work.cache_result, (double)compute->ns / 1e6);
    return response_queue(
        ex, 200, response_of_bytes(ex, compute->bytes, compute->len, &reservation), &head);
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
    return exchange_forget_request(ex, queue(ex, &compute));
}
