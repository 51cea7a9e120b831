/* SPDX-License-Identifier: Apache-2.0
 * answer_share.h - what the answers of one peer may hold of --max-inflight. Nothing that a peer
 * holds is taken from it for another, so it must not take all: an answer begins while those of
 * its peer, with it, hold at most twice as much as is free then (dynamic thresholds, as in
 * buffers of switches: Choudhury and Hahne, 1998). So a peer alone may hold two thirds, two may
 * hold two fifths each, and some bytes are always free for the first answer of one more. An
 * answer that grows, as that of a batch, may go on up to six times what is free, the more of
 * its peer's bytes it has: otherwise many that began together would all end half made. Long
 * answers leave three sixteenths of the budget to short ones, so that a short answer is
 * computed however many long ones are being made or sent. Neither holds for an answer that is
 * the only one: the largest batch needs fourteen sixteenths while it grows. Any thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct peer;
struct service;

enum { ANSWER_SHARE_SHORT = 128 << 10 }; /* bytes; more are of a long answer */

/* Bytes that one exchange holds, counted in its peer, which the exchange refers to. */
struct answer_share {
    struct peer *peer; /* NULL: no bytes were taken yet */
    uint64_t bytes;
};

/* PEER_FULL: the peer holds its share; it may ask again when it has read. SCARCE: there are too
 * few bytes for a long answer, of any peer. */
enum answer_share_result { ANSWER_SHARE_TAKEN, ANSWER_SHARE_PEER_FULL, ANSWER_SHARE_SCARCE };
/* Counts bytes that the caller then reserves (inflight.h), unless the peer may not. */
enum answer_share_result answer_share_take(const struct service *service,
                                           struct answer_share *share, uint64_t bytes);
/* True: a long answer, of any peer, finds too few of so many bytes. */
bool answer_share_is_scarce(const struct service *service, uint64_t bytes);
/* Sets what the exchange holds, without asking. */
void answer_share_set(struct answer_share *share, uint64_t bytes);
