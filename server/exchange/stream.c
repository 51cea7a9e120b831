/* SPDX-License-Identifier: Apache-2.0
 * stream.c - the transport pulls, the encoder fills; see stream.h. A wake-up of the connection
 * generates one or two blocks, so that a long answer does not hold up other connections of its
 * loop; where even one block would, the pool makes it (stream_chunk.h). */
#include "server/exchange/stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "server/compute/compute.h"
#include "server/exchange/auth.h"
#include "server/exchange/load_shedding.h"
#include "server/exchange/response.h"
#include "server/exchange/short_answer.h"
#include "server/exchange/stream_chunk.h"
#include "server/exchange/wait.h"

/* Bytes generated in one go. On loopback 256 KiB cost a third less CPU time a byte than 64 KiB:
 * fewer calls, and the client is woken less often. Large blocks are for answers that are made
 * quickly, while memory is plenty and no other request of the loop would wait for them. */
enum { SMALL_BLOCK = 64 << 10, LARGE_BLOCK = 256 << 10 };
#define LARGE_NS 100e3 /* most time to generate a large block */
static_assert(FORMAT_UNKNOWN == TRANSPORT_LEN_UNKNOWN, "one number for both");
enum { TEXT_BYTES = 8 /* of a number in text, at least */, MIXED_OPERATIONS_A_BYTE = 4 };

struct stream {
    struct exchange_loop *state;
    struct connection *connection;
    struct exchange *ex; /* lives as long as the response is sent */
    struct encoder *encoder;
    struct pe_plan *plan;       /* NULL: the encoder has several of its own */
    struct stream_chunk *chunk; /* owns encoder and plan; NULL: the loop makes the blocks */
    char *prefix;               /* first bytes, generated before the stream began */
    size_t prefix_len, prefix_at;
    uint64_t full_size; /* length of the whole answer; FORMAT_UNKNOWN: text */
    uint64_t size;      /* bytes of it to send */
    uint64_t sent, ns;
    uint64_t fill_ns;                   /* of the encoder that the span has */
    size_t block;                       /* most bytes generated in one go */
    double operations;                  /* that they take; 0 if the pool makes them */
    size_t encoding;                    /* index in the registry, if there is a plan */
    size_t overflow_len, overflow_at;   /* of `overflow` */
    char overflow[FORMAT_MIN_CAPACITY]; /* bytes that did not fit libmicrohttpd's buffer */
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t take_prefix(struct stream *stream, char *out, size_t capacity)
{
    size_t len = least(capacity, stream->prefix_len - stream->prefix_at);

    memcpy(out, stream->prefix + stream->prefix_at, len);
    stream->prefix_at += len;
    if (stream->prefix_at == stream->prefix_len) {
        free(stream->prefix);
        stream->prefix = NULL;
    }
    return len;
}

static size_t take_overflow(struct stream *stream, char *out, size_t capacity)
{
    size_t len = least(capacity, stream->overflow_len - stream->overflow_at);

    memcpy(out, stream->overflow + stream->overflow_at, len);
    stream->overflow_at += len;
    return len;
}

/* Generates up to `capacity` bytes; 0 only at the end. */
static size_t generate(struct stream *stream, char *out, size_t capacity)
{
    if (stream->prefix)
        return take_prefix(stream, out, capacity);
    if (stream->overflow_at < stream->overflow_len)
        return take_overflow(stream, out, capacity);
    if (capacity >= FORMAT_MIN_CAPACITY)
        return encoder_read(stream->encoder, out, capacity);
    stream->overflow_at = 0;
    stream->overflow_len =
        encoder_read(stream->encoder, stream->overflow, sizeof stream->overflow);
    return take_overflow(stream, out, capacity);
}

static size_t read_blocks(struct stream *stream, char *out, size_t capacity)
{
    uint64_t start = uv_hrtime();
    size_t block = exchange_loop_is_busy(stream->state) ? SMALL_BLOCK : stream->block;
    size_t got = 0, wanted = least(capacity, block);

    while (got < wanted) {
        size_t len = generate(stream, out + got, wanted - got);

        got += len;
        if (len == 0)
            break;
    }
    stream->ns += uv_hrtime() - start;
    return got;
}

/* Takes up to `capacity` bytes of the chunk; 0 at the end, or while the pool makes the next
 * chunk and the connection is suspended. */
static size_t take_chunk(struct stream *stream, char *out, size_t capacity)
{
    size_t got = stream->prefix ? take_prefix(stream, out, capacity)
                                : stream_chunk_take(stream->chunk, out, capacity);

    if (got == 0 && stream_chunk_more(stream->chunk, stream->ex))
        got = stream_chunk_take(stream->chunk, out, capacity);
    return got;
}

/* An answer ends with an error where it is short of its known length (our bug), where a chunk
 * is being made, or where the encoder has failed: the client must not take it as complete. */
static ssize_t end(const struct stream *stream)
{
    if (stream->size != FORMAT_UNKNOWN || (stream->chunk && stream_chunk_busy(stream->chunk)) ||
        encoder_failed(stream->encoder))
        return TRANSPORT_CUT;
    return TRANSPORT_END;
}

static ssize_t read_answer(struct stream *stream, char *out, size_t capacity)
{
    const bool asked_again = stream->chunk && stream_chunk_busy(stream->chunk);
    size_t got;

    if (!stream->chunk && !exchange_may_work(stream->ex, stream->operations)) {
        wait_turn(stream->ex);
        return 0;
    }
    got =
        stream->chunk ? take_chunk(stream, out, capacity) : read_blocks(stream, out, capacity);
    if (got == 0 && stream->chunk && stream_chunk_busy(stream->chunk) && !asked_again)
        return 0; /* the connection is suspended */
    stream->sent += got;
    connection_progress(stream->connection, stream->sent);
    stream->ex->response.bytes = stream->sent;
    return got == 0 ? end(stream) : (ssize_t)got;
}

/* What was sent meanwhile was made in so many ns first. */
static void tell_span(struct stream *stream, uint64_t ns)
{
    const uint64_t all = encoder_fill_ns(stream->encoder), fill = all - stream->fill_ns;

    stream->fill_ns = all;
    span_move(&stream->ex->span, SPAN_SEND, SPAN_COMPUTE, fill);
    span_move(&stream->ex->span, SPAN_SEND, SPAN_ENCODE, ns > fill ? ns - fill : 0);
}

static ssize_t on_read(void *cls, uint64_t pos, char *out, size_t capacity)
{
    struct stream *stream = cls;
    struct exchange *ex = stream->ex;
    const uint64_t start = ex->client.client || ex->span.begun ? uv_hrtime() : 0;
    const ssize_t got = read_answer(stream, out, capacity);

    if (ex->client.client)
        auth_charge_work(ex, uv_hrtime() - start);
    if (ex->span.begun && !stream->chunk)
        tell_span(stream, uv_hrtime() - start);
    return got;
}

/* The elements of the bytes to send: all of the plan, or for a part the share of its bytes. */
static uint64_t elements(const struct stream *stream)
{
    uint64_t all = pe_plan_elements(stream->plan);

    return stream->size == stream->full_size
               ? all
               : (uint64_t)((double)all * ((double)stream->size / (double)stream->full_size));
}

static void on_free(void *cls)
{
    struct stream *stream = cls;

    if (stream->chunk)
        stream->ns += stream_chunk_ns(stream->chunk);
    if (stream->sent > 0 && stream->plan)
        metrics_compute(loop_metrics(stream->state->loop), stream->encoding, stream->ns,
                        elements(stream));
    if (stream->chunk) {
        stream_chunk_free(stream->chunk);
    } else {
        encoder_free(stream->encoder);
        pe_plan_free(stream->plan);
    }
    free(stream->prefix);
    free(stream);
}

/* The operations that a byte of the answer takes, as far as they are known. */
static double operations_a_byte(const struct exchange *ex)
{
    const uint64_t size = encoder_size(ex->work.encoder);

    if (!ex->work.plan)
        return MIXED_OPERATIONS_A_BYTE;
    return compute_cost_ns(ex->work.plan, request_options(ex->request)) /
           (double)(1 + (size != FORMAT_UNKNOWN
                             ? size
                             : TEXT_BYTES * pe_plan_elements(ex->work.plan)));
}

/* The size of a block for `len` bytes of the answer. */
static size_t block_for(const struct exchange *ex, uint64_t len)
{
    const struct service *service = exchange_service(ex);

    if (len == FORMAT_UNKNOWN || len < EXCHANGE_CACHEABLE ||
        inflight_used(service) + LARGE_BLOCK > service->config.max_inflight / 2)
        return SMALL_BLOCK;
    return operations_a_byte(ex) * LARGE_BLOCK <= LARGE_NS ? LARGE_BLOCK : SMALL_BLOCK;
}

static struct stream *stream_new(struct exchange *ex, size_t block)
{
    struct stream *stream = calloc(1, sizeof *stream);

    if (!stream)
        return NULL;
    stream->state = ex->state;
    stream->connection = ex->connection;
    stream->ex = ex;
    stream->encoder = ex->work.encoder;
    stream->plan = ex->work.plan;
    stream->prefix = ex->work.prefix;
    stream->prefix_len = ex->work.prefix_len;
    stream->block = block;
    stream->operations = operations_a_byte(ex) * (double)block;
    stream->full_size = encoder_size(ex->work.encoder);
    stream->size = stream->full_size;
    if (ex->span.begun)
        encoder_set_clock(stream->encoder, uv_hrtime);
    stream->fill_ns = encoder_fill_ns(stream->encoder);
    stream->encoding = ex->work.plan ? pe_index(request_encoding(ex->request)) : 0;
    ex->work.encoder = NULL;
    ex->work.plan = NULL;
    ex->work.prefix = NULL;
    return stream;
}

/* Returns the memory of a stream: a block, the encoder's own block, and a chunk. */
static size_t size_of(size_t block, bool expensive)
{
    return block + SMALL_BLOCK + (expensive ? STREAM_CHUNK_BYTES : 0);
}

static void write_head(struct exchange *ex, const struct response_meta *meta,
                       const struct range *part, struct header_block *head)
{
    char *lines =
        response_lines(&exchange_service(ex)->config, ex->work.encoder, meta->in_parts);

    header_block_init(head);
    header_block_add_lines(head, lines);
    free(lines);
    response_write_meta(head, meta);
    response_write_timing(head, "stream", 0);
    if (part)
        response_write_range(head, part);
}

/* Queues the response of ex->work.encoder, or a part of it. expensive: the pool makes the
 * blocks. The answer to HEAD has no bytes to make: the plans are freed, and their memory is
 * given back, before the client reads the head. */
static enum next queue(struct exchange *ex, const struct response_meta *meta, size_t block,
                       bool expensive, const struct range *part)
{
    const uint64_t size = encoder_size(ex->work.encoder);
    struct reservation reservation;
    struct header_block head;
    struct stream *stream;

    write_head(ex, meta, part, &head);
    load_shedding_beside(ex->connection);
    ex->state->requests--; /* streams do not wait for each other */
    metrics_cache(loop_metrics(ex->state->loop), METRICS_STREAMED);
    if (exchange_head(ex)->method == METHOD_HEAD) {
        exchange_release(ex);
        return response_queue(ex, 200, response_of_none(size), &head);
    }
    stream = stream_new(ex, block);
    if (!stream)
        return response_emergency(ex);
    if (part) {
        encoder_seek(stream->encoder, part->first);
        stream->size = part->len;
    }
    if (expensive) /* without memory for a chunk, the loop makes the blocks */
        stream->chunk = stream_chunk_new(ex, stream->encoder, stream->plan);
    reservation = response_take_reserved(ex, size_of(block, expensive));
    return response_queue(ex, part ? 206 : 200,
                          response_of_pull(ex,
                                           (struct transport_body){.len = stream->size,
                                                                   .block = block,
                                                                   .pull = on_read,
                                                                   .release = on_free,
                                                                   .owner = stream},
                                           &reservation),
                          &head);
}

enum next stream_answer(struct exchange *ex)
{
    if (short_answer_suits(ex))
        return short_answer(ex);

    struct response_meta meta = response_meta_of(ex);
    struct range range;
    enum range_kind kind = response_range(ex, &meta, encoder_size(ex->work.encoder), &range);
    bool expensive;
    size_t block;

    if (kind == RANGE_OUTSIDE)
        return MORE;
    block = block_for(ex, range.len);
    expensive = stream_chunk_needed(ex->work.plan) && exchange_head(ex)->method != METHOD_HEAD;
    if (!exchange_reserve(ex, size_of(block, expensive)))
        return MORE;
    return queue(ex, &meta, block, expensive, kind == RANGE_PART ? &range : NULL);
}

enum next stream_encoder(struct exchange *ex, const struct response_meta *meta)
{
    struct range range;
    enum range_kind kind = response_range(ex, meta, encoder_size(ex->work.encoder), &range);
    bool get = exchange_head(ex)->method != METHOD_HEAD;

    assert(!ex->work.plan && !ex->request);
    if (kind == RANGE_OUTSIDE || !exchange_reserve(ex, size_of(SMALL_BLOCK, get)))
        return MORE;
    return queue(ex, meta, SMALL_BLOCK, get, kind == RANGE_PART ? &range : NULL);
}
