/* SPDX-License-Identifier: Apache-2.0
 * stream.c - libmicrohttpd pulls, the encoder fills; see stream.h. A wake-up of the connection
 * generates one or two blocks, so that a long answer does not hold up other connections of its
 * loop; where even one block would, the pool makes it (stream_chunk.h). */
#include "server/exchange/stream.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "server/exchange/compute.h"
#include "server/exchange/load_shedding.h"
#include "server/exchange/response.h"
#include "server/exchange/stream_chunk.h"

/* Bytes generated in one go. On loopback 256 KiB cost a third less CPU time a byte than 64 KiB:
 * fewer calls, and the client is woken less often. Large blocks are for answers that are made
 * quickly, while memory is plenty and no other request of the loop would wait for them. */
enum { SMALL_BLOCK = 64 << 10, LARGE_BLOCK = 256 << 10 };
#define LARGE_NS 100e3 /* most time to generate a large block */

struct stream {
    struct exchange_loop *state;
    struct connection *connection;
    struct exchange *ex; /* lives as long as the response is sent */
    struct encoder *encoder;
    struct pe_plan *plan;
    struct stream_chunk *piece; /* owns encoder and plan; NULL: the loop makes the blocks */
    char *prefix;               /* first bytes, generated before the stream began */
    size_t prefix_len, prefix_at;
    uint64_t whole; /* length of the whole answer; FORMAT_UNKNOWN: text */
    uint64_t size;  /* bytes of it to send */
    uint64_t sent, ns;
    size_t block;                    /* most bytes generated in one go */
    size_t encoding;                 /* index in the registry */
    size_t carry_len, carry_at;      /* of `carry` */
    char carry[FORMAT_MIN_CAPACITY]; /* bytes that did not fit libmicrohttpd's buffer */
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t take_prefix(struct stream *stream, char *out, size_t room)
{
    size_t len = least(room, stream->prefix_len - stream->prefix_at);

    memcpy(out, stream->prefix + stream->prefix_at, len);
    stream->prefix_at += len;
    if (stream->prefix_at == stream->prefix_len) {
        free(stream->prefix);
        stream->prefix = NULL;
    }
    return len;
}

static size_t take_carry(struct stream *stream, char *out, size_t room)
{
    size_t len = least(room, stream->carry_len - stream->carry_at);

    memcpy(out, stream->carry + stream->carry_at, len);
    stream->carry_at += len;
    return len;
}

/* Generates up to `room` bytes; 0 only at the end. */
static size_t generate(struct stream *stream, char *out, size_t room)
{
    if (stream->prefix)
        return take_prefix(stream, out, room);
    if (stream->carry_at < stream->carry_len)
        return take_carry(stream, out, room);
    if (room >= FORMAT_MIN_CAPACITY)
        return encoder_read(stream->encoder, out, room);
    stream->carry_at = 0;
    stream->carry_len = encoder_read(stream->encoder, stream->carry, sizeof stream->carry);
    return take_carry(stream, out, room);
}

static size_t read_blocks(struct stream *stream, char *out, size_t room)
{
    uint64_t start = uv_hrtime();
    size_t block = exchange_loop_asked(stream->state) ? SMALL_BLOCK : stream->block;
    size_t got = 0, wanted = least(room, block);

    while (got < wanted) {
        size_t len = generate(stream, out + got, wanted - got);

        got += len;
        if (len == 0)
            break;
    }
    stream->ns += uv_hrtime() - start;
    return got;
}

/* Takes up to `room` bytes of the chunk; 0 at the end, or while the pool makes the next chunk
 * and the connection is suspended. */
static size_t take_piece(struct stream *stream, char *out, size_t room)
{
    size_t got = stream->prefix ? take_prefix(stream, out, room)
                                : stream_chunk_take(stream->piece, out, room);

    if (got == 0 && stream_chunk_more(stream->piece))
        got = stream_chunk_take(stream->piece, out, room);
    return got;
}

/* An answer that ends short of its known length (our bug), or while a chunk is being made, ends
 * with an error: the client must not take it as complete. */
static ssize_t end(const struct stream *stream)
{
    if (stream->size != FORMAT_UNKNOWN || (stream->piece && stream_chunk_busy(stream->piece)))
        return MHD_CONTENT_READER_END_WITH_ERROR;
    return MHD_CONTENT_READER_END_OF_STREAM;
}

static ssize_t on_read(void *cls, uint64_t pos, char *out, size_t room)
{
    struct stream *stream = cls;
    const bool asked_again = stream->piece && stream_chunk_busy(stream->piece);
    size_t got = stream->piece ? take_piece(stream, out, room) : read_blocks(stream, out, room);

    if (got == 0 && stream->piece && stream_chunk_busy(stream->piece) && !asked_again)
        return 0; /* the connection is suspended */
    stream->sent += got;
    connection_progress(stream->connection, stream->sent);
    stream->ex->response.bytes = stream->sent;
    return got == 0 ? end(stream) : (ssize_t)got;
}

/* The elements of the bytes to send: all of the plan, or for a part the share of its bytes. */
static uint64_t elements(const struct stream *stream)
{
    uint64_t all = pe_plan_elements(stream->plan);

    return stream->size == stream->whole
               ? all
               : (uint64_t)((double)all * ((double)stream->size / (double)stream->whole));
}

static void on_free(void *cls)
{
    struct stream *stream = cls;

    if (stream->piece)
        stream->ns += stream_chunk_ns(stream->piece);
    if (stream->sent > 0)
        metrics_compute(loop_metrics(stream->state->loop), stream->encoding, stream->ns,
                        elements(stream));
    if (stream->piece) {
        stream_chunk_free(stream->piece);
    } else {
        encoder_free(stream->encoder);
        pe_plan_free(stream->plan);
    }
    free(stream->prefix);
    free(stream);
}

/* The size of a block for `len` bytes of the answer. */
static size_t block_for(const struct exchange *ex, uint64_t len)
{
    const struct service *service = exchange_service(ex);
    uint64_t held = atomic_load_explicit(&service->inflight_bytes, memory_order_relaxed);
    double ns;

    if (len == FORMAT_UNKNOWN || len < EXCHANGE_CACHEABLE ||
        held + LARGE_BLOCK > service->config.max_inflight / 2)
        return SMALL_BLOCK;
    ns = compute_cost_ns(ex->work.plan, request_options(ex->request)->format) /
         (double)encoder_size(ex->work.encoder);
    return ns * LARGE_BLOCK <= LARGE_NS ? LARGE_BLOCK : SMALL_BLOCK;
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
    stream->whole = encoder_size(ex->work.encoder);
    stream->size = stream->whole;
    while (pe_at(stream->encoding) != request_encoding(ex->request))
        stream->encoding++;
    ex->work.encoder = NULL;
    ex->work.plan = NULL;
    ex->work.prefix = NULL;
    return stream;
}

static bool add_headers(struct exchange *ex, struct MHD_Response *response,
                        const struct encoder *encoder, const struct response_meta *terms)
{
    char *lines = response_lines(&exchange_service(ex)->config, ex->request, encoder);
    bool ok = lines && response_add_lines(response, lines) &&
              response_add_terms(response, terms) && response_add_timing(response, "stream", 0);

    free(lines);
    return ok;
}

enum next stream_answer(struct exchange *ex)
{
    struct response_meta terms = response_terms(ex);
    struct MHD_Response *response;
    struct stream *stream;
    struct range range;
    enum range_kind kind = response_range(ex, &terms, encoder_size(ex->work.encoder), &range);
    bool dear;
    size_t block, held;

    if (kind == RANGE_OUTSIDE)
        return MORE;
    block = block_for(ex, range.len);
    dear = stream_chunk_needed(ex->work.plan) && exchange_head(ex)->method != METHOD_HEAD;
    held = block + SMALL_BLOCK +
           (dear ? STREAM_CHUNK_BYTES : 0); /* the encoder has a block of its own */
    if (!exchange_reserve(ex, held))
        return MORE;
    inflight_begin_send(exchange_service(ex), held);
    ex->response.sending = held;
    load_shedding_beside(ex->connection);
    stream = stream_new(ex, block);
    if (!stream)
        return response_emergency(ex);
    if (kind == RANGE_PART) {
        encoder_seek(stream->encoder, range.first);
        stream->size = range.len;
    }
    response = MHD_create_response_from_callback(
        stream->size == FORMAT_UNKNOWN ? MHD_SIZE_UNKNOWN : stream->size, block, on_read,
        stream, on_free);
    if (!response) {
        on_free(stream);
        return response_emergency(ex);
    }
    /* libmicrohttpd 0.9.75 ends a chunked response to HEAD with a last chunk, which HEAD must
     * not have: without chunks there is no last chunk, and the connection closes. */
    if (exchange_head(ex)->method == METHOD_HEAD && stream->size == FORMAT_UNKNOWN)
        MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
    if (!add_headers(ex, response, stream->encoder, &terms) ||
        (kind == RANGE_PART && !response_add_range(response, &range))) {
        MHD_destroy_response(response); /* frees the stream */
        return response_emergency(ex);
    }
    if (dear) /* without memory for a chunk, the loop makes the blocks */
        stream->piece = stream_chunk_new(ex, stream->encoder, stream->plan);
    ex->state->requests--; /* streams do not wait for each other */
    metrics_cache(loop_metrics(ex->state->loop), METRICS_STREAMED);
    return response_queue(ex, kind == RANGE_PART ? 206 : 200, response, 0);
}
