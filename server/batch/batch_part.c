/* SPDX-License-Identifier: Apache-2.0
 * batch_part.c - one request of a batch: it runs the steps of a request of its own, and what it
 * would have answered, an entry of the cache, a stream or a problem, is added to the answer. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "proto/http/sentences.h"
#include "server/batch/batch_state.h"
#include "server/compute/compute.h"
#include "server/exchange/auth.h"
#include "server/net/peers.h"

enum {
    BYTES_PART = 4,           /* the answers have at most this part of --max-inflight */
    PROBLEM_BYTES = 16 << 10, /* for the text of a problem */
    SLACK = 64 << 10,         /* for what the answer has besides */
    INLINE_BYTES = 1 << 20,   /* more are added on the pool */
    SHORT_ANSWER = 512 << 10, /* bytes of an answer that takes no more than it has */
};
#define INLINE_NS 1e6 /* a computation that costs more goes to the pool */

static exchange_step step_added;

uint64_t batch_most_bytes(const struct config *config)
{
    return config->max_inflight / BYTES_PART;
}

/* ---- limits of all parts ---------------------------------------------------------------- */

static enum next fail_limit(struct exchange *ex, const char *what, uint64_t limit,
                            uint64_t requested)
{
    struct pe_errors *errors = ex->problem.errors;

    pe_errors_clear(errors);
    pe_fail(errors, PE_TOO_LARGE, NULL,
            "the answers to a batch have at most %" PRIu64
            " %s together, and with this one they "
            "would have %" PRIu64 "; ask for it by itself, or in another batch",
            limit, what, requested);
    errors->at[0].limit = limit;
    errors->at[0].requested = requested;
    return exchange_fail_status(ex, PE_TOO_LARGE);
}

static uint64_t most_elements(const struct batch *batch)
{
    const struct config *config = &batch->service->config;
    const bool text = !batch->format->binary;

    return text && config->max_text_elements < config->max_elements ? config->max_text_elements
                                                                    : config->max_elements;
}

static bool admits(struct exchange *ex, uint64_t elements)
{
    const struct batch *batch = ex->parts.batch;
    const uint64_t most = most_elements(batch);

    if (elements <= most && batch->elements <= most - elements)
        return true;
    fail_limit(ex, "elements", most, batch->elements + elements);
    return false;
}

/* Takes bytes of the share; those of a whole answer (`whole`) are lent by other answers of the
 * peer, if there are any, before anybody else gives bytes back. */
static bool take_share(struct exchange *ex, uint64_t bytes, bool whole)
{
    const struct peer *peer = auth_peer(ex);

    if (!whole || atomic_load_explicit(&peer->answer, memory_order_relaxed) <= ex->share.bytes)
        return exchange_share(ex, bytes);
    return exchange_try_share(ex, bytes) || exchange_lacks(ex, bytes, METRICS_REJECT_PEER);
}

static bool try_bytes(struct exchange *ex, uint64_t bytes, bool whole)
{
    struct batch *batch = ex->parts.batch;

    if (!take_share(ex, bytes, whole))
        return false;
    if (!inflight_reserve(batch->service, bytes)) {
        answer_share_set(&ex->share, ex->share.bytes - bytes);
        return exchange_lacks(ex, bytes, METRICS_REJECT_MEMORY);
    }
    batch->reserved += bytes;
    return true;
}

static bool take_bytes(struct exchange *ex, uint64_t bytes, bool whole)
{
    const bool taken = try_bytes(ex, bytes, whole);

    ex->problem.lack.of_batch = !taken;
    return taken;
}

/* Returns the bytes of the whole answer, of which the next part has `len`: the parts after it
 * are taken for as long as those before it. */
static uint64_t expected_bytes(const struct batch *batch, uint64_t len)
{
    const uint64_t before = batch_answer_len(&batch->answer),
                   each = batch->next > 0 ? before / batch->next : len;

    return before + len + each * (batch->body.count - batch->next - 1);
}

/* Returns the bytes of memory that the whole answer needs, as far as is known. */
static uint64_t whole_bytes(const struct batch *batch, uint64_t len)
{
    const uint64_t most = batch_most_bytes(&batch->service->config),
                   expected = expected_bytes(batch, len),
                   bytes = 2 * (expected < most ? expected : most) + SLACK,
                   wanted = batch->wanted < 2 * most + SLACK ? batch->wanted : 2 * most + SLACK;

    return bytes > wanted ? bytes : wanted;
}

/* Takes memory for an answer that grows by `len` bytes, and by doubling. An answer that is no
 * longer short, or had to begin again, takes what the whole of it will need, or waits until it
 * can. False: the problem's step is next. */
static bool admits_bytes(struct exchange *ex, uint64_t len)
{
    struct batch *batch = ex->parts.batch;
    const uint64_t all = batch_answer_len(&batch->answer) + len;
    const uint64_t most = batch_most_bytes(&batch->service->config), held = 2 * all + SLACK;

    if (all > most) {
        fail_limit(ex, "bytes", most, all);
        return false;
    }
    if (held <= batch->reserved)
        return true;
    if (held <= SHORT_ANSWER && batch->wanted == 0)
        return take_bytes(ex, held - batch->reserved, false);
    if (!take_bytes(ex, whole_bytes(batch, len) - batch->reserved, true))
        return false;
    if (!ex->connection->place.holds) /* it may need more than was expected */
        answer_queue_leave(&ex->state->answers, ex->connection);
    return true;
}

/* ---- the end of a part ------------------------------------------------------------------ */

/* Frees what the steps of the part have made, and ends it. */
static void forget(struct exchange *ex)
{
    cache_entry_unref(ex->work.entry);
    exchange_release(ex);
    answer_share_set(&ex->share, ex->parts.batch->reserved);
    request_free(ex->request);
    free(ex->work.prefix);
    exchange_forget_errors(ex);
    ex->work = (struct exchange_work){.cache_result = ex->work.cache_result};
    ex->request = NULL;
    ex->problem =
        (struct exchange_problem){.kind = PROBLEM_COUNT, .errors = &ex->state->errors};
}

static enum next go_on(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;

    batch->compute_ms += ex->work.compute_ms;
    batch->missed |= ex->work.cache_result && strcmp(ex->work.cache_result, "hit") != 0;
    forget(ex);
    batch->next++;
    ex->step = batch_step_next;
    return MORE;
}

enum next batch_fail(struct exchange *ex, enum problem_kind kind, const char *detail)
{
    forget(ex);
    return exchange_fail(ex, kind, "%s", detail);
}

/* The part lacks bytes, and so would those that follow: it begins again when answers have given
 * some back, or the batch ends. */
static enum next lack_bytes(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;
    const struct exchange_lack lack = ex->problem.lack;

    batch->compute_ms += ex->work.compute_ms;
    batch->missed |= ex->work.cache_result && strcmp(ex->work.cache_result, "hit") != 0;
    forget(ex);
    if (batch_may_wait_bytes(ex))
        return batch_wait_bytes(ex, &lack);
    access_log_reject(ex, lack.reason);
    return exchange_fail(ex, PROBLEM_OVERLOADED, "%s", lack.detail);
}

static enum next add_problem(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;
    const struct exchange_problem *failed = &ex->problem;
    char place[BATCH_PLACE_SIZE];
    const struct problem problem = {.kind = failed->kind,
                                    .detail = failed->detail[0] ? failed->detail : NULL,
                                    .base = batch->base,
                                    .at = place,
                                    .errors = failed->with_errors ? failed->errors : NULL};
    const uint64_t held = 2 * (batch_answer_len(&batch->answer) + PROBLEM_BYTES) + SLACK;

    if (failed->lack.detail)
        return lack_bytes(ex);
    batch_body_print_place(batch->next, place);
    if (held > batch->reserved && !take_bytes(ex, held - batch->reserved, false))
        return lack_bytes(ex);
    batch_answer_add_problem(&batch->answer, batch->body.items[batch->next].id, &problem);
    return go_on(ex);
}

/* ---- an entry of the cache -------------------------------------------------------------- */

static enum next add_entry(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;
    const struct cache_answer *answer = cache_entry_answer(ex->work.entry);

    if (!admits(ex, answer->elements) || !admits_bytes(ex, answer->len))
        return MORE;
    batch->elements += answer->elements;
    batch_answer_add(&batch->answer, batch->body.items[batch->next].id, answer->bytes,
                     answer->len);
    return step_added(ex);
}

/* ---- an answer that is no entry --------------------------------------------------------- */

static void forget_whole(struct batch *batch)
{
    struct batch_whole *whole = &batch->whole;

    encoder_free(whole->encoder);
    pe_plan_free(whole->plan);
    request_free(whole->request);
    inflight_release(batch->service, whole->reserved);
    *whole = (struct batch_whole){.ns = 0};
}

static enum next step_added(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;
    const bool too_long = batch->whole.too_long;
    const uint64_t most = batch_most_bytes(&batch->service->config);

    ex->work.compute_ms += (double)batch->whole.ns / 1e6;
    if (batch->whole.plan && batch->status == PE_OK) {
        metrics_compute(loop_metrics(ex->state->loop),
                        pe_index(request_encoding(batch->whole.request)), batch->whole.ns,
                        pe_plan_elements(batch->whole.plan));
        batch->elements += pe_plan_elements(batch->whole.plan);
    }
    forget_whole(batch);
    if (batch_answer_failed(&batch->answer)) {
        access_log_reject(ex, METRICS_REJECT_MEMORY);
        return batch_fail(ex, PROBLEM_OVERLOADED, SENTENCE_NO_MEMORY);
    }
    if (batch->status == PE_OK)
        return go_on(ex);
    if (too_long)
        return fail_limit(ex, "bytes", most, most + 1);
    return exchange_fail_status(ex, PE_NO_MEMORY);
}

/* Moves the work of the part to batch->whole, with the bytes that the steps have reserved and
 * those that the answer takes until it is added. */
static bool take_whole(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;
    struct batch_whole *whole = &batch->whole;
    const uint64_t most = batch_most_bytes(&batch->service->config),
                   len = batch_answer_len(&batch->answer), left = most > len ? most - len : 0;
    const uint64_t bytes = compute_most_bytes(ex->work.encoder, ex->work.plan, left);

    if (!admits_bytes(ex, bytes) || !exchange_reserve(ex, bytes + bytes / 2))
        return false;
    whole->limit = (size_t)bytes;
    whole->reserved = ex->work.reserved;
    whole->request = ex->request;
    whole->plan = ex->work.plan;
    whole->encoder = ex->work.encoder;
    ex->work.reserved = 0;
    ex->request = NULL;
    ex->work.plan = NULL;
    ex->work.encoder = NULL;
    return true;
}

/* The encoder of text that outgrew the cache is at its middle: another one begins anew. */
static bool rewind_encoder(struct exchange *ex)
{
    if (!ex->work.prefix)
        return true;
    free(ex->work.prefix);
    ex->work.prefix = NULL;
    encoder_free(ex->work.encoder);
    ex->work.encoder = encoder_new(ex->request, ex->work.plan);
    return ex->work.encoder != NULL;
}

static enum next make_whole(struct exchange *ex)
{
    const double ns = compute_cost_ns(ex->work.plan, request_options(ex->request));

    ex->work.cache_result = "miss";
    if (!rewind_encoder(ex))
        return exchange_fail_status(ex, PE_NO_MEMORY);
    if (!admits(ex, pe_plan_elements(ex->work.plan)) || !take_whole(ex))
        return MORE;
    if (ns > INLINE_NS || ex->parts.batch->whole.limit > INLINE_BYTES) {
        if (batch_job_start(ex, batch_work_whole, step_added, ns))
            return WAIT;
        forget_whole(ex->parts.batch);
        return exchange_refuse_work(ex);
    }
    batch_work_whole(ex->parts.batch);
    return step_added(ex);
}

/* The step that takes the place of a response. */
static enum next end_part(struct exchange *ex)
{
    if (ex->problem.kind != PROBLEM_COUNT)
        return add_problem(ex);
    return ex->work.entry ? add_entry(ex) : make_whole(ex);
}

const struct exchange_parts_kind batch_parts = {
    .end = end_part, .admits = admits, .free = batch_free};

/* ---- the start of a part ---------------------------------------------------------------- */

/* Notes a part that has not begun before. */
static void note(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;
    const struct request *request = ex->request;

    if (batch->noted > batch->next)
        return;
    batch->noted = batch->next + 1;
    batch->named |= request_options(request)->named;
    batch->all_pinned &= request_options(request)->rev_pinned;
    batch->has_tensors |= request_has_tensors(request);
    batch_tag_add(batch->tag, batch->body.items[batch->next].id, request);
    if (batch->old_names[0] == '\0')
        memcpy(batch->old_names, request_old_names(request), sizeof batch->old_names);
    if (*request_old_names(request) != '\0')
        metrics_old_names(loop_metrics(ex->state->loop));
}

enum next batch_part_begin(struct exchange *ex)
{
    struct batch *batch = ex->parts.batch;

    ex->work.delivery = DELIVERY_PART;
    ex->parts.started_ns = uv_hrtime();
    ex->work.cache_result = NULL;
    ex->request = batch->whole.request;
    batch->whole.request = NULL;
    if (batch->status != PE_OK) {
        if (batch->status != PE_NO_MEMORY)
            ex->problem.errors = batch->errors;
        return exchange_fail_status(ex, batch->status);
    }
    note(ex);
    if (request_has_tensors(ex->request) && !exchange_reserve(ex, request_held(ex->request)))
        return MORE;
    return exchange_begin_part(ex);
}
