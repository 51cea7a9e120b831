/* SPDX-License-Identifier: Apache-2.0
 * stream_chunk.c - see stream_chunk.h. A chunk owns all data that the pool works on, so that
 * the connection and its exchange may end meanwhile. */
#include "server/exchange/stream_chunk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "server/exchange/compute.h"
#include "server/sys/thread_pool.h"

#define HELD_NS 2e6   /* longest time that one block may take on the loop's thread */
#define WORTH_NS 10e6 /* longest work of a task on the pool; it is worth a suspension */

struct stream_chunk {
    struct thread_pool_task task; /* first: a task is cast to its chunk */
    struct thread_pool *pool;
    struct connection *connection; /* NULL: the response is over */
    struct request *request;
    struct encoder *encoder;
    struct pe_plan *plan;
    bool busy, ended;
    uint64_t ns;
    size_t step; /* bytes that are read in one go: WORTH_NS at most, as estimated */
    size_t len, at;
    char bytes[STREAM_CHUNK_BYTES];
};

bool stream_chunk_needed(const struct pe_plan *plan)
{
    uint64_t elements = STREAM_CHUNK_BYTES / compute_element_size(plan),
             all = pe_plan_elements(plan);

    return pe_plan_cost_ns(plan, elements < all ? elements : all) > HELD_NS;
}

struct stream_chunk *stream_chunk_new(struct exchange *ex, struct encoder *encoder,
                                      struct pe_plan *plan)
{
    struct stream_chunk *piece = malloc(sizeof *piece);

    if (!piece)
        return NULL;
    memset(piece, 0, offsetof(struct stream_chunk, bytes));
    piece->pool = ex->state->pool;
    piece->connection = ex->connection;
    piece->request = ex->request;
    piece->encoder = encoder;
    piece->plan = plan;
    piece->step = compute_step(plan, WORTH_NS);
    ex->request = NULL;
    return piece;
}

/* Generates, on any thread, as many bytes as fit, or as WORTH_NS allows. */
static void make(struct stream_chunk *piece)
{
    const uint64_t start = uv_hrtime();
    uint64_t spent = 0;

    piece->len = piece->at = 0;
    while (!piece->ended && spent < (uint64_t)WORTH_NS &&
           sizeof piece->bytes - piece->len >= FORMAT_MIN_CAPACITY) {
        size_t room = sizeof piece->bytes - piece->len;
        size_t got = encoder_read(piece->encoder, piece->bytes + piece->len,
                                  room < piece->step ? room : piece->step);

        piece->len += got;
        piece->ended = got == 0;
        spent = uv_hrtime() - start;
    }
    piece->ns += spent;
}

/* ---- on the pool --------------------------------------------------------------------- */

static void on_run(struct thread_pool_task *task)
{
    make((struct stream_chunk *)(void *)task);
}

static void on_done(struct thread_pool_task *task)
{
    struct stream_chunk *piece = (struct stream_chunk *)(void *)task;

    piece->busy = false;
    if (piece->connection)
        connection_unpause(piece->connection);
    else
        stream_chunk_free(piece);
}

bool stream_chunk_more(struct stream_chunk *piece)
{
    if (piece->busy || piece->ended)
        return false;
    piece->task.run = on_run;
    piece->task.done = on_done;
    if (thread_pool_add(piece->pool, &piece->task)) {
        piece->busy = true;
        connection_pause(piece->connection);
    } else {
        make(piece);
    }
    return piece->busy || piece->len > 0;
}

size_t stream_chunk_take(struct stream_chunk *piece, char *out, size_t room)
{
    size_t left, len;

    if (piece->busy) /* the pool owns all other fields */
        return 0;
    left = piece->len - piece->at;
    len = left < room ? left : room;
    memcpy(out, piece->bytes + piece->at, len);
    piece->at += len;
    return len;
}

bool stream_chunk_busy(const struct stream_chunk *piece)
{
    return piece->busy;
}

uint64_t stream_chunk_ns(const struct stream_chunk *piece)
{
    return piece->busy ? 0 : piece->ns;
}

void stream_chunk_free(struct stream_chunk *piece)
{
    if (!piece)
        return;
    piece->connection = NULL;
    if (piece->busy) /* on_done frees it */
        return;
    encoder_free(piece->encoder);
    pe_plan_free(piece->plan);
    request_free(piece->request);
    free(piece);
}
