/* SPDX-License-Identifier: Apache-2.0
 * inference_reader.c - see inference_reader.h. Memory is counted as that of other bodies. */
#include "server/exchange/inference_reader.h"

#include "proto/http/inflate.h"
#include "proto/http/sentences.h"
#include "proto/inference/inference_answer.h"
#include "proto/inference/inference_body.h"
#include "proto/inference/inference_request.h"
#include "server/exchange/body_reader.h"
#include "server/exchange/exchange_memory.h"

static bool reserve(void *context, uint64_t bytes)
{
    return exchange_reserve_body(context, bytes);
}

/* Reads Inference-Header-Content-Length, which a body of JSON alone may lack. */
static bool read_head(struct exchange *ex, uint64_t *head)
{
    const char *text = exchange_head(ex)->inference_length;

    *head = 0;
    if (!text || inference_body_read_length(text, head))
        return true;
    exchange_fail(
        ex, PROBLEM_INVALID_BODY,
        "Inference-Header-Content-Length must be given once, as the length of the JSON in "
        "bytes, from 1 on; got %.40s",
        text);
    return false;
}

/* A body that is refused has no reader: it is dropped. */
static bool start(struct exchange *ex)
{
    const struct head *head = exchange_head(ex);
    struct inference_source source = {.length = INFERENCE_LENGTH_UNKNOWN,
                                      .max_bytes = exchange_service(ex)->config.max_body,
                                      .reserve = reserve,
                                      .context = ex};

    if (!head->chunked && !body_is_compressed(ex))
        source.length = head->content_length;
    if (!read_head(ex, &source.head)) {
        ex->body.reader = NULL;
        return true;
    }
    ex->body.inference = inference_body_new(&source);
    return ex->body.inference != NULL;
}

static enum next add(struct exchange *ex, const char *bytes, size_t len)
{
    enum inference_state state = inference_body_add(ex->body.inference, bytes, len);
    const char *why = inference_body_error(ex->body.inference);

    if (state == INFERENCE_OK || state == INFERENCE_MALFORMED) /* answered at the end */
        return MORE;
    if (state == INFERENCE_NO_MEMORY)
        return body_refuse(ex, PROBLEM_OVERLOADED, SENTENCE_NO_MEMORY);
    if (state == INFERENCE_TOO_LARGE)
        return body_refuse(ex, PROBLEM_BODY_TOO_LARGE, why);
    if (exchange_never_fits_body(ex, inference_body_held(ex->body.inference)))
        return body_refuse(ex, PROBLEM_BODY_TOO_LARGE, EXCHANGE_BODY_TOO_LARGE);
    return body_refuse(ex, PROBLEM_OVERLOADED, EXCHANGE_BODY_TOO_MANY);
}

/* Takes the memory of the lists of a body that has come whole. */
static enum next take_lists(struct exchange *ex)
{
    const struct pe_encoding *enc = pe_find(ex->target.segment, ex->target.segment_len);
    const uint64_t bytes = inference_request_copied(enc, ex->body.inference);

    if (bytes == 0 || exchange_reserve_body(ex, bytes))
        return MORE;
    return exchange_never_fits_body(ex, inference_body_held(ex->body.inference) + bytes)
               ? exchange_fail(ex, PROBLEM_BODY_TOO_LARGE, EXCHANGE_BODY_TOO_LARGE)
               : exchange_fail(ex, PROBLEM_OVERLOADED, EXCHANGE_BODY_TOO_MANY);
}

static enum next finish(struct exchange *ex)
{
    enum inference_state state = inference_body_finish(ex->body.inference);
    const char *why = inference_body_error(ex->body.inference);

    switch (state) {
    case INFERENCE_OK:
        return take_lists(ex);
    case INFERENCE_MALFORMED:
        exchange_release_body(ex, ex->body.inflater ? INFLATE_MEMORY : 0);
        return exchange_fail(ex, PROBLEM_INVALID_BODY, "%s", why);
    case INFERENCE_TOO_LARGE:
        return exchange_fail(ex, PROBLEM_BODY_TOO_LARGE, "%s", why);
    case INFERENCE_OVER_BUDGET:
        return exchange_fail(ex, PROBLEM_OVERLOADED, EXCHANGE_BODY_TOO_MANY);
    case INFERENCE_NO_MEMORY:
        return exchange_fail_status(ex, PE_NO_MEMORY);
    }
    return MORE;
}

bool inference_reader_settle(struct exchange *ex)
{
    if (request_has_tensors(ex->request) && !exchange_hand_over_body(ex))
        return false;
    return !inference_request_is_mixed(ex->request) ||
           exchange_reserve(ex, INFERENCE_ANSWER_MIXED_BYTES);
}

static enum pe_status give(struct exchange *ex)
{
    enum pe_status status =
        inference_request_set(ex->request, ex->body.inference, ex->problem.errors);

    inference_body_free(ex->body.inference);
    ex->body.inference = NULL;
    if (status == PE_OK && !inference_reader_settle(ex))
        return PE_BAD_VALUE;
    return status;
}

static const struct body_reader reader = {start, add, finish, give};

void inference_reader_start(struct exchange *ex)
{
    ex->body.reader = &reader;
    if (!start(ex))
        exchange_fail_status(ex, PE_NO_MEMORY);
}
