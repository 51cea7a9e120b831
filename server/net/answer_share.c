/* SPDX-License-Identifier: Apache-2.0
 * answer_share.c - see answer_share.h. */
#include "server/net/answer_share.h"

#include "server/net/inflight.h"
#include "server/net/peers.h"
#include "server/shared.h"

enum {
    TIMES_BEGIN = 2, /* a new answer begins while its peer holds so many times what is free */
    TIMES_MORE = 4,  /* and so many times more are for answers that have begun, */
    TIMES_OF_PEER = 16, /* as many as this times what such an answer is of its peer's bytes */
    PARTS = 16,
    LONG_PARTS = 13,  /* of the budget; the rest is for short answers */
    LITTLE_PART = 64, /* a peer that holds less is not looked at more closely */
};

/* Returns the bytes that are free once an answer that has `own` takes `bytes` more; false:
 * there are too few. A long answer beside which nothing but a short one is in use may take
 * all. */
static bool is_free(const struct service *service, uint64_t own, uint64_t bytes, uint64_t *left)
{
    const uint64_t all = service->config.max_inflight, used = inflight_used(service);
    const bool is_long = bytes > ANSWER_SHARE_SHORT;
    const bool has_company = used > own + (own > 0 ? ANSWER_SHARE_SHORT : 0);
    const uint64_t most = is_long && has_company ? all / PARTS * LONG_PARTS : all;

    if (used > most || bytes > most - used)
        return false;
    *left = most - used - bytes;
    return true;
}

/* Returns how many times what is free a peer that has `all` bytes may hold, so that an answer
 * that has `own` of them goes on. */
static double times_free(uint64_t own, uint64_t all)
{
    const double more = TIMES_OF_PEER * (double)own / (double)all;

    return TIMES_BEGIN + (more < TIMES_MORE ? more : TIMES_MORE);
}

static enum answer_share_result judge(const struct service *service,
                                      const struct answer_share *share, uint64_t bytes)
{
    const uint64_t has = atomic_load_explicit(&share->peer->answer, memory_order_relaxed);
    uint64_t left;

    if (bytes <= ANSWER_SHARE_SHORT &&
        has + bytes <= service->config.max_inflight / LITTLE_PART)
        return ANSWER_SHARE_TAKEN;
    if (!is_free(service, share->bytes, bytes, &left))
        return ANSWER_SHARE_SCARCE;
    return has <= share->bytes ||
                   (double)(has + bytes) <= times_free(share->bytes, has) * (double)left
               ? ANSWER_SHARE_TAKEN
               : ANSWER_SHARE_PEER_FULL;
}

bool answer_share_is_scarce(const struct service *service, uint64_t bytes)
{
    uint64_t left;

    return bytes > ANSWER_SHARE_SHORT && !is_free(service, 0, bytes, &left);
}

enum answer_share_result answer_share_take(const struct service *service,
                                           struct answer_share *share, uint64_t bytes)
{
    enum answer_share_result result = judge(service, share, bytes);

    if (result == ANSWER_SHARE_TAKEN)
        answer_share_set(share, share->bytes + bytes);
    return result;
}

void answer_share_set(struct answer_share *share, uint64_t bytes)
{
    if (bytes !=
        share->bytes) /* the difference may be below 0: it wraps around, as the sum does */
        atomic_fetch_add_explicit(&share->peer->answer, bytes - share->bytes,
                                  memory_order_relaxed);
    share->bytes = bytes;
}
