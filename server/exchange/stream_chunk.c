/* SPDX-License-Identifier: Apache-2.0
 * stream_chunk.c - see stream_chunk.h. A chunk owns all data that the pool works on, so that
 * the connection and its exchange may end meanwhile. */
#include "server/exchange/stream_chunk.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "server/compute/compute.h"
#include "server/exchange/wait.h"

#define BLOCKING_NS 2e6         /* longest time that one block may take on the loop's thread */
enum { MIXED_STEP = 16 << 10 }; /* bytes of one read of tensors of several plans */
#define TASK_NS 10e6 /* longest work of a task on the pool; it is worth a suspension */

struct stream_chunk {
    struct wait wait; /* first: a wait is cast to its chunk */
    struct request *request;
    struct encoder *encoder;
    struct pe_plan *plan;
    bool busy, ended, over; /* over: the response is, and the pool's work frees the chunk */
    uint64_t ns;
    uint64_t fill_ns; /* of the encoder that the span has */
    size_t step;      /* bytes that are read in one go: TASK_NS at most, as estimated */
    size_t len, at;
    char bytes[STREAM_CHUNK_BYTES];
};

bool stream_chunk_needed(const struct pe_plan *plan)
{
    uint64_t elements = STREAM_CHUNK_BYTES / compute_element_size(plan),
             all = pe_plan_elements(plan);

    return pe_plan_cost_ns(plan, elements < all ? elements : all) > BLOCKING_NS;
}

struct stream_chunk *stream_chunk_new(struct exchange *ex, struct encoder *encoder,
                                      struct pe_plan *plan)
{
    struct stream_chunk *chunk = malloc(sizeof *chunk);

    if (!chunk)
        return NULL;
    memset(chunk, 0, offsetof(struct stream_chunk, bytes));
    chunk->request = ex->request;
    chunk->encoder = encoder;
    chunk->plan = plan;
    chunk->step = plan ? compute_step(plan, TASK_NS) : MIXED_STEP;
    ex->request = NULL;
    return chunk;
}

/* Generates, on any thread, as many bytes as fit, or as TASK_NS allows. */
static void make(struct stream_chunk *chunk)
{
    const uint64_t start = uv_hrtime();
    uint64_t spent = 0;

    chunk->len = chunk->at = 0;
    while (!chunk->ended && spent < (uint64_t)TASK_NS &&
           sizeof chunk->bytes - chunk->len >= FORMAT_MIN_CAPACITY) {
        size_t capacity = sizeof chunk->bytes - chunk->len;
        size_t got = encoder_read(chunk->encoder, chunk->bytes + chunk->len,
                                  capacity < chunk->step ? capacity : chunk->step);

        chunk->len += got;
        chunk->ended = got == 0;
        spent = uv_hrtime() - start;
    }
    chunk->ns += spent;
}

/* ---- on the pool --------------------------------------------------------------------- */

static void run(struct wait *wait)
{
    make((struct stream_chunk *)(void *)wait);
}

/* The time of the pool is that of computing: a part of it was that of writing. */
static void tell_span(struct stream_chunk *chunk, struct span *span)
{
    const uint64_t all = encoder_fill_ns(chunk->encoder), fill = all - chunk->fill_ns;

    chunk->fill_ns = all;
    if (chunk->wait.work_ns > fill)
        span_move(span, SPAN_COMPUTE, SPAN_ENCODE, chunk->wait.work_ns - fill);
}

static void settle(struct wait *wait, struct exchange *ex)
{
    struct stream_chunk *chunk = (struct stream_chunk *)(void *)wait;

    chunk->busy = false;
    if (ex) {
        tell_span(chunk, &ex->span);
        connection_unpause(ex->connection);
    }
    if (chunk->over)
        stream_chunk_free(chunk);
}

static const struct wait_kind kind = {.run = run, .step = SPAN_COMPUTE, .settle = settle};

bool stream_chunk_more(struct stream_chunk *chunk, struct exchange *ex)
{
    if (chunk->busy || chunk->ended)
        return false;
    chunk->busy = wait_try(ex, &chunk->wait, &kind, 0);
    if (chunk->busy)
        connection_pause(ex->connection);
    else
        make(chunk);
    return chunk->busy || chunk->len > 0;
}

size_t stream_chunk_take(struct stream_chunk *chunk, char *out, size_t capacity)
{
    size_t left, len;

    if (chunk->busy) /* the pool owns all other fields */
        return 0;
    left = chunk->len - chunk->at;
    len = left < capacity ? left : capacity;
    memcpy(out, chunk->bytes + chunk->at, len);
    chunk->at += len;
    return len;
}

bool stream_chunk_busy(const struct stream_chunk *chunk)
{
    return chunk->busy;
}

uint64_t stream_chunk_ns(const struct stream_chunk *chunk)
{
    return chunk->busy ? 0 : chunk->ns;
}

void stream_chunk_free(struct stream_chunk *chunk)
{
    if (!chunk)
        return;
    chunk->over = true;
    if (chunk->busy) /* settle frees it */
        return;
    encoder_free(chunk->encoder);
    pe_plan_free(chunk->plan);
    request_free(chunk->request);
    free(chunk);
}
