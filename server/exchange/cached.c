/* SPDX-License-Identifier: Apache-2.0
 * cached.c - answers without computing: from the response cache of this loop, and with 304 to a
 * client that has the answer already. */
#include "server/exchange/internal.h"

#include "server/exchange/compress.h"
#include "server/exchange/job.h"
#include "server/exchange/response.h"
#include "server/exchange/response_cache.h"
#include "server/http/if_none_match.h"

static bool is_read(const struct exchange *ex)
{
    return (exchange_head(ex)->method & (METHOD_GET | METHOD_HEAD)) != 0;
}

static struct response_cache_key response_cache_key(struct exchange *ex)
{
    const struct head *head = exchange_head(ex);

    return (struct response_cache_key){.target = head->target,
                                       .target_len = head->target_len,
                                       .accept = head->accept,
                                       .gzip = compress_wanted(ex)};
}

static unsigned generation(const struct exchange *ex)
{
    return atomic_load_explicit(&exchange_service(ex)->generation, memory_order_acquire);
}

static enum next ready_not_modified(struct exchange *ex,
                                    const struct response_cache_answer *found)
{
    exchange_count(ex, METRICS_NOT_MODIFIED);
    return response_is_private(ex) ? response_not_modified(ex, &found->meta, found->len)
                                   : response_ready(ex, 304, found->unchanged, 0);
}

enum next cached_try(struct exchange *ex)
{
    const char *if_none_match = exchange_head(ex)->if_none_match;
    const struct response_cache_answer *found = NULL;
    struct response_cache_key key = response_cache_key(ex);

    if (is_read(ex))
        found = response_cache_find(ex->state->response_cache, &key, generation(ex));
    if (!found || !response_fits(ex, found->meta.location) ||
        (found->meta.coding == CONTENT_CODING_IDENTITY && !ex->compress.accepted.identity))
        return MORE;
    if (found->meta.old_names && *found->meta.old_names != '\0')
        metrics_old_names(loop_metrics(ex->state->loop));
    if (if_none_match_check(if_none_match, found->meta.etag) != IF_NONE_MATCH_NONE) {
        ex->work.cache_result = "hit";
        return ready_not_modified(ex, found);
    }
    if (!found->entry || (if_none_match && found->meta.coding == CONTENT_CODING_GZIP))
        return MORE; /* the client may have the identity variant */
    ex->work.cache_result = "hit";
    exchange_count(ex, METRICS_RESPONSE_CACHE_HIT);
    if (response_is_private(ex) || (found->file && !response_takes_files(ex)))
        return response_entry(ex, found->entry, &found->meta, found->ok);
    ex->response.entry = found->entry;
    if (found->file)
        ex->response.kept = cache_entry_ref(found->entry);
    return response_ready(ex, 200, found->ok, found->len);
}

enum next cached_not_modified(struct exchange *ex)
{
    struct response_meta meta = response_meta_of(ex);

    exchange_count(ex, METRICS_NOT_MODIFIED);
    return response_not_modified(ex, &meta, response_known_len(ex));
}

/* A 304 with the length of the 200 leaves the connection open (transport_response.c says why
 * one without a length does not). That is worth a plan if the plan is made quickly and gives
 * the length of a binary format. Without a plan the answer is a 304 all the same. */
static void find_length(struct exchange *ex)
{
    if (response_known_len(ex) != TRANSPORT_LEN_UNKNOWN ||
        ex->compress.coding == CONTENT_CODING_GZIP ||
        !request_options(ex->request)->format->binary ||
        pe_args_heavy(request_args(ex->request)) || exchange_must_not_compute(ex) ||
        !request_is_cached(ex->request))
        return;
    ex->work.delivery = DELIVERY_UNCHANGED;
    (void)job_plan(ex);
}

static const struct response_cache_answer *add(struct exchange *ex,
                                               const struct response_meta *meta, uint64_t len,
                                               unsigned generation)
{
    struct response_cache_key key = response_cache_key(ex);
    const struct response_cache_answer answer = {.len = len,
                                                 .meta = *meta,
                                                 .entry = compress_is_due(ex) ? NULL
                                                                              : ex->work.entry};

    if (!is_read(ex) || len == TRANSPORT_LEN_UNKNOWN)
        return NULL;
    return response_cache_add(ex->state->response_cache, &key, generation, &answer);
}

const struct response_cache_answer *cached_add(struct exchange *ex)
{
    const uint64_t len = response_known_len(ex);
    const struct response_meta meta = response_meta_of(ex);

    return add(ex, &meta, len, generation(ex));
}

void cached_add_document(struct exchange *ex, const struct response_meta *meta,
                         unsigned generation)
{
    (void)add(ex, meta, cache_entry_answer(ex->work.entry)->len, generation);
}

/* Checks If-None-Match against the tag of the variant that this client would be sent, then of
 * the identity variant, which the client may have as well. "*" matches either. */
static enum if_none_match check_tags(struct exchange *ex)
{
    const char *tags = exchange_head(ex)->if_none_match;
    enum if_none_match condition =
        if_none_match_check(tags, request_etag(ex->request, ex->compress.coding));

    if (condition == IF_NONE_MATCH_MATCH || !ex->compress.gzip ||
        !ex->compress.accepted.identity)
        return condition;
    condition = if_none_match_check(tags, request_etag(ex->request, CONTENT_CODING_IDENTITY));
    ex->compress.coding =
        condition == IF_NONE_MATCH_NONE ? CONTENT_CODING_GZIP : CONTENT_CODING_IDENTITY;
    return condition;
}

/* A match needs no computing, since the client can only have the tag from us. But "*" matches
 * any answer, and that must exist first: step_plan and step_respond check it again. */
enum next cached_try_not_modified(struct exchange *ex)
{
    const struct response_cache_answer *found;
    enum if_none_match condition =
        exchange_head(ex)->method == METHOD_POST ? IF_NONE_MATCH_NONE : check_tags(ex);

    if (condition == IF_NONE_MATCH_MATCH) {
        find_length(ex);
        found = cached_add(ex);
        return found ? ready_not_modified(ex, found) : cached_not_modified(ex);
    }
    if (condition == IF_NONE_MATCH_ANY)
        ex->work.delivery = DELIVERY_UNCHANGED;
    return MORE;
}
