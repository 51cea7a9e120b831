/* SPDX-License-Identifier: Apache-2.0
 * exchange_known.c - answers that need no computing: what this loop has ready-made, and 304 to
 * a client that has the answer already. */
#include "server/exchange/exchange_parts.h"

#include "server/exchange/answer.h"
#include "server/exchange/hot.h"
#include "server/exchange/job.h"
#include "server/exchange/packing.h"
#include "server/http/condition.h"

static bool is_read(const struct exchange *ex)
{
    return (exchange_head(ex)->method & (METHOD_GET | METHOD_HEAD)) != 0;
}

static struct hot_key hot_key(struct exchange *ex)
{
    const struct head *head = exchange_head(ex);

    return (struct hot_key){.target = head->target,
                            .target_len = head->target_len,
                            .accept = head->accept,
                            .packed = packing_wanted(ex)};
}

static unsigned generation(const struct exchange *ex)
{
    return atomic_load_explicit(&exchange_service(ex)->generation, memory_order_acquire);
}

static enum next hot_unchanged(struct exchange *ex, const struct hot_answer *hot)
{
    exchange_count(ex, METRICS_NOT_MODIFIED);
    return answer_is_private(ex) ? answer_not_modified(ex, &hot->terms, hot->len)
                                 : answer_ready(ex, 304, hot->unchanged, 0);
}

enum next exchange_try_hot(struct exchange *ex)
{
    const char *if_none_match = exchange_head(ex)->if_none_match;
    const struct hot_answer *hot = NULL;
    struct hot_key key = hot_key(ex);

    if (is_read(ex))
        hot = hot_find(ex->state->hot, &key, generation(ex));
    if (!hot || !answer_fits(ex, hot->terms.location) ||
        (hot->terms.coding == CODING_PLAIN && !ex->codings.plain))
        return MORE;
    if (condition_check(if_none_match, hot->terms.etag) != CONDITION_NONE) {
        ex->cache_result = "hit";
        return hot_unchanged(ex, hot);
    }
    if (!hot->entry || (if_none_match && hot->terms.coding == CODING_GZIP))
        return MORE; /* the client may have the plain answer */
    ex->cache_result = "hit";
    exchange_count(ex, METRICS_HOT_HIT);
    if (answer_is_private(ex))
        return answer_entry(ex, hot->entry, &hot->terms);
    ex->sent = hot->entry;
    return answer_ready(ex, 200, hot->ok, hot->len);
}

enum next exchange_not_modified(struct exchange *ex)
{
    struct answer_terms terms = answer_terms(ex);

    exchange_count(ex, METRICS_NOT_MODIFIED);
    return answer_not_modified(ex, &terms, answer_known_len(ex));
}

/* A 304 with the 200's length leaves the connection open (answer_unchanged says why one without
 * does not), which is worth a plan where that is quick and a binary format's length follows
 * from it. Without one it is a 304 all the same. */
static void find_length(struct exchange *ex)
{
    if (answer_known_len(ex) != ANSWER_LEN_UNKNOWN || ex->coding == CODING_GZIP ||
        !request_options(ex->request)->format->binary ||
        pe_args_heavy(request_args(ex->request)) || exchange_must_not_compute(ex) ||
        !request_is_cached(ex->request))
        return;
    (void)job_plan(ex, true);
}

const struct hot_answer *exchange_remember(struct exchange *ex)
{
    struct hot_key key = hot_key(ex);
    uint64_t len = answer_known_len(ex);
    struct hot_answer answer = {.entry = packing_is_due(ex) ? NULL : ex->entry,
                                .len = len,
                                .terms = answer_terms(ex)};

    return is_read(ex) && len != ANSWER_LEN_UNKNOWN
               ? hot_add(ex->state->hot, &key, generation(ex), &answer)
               : NULL;
}

/* The tag of the variant that this client would be sent, or else of the plain answer, which it
 * may have as well. "*" is either. */
static enum condition check_tags(struct exchange *ex)
{
    const char *tags = exchange_head(ex)->if_none_match;
    enum condition condition = condition_check(tags, request_etag(ex->request, ex->coding));

    if (condition == CONDITION_MATCH || !ex->packed || !ex->codings.plain)
        return condition;
    condition = condition_check(tags, request_etag(ex->request, CODING_PLAIN));
    ex->coding = condition == CONDITION_NONE ? CODING_GZIP : CODING_PLAIN;
    return condition;
}

/* A tag that the client could only have from us costs no computing. "*" is any answer at all,
 * so first there must be one: step_plan and step_respond look again. */
enum next exchange_try_unchanged(struct exchange *ex)
{
    const struct hot_answer *hot;
    enum condition condition =
        exchange_head(ex)->method == METHOD_POST ? CONDITION_NONE : check_tags(ex);

    if (condition == CONDITION_MATCH) {
        find_length(ex);
        hot = exchange_remember(ex);
        return hot ? hot_unchanged(ex, hot) : exchange_not_modified(ex);
    }
    ex->if_any = condition == CONDITION_ANY;
    return MORE;
}
