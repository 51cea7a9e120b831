/* SPDX-License-Identifier: Apache-2.0
 * compress.c - see compress.h. Small answers are compressed on the loop's thread, with the
 * loop's own compressor; large answers on the pool. */
#include "server/exchange/compress.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "proto/http/gzip.h"
#include "server/compute/compute.h"
#include "server/exchange/cache_wait.h"

enum {
    INLINE_MAX = 128 << 10, /* bytes that take about a millisecond */
    TEXT_BYTES = 12,        /* bytes of a typical number with its comma */
};
#define WHOLE_NS 200e6 /* most work for an answer that is compressed as a whole */

struct compress {
    struct wait wait; /* first: a wait is cast to its compress */
    struct service *service;
    struct exchange_loop *state;
    struct cache_entry *identity; /* the identity variant */
    struct cache_entry *entry;    /* the gzip variant that is made of it */
    uint64_t reserved;            /* bytes reserved of the in-flight budget */
    char *bytes;                  /* compressed bytes; NULL: out of memory */
    size_t len;
    uint64_t ns;
};

static exchange_step step_compressed;

/* ---- choosing ------------------------------------------------------------------------ */

static void read_codings(struct exchange_loop *state, const char *field)
{
    size_t len = strlen(field);

    state->codings = content_coding_accept(field);
    if (len >= sizeof state->accept_encoding)
        len = 0; /* a longer field is not kept but read each time */
    memcpy(state->accept_encoding, field, len);
    state->accept_encoding[len] = '\0';
}

bool compress_wanted(struct exchange *ex)
{
    const struct head *head = exchange_head(ex);
    const char *field = head->accept_encoding;

    if (!field || !*field) {
        ex->compress.accepted = (struct content_coding_accept){.identity = true};
        return false;
    }
    if (strcmp(field, ex->state->accept_encoding) != 0)
        read_codings(ex->state, field);
    ex->compress.accepted = ex->state->codings;
    return ex->compress.accepted.gzip && (!head->range || !ex->compress.accepted.identity);
}

bool compress_refuses_identity(struct exchange *ex)
{
    if (ex->compress.accepted.identity)
        return false;
    exchange_fail(ex, PROBLEM_NOT_ACCEPTABLE,
                  "this answer is sent as it is; let Accept-Encoding admit identity");
    return true;
}

bool compress_choose(struct exchange *ex)
{
    ex->compress.gzip = compress_wanted(ex) && request_has_gzip(ex->request);
    ex->compress.coding = ex->compress.gzip ? CONTENT_CODING_GZIP : CONTENT_CODING_IDENTITY;
    return ex->compress.gzip || !compress_refuses_identity(ex);
}

/* Fewer bytes are only compressed for a client that does not accept identity. */
static bool is_worth_it(const struct exchange *ex, size_t len)
{
    return len >= CONTENT_CODING_LEAST || !ex->compress.accepted.identity;
}

bool compress_suits_page(struct exchange *ex, size_t len)
{
    return compress_wanted(ex) && is_worth_it(ex, len);
}

/* The gzip variant is wanted, and this entry of the identity variant is there. */
static const struct cache_answer *identity_of(const struct exchange *ex)
{
    return ex->compress.gzip && ex->compress.coding == CONTENT_CODING_IDENTITY && ex->work.entry
               ? cache_entry_answer(ex->work.entry)
               : NULL;
}

bool compress_is_due(const struct exchange *ex)
{
    const struct cache_answer *identity = identity_of(ex);

    return identity && identity->len <= COMPRESS_WHOLE_MOST && is_worth_it(ex, identity->len);
}

bool compress_is_impossible(struct exchange *ex)
{
    const struct cache_answer *identity = identity_of(ex);

    return identity && identity->len > COMPRESS_WHOLE_MOST && compress_refuses_identity(ex);
}

/* ---- answers too long for the cache -------------------------------------------------- */

/* Returns the length of the answer, or a good guess. */
static uint64_t whole_len(const struct exchange *ex)
{
    uint64_t size = ex->work.encoder ? encoder_size(ex->work.encoder) : COMPRESS_WHOLE_MOST;

    return size == FORMAT_UNKNOWN ? TEXT_BYTES * pe_plan_elements(ex->work.plan) : size;
}

uint64_t compress_whole_len(const struct exchange *ex)
{
    bool known = ex->work.encoder && encoder_size(ex->work.encoder) != FORMAT_UNKNOWN;

    return known ? whole_len(ex) : COMPRESS_WHOLE_MOST;
}

uint64_t compress_whole_bytes(const struct exchange *ex)
{
    const uint64_t most = compress_whole_len(ex);

    return most + gzip_bound(most);
}

/* Only numbers that repeat themselves are worth the memory: they shrink to a twentieth or less.
 * While more than half of the budget is in use, the answer is streamed, which takes little. */
bool compress_suits_whole(const struct exchange *ex)
{
    const struct service *service = exchange_service(ex);
    const struct request *request = ex->request;

    return ex->compress.gzip && request && ex->work.encoder && !ex->work.prefix &&
           content_coding_repeats(pe_family_of(request_encoding(request))) &&
           whole_len(ex) <= COMPRESS_WHOLE_MOST && !exchange_must_not_compute(ex) &&
           compute_cost_ns(ex->work.plan, request_options(request)) <= WHOLE_NS &&
           inflight_used(service) + compress_whole_bytes(ex) <=
               service->config.max_inflight / 2;
}

/* ---- compressing: any thread --------------------------------------------------------- */

static void compress_entry(struct compress *job, struct gzip *compressor)
{
    const struct cache_answer *identity = cache_entry_answer(job->identity);
    uint64_t start = uv_hrtime();

    if (!compressor ||
        !gzip_compress(compressor, identity->bytes, identity->len, &job->bytes, &job->len))
        job->bytes = NULL;
    job->ns = uv_hrtime() - start;
}

/* Returns the loop's own compressor. NULL: out of memory. */
static struct gzip *loop_compressor(struct exchange_loop *state)
{
    if (!state->compressor)
        state->compressor = gzip_new();
    return state->compressor;
}

bool compress_page(struct exchange *ex, const char *bytes, size_t len, char **compressed,
                   size_t *compressed_len)
{
    struct gzip *compressor = loop_compressor(ex->state);

    if (!compressor || !gzip_compress(compressor, bytes, len, compressed, compressed_len))
        return false;
    metrics_compressed(loop_metrics(ex->state->loop), len, *compressed_len);
    return true;
}

static void run(struct wait *wait)
{
    struct gzip *compressor = gzip_new();

    compress_entry((struct compress *)(void *)wait, compressor);
    gzip_free(compressor);
}

/* ---- settling: on the loop's thread -------------------------------------------------- */

char *compress_lines(const char *identity)
{
    static const char ranges[] = "Accept-Ranges: ";
    struct buffer lines = {0};
    bool has_ranges = false;
    size_t size, len;

    for (; *identity; identity += len) {
        const bool is_ranges = strncmp(identity, ranges, sizeof ranges - 1) == 0;

        len = strcspn(identity, "\n") + 1;
        has_ranges |= is_ranges;
        if (!is_ranges)
            buffer_add(&lines, identity, len);
    }
    if (has_ranges) /* a document has no such field */
        buffer_add_text(&lines, "Accept-Ranges: none\n");
    buffer_add_text(&lines, "Content-Encoding: gzip\n");
    return buffer_take(&lines, &size);
}

static void finish(struct compress *job)
{
    struct cache *cache = job->service->cache;
    struct cache_answer answer = {.bytes = job->bytes, .len = job->len};
    const struct cache_answer *identity = cache_entry_answer(job->identity);

    if (job->bytes)
        answer.headers = compress_lines(identity->headers);
    memcpy(answer.hash, identity->hash, sizeof answer.hash);
    if (answer.headers) {
        metrics_compressed(loop_metrics(job->state->loop), identity->len, job->len);
        cache_finish(cache, job->entry, &answer);
    } else {
        free(job->bytes);
        cache_fail(job->entry, 0);
    }
    inflight_release(job->service, job->reserved);
}

static void give_back(struct compress *job, struct exchange *ex)
{
    ex->work.entry = job->entry;
    ex->work.compute_ms += (double)job->ns / 1e6;
}

static void settle(struct wait *wait, struct exchange *ex)
{
    struct compress *job = (struct compress *)(void *)wait;

    finish(job);
    if (ex)
        give_back(job, ex);
    else
        cache_entry_unref(job->entry);
    cache_entry_unref(job->identity);
    free(job);
}

/* The gzip variant is made even if nobody waits, for later requests. */
static const struct wait_kind kind = {.run = run, .step = SPAN_ENCODE, .settle = settle};

/* ---- the steps ----------------------------------------------------------------------- */

/* The gzip variant cannot be made now: 503, not 406, if the client refuses identity. */
static void fail_without_gzip(struct exchange *ex)
{
    if (!ex->compress.accepted.identity)
        exchange_fail(ex, PROBLEM_OVERLOADED,
                      "the gzip answer could not be made now; try again");
}

/* ex->compress.identity takes the place of ex->work.entry, which could not be made, or is not
 * in time. */
static enum next step_identity(struct exchange *ex)
{
    cache_entry_unref(ex->work.entry);
    ex->work.entry = ex->compress.identity;
    ex->compress.identity = NULL;
    ex->step = ex->compress.next_step;
    fail_without_gzip(ex);
    return MORE;
}

static enum next step_compressed(struct exchange *ex)
{
    if (!cache_entry_answer(ex->work.entry))
        return step_identity(ex);
    cache_entry_unref(ex->compress.identity);
    ex->compress.identity = NULL;
    ex->compress.coding = CONTENT_CODING_GZIP;
    ex->step = ex->compress.next_step;
    return MORE;
}

/* Starts compressing on the pool. False: the pool is full, or out of memory. */
static bool start(struct exchange *ex, const struct compress *work)
{
    struct compress *job = malloc(sizeof *job);

    if (!job)
        return false;
    *job = *work;
    job->wait.late = step_identity;
    if (!wait_try(ex, &job->wait, &kind,
                  COMPRESS_OPERATIONS_A_BYTE *
                      (double)cache_entry_answer(job->identity)->len)) {
        free(job);
        return false;
    }
    cache_entry_ref(job->identity);
    ex->work.entry = NULL;
    return true;
}

/* Makes the gzip variant for this exchange: at once, or on the pool. */
static enum next make(struct exchange *ex)
{
    size_t len = cache_entry_answer(ex->compress.identity)->len;
    struct compress work = {.wait.task.makes = ex->work.entry,
                            .service = exchange_service(ex),
                            .state = ex->state,
                            .identity = ex->compress.identity,
                            .entry = ex->work.entry};

    if (inflight_reserve(work.service, gzip_bound(len)))
        work.reserved = gzip_bound(len);
    if (work.reserved && len > INLINE_MAX && start(ex, &work))
        return WAIT;
    if (work.reserved && len <= INLINE_MAX)
        compress_entry(&work, loop_compressor(ex->state));
    finish(&work);
    give_back(&work, ex);
    return step_compressed(ex);
}

/* The entry is taken when it is this exchange's turn, as step_acquire of exchange.c does. */
static enum next step_acquire(struct exchange *ex)
{
    const size_t len = cache_entry_answer(ex->work.entry)->len;
    enum cache_result result = CACHE_NO_MEMORY;

    if (len <= INLINE_MAX && !exchange_may_work(ex, COMPRESS_OPERATIONS_A_BYTE * (double)len))
        return YIELD;
    ex->step = step_compressed;
    ex->compress.identity = ex->work.entry;
    ex->work.no_coalescing = false; /* that was about another entry */
    if (!exchange_must_not_compute(ex))
        result = cache_wait_get(ex, CONTENT_CODING_GZIP);
    if (result == CACHE_NO_MEMORY) {
        ex->work.entry = NULL;
        return step_identity(ex);
    }
    if (result == CACHE_WAIT)
        ex->wait->late = step_identity;
    return result == CACHE_WAIT ? WAIT : result == CACHE_MAKE ? make(ex) : MORE;
}

enum next compress_begin(struct exchange *ex)
{
    ex->compress.next_step = ex->step;
    ex->step = step_acquire;
    return MORE;
}
