/* SPDX-License-Identifier: Apache-2.0
 * body_budget.h - counts the memory that request bodies hold, in all and by peer, as it is used
 * and never as it is announced. Bodies have a share of --max-inflight, and an eighth of that
 * share is every peer's own. A peer may hold more only while no other peer wants the memory: a
 * peer within its eighth gets memory even where peers beyond theirs have taken it, and these
 * have to give it back. Thread-safe; counting allocates nothing. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct body_budget;
struct peer;
struct service;

/* The budget of which bodies have a share, whose bytes they take and give back; called under
 * the lock of the bodies. */
struct body_budget_source {
    bool (*take)(struct service *service, uint64_t bytes); /* false: there are too few */
    void (*give)(struct service *service, uint64_t bytes);
    struct service *service;
};

/* Each peer may hold an eighth of `share`; all may hold `most` bytes, at least `share`, while a
 * peer is beyond its eighth. NULL: out of memory. */
struct body_budget *body_budget_new(uint64_t share, uint64_t most,
                                    struct body_budget_source source);
void body_budget_free(struct body_budget *bodies); /* NULL: nothing */

/* Takes bytes of the source, and counts them for a peer. False, and nothing is taken, if the
 * share or the source has too few bytes left; peers beyond their eighth must give memory back
 * then, if this one is not. */
bool body_budget_take(struct body_budget *bodies, struct peer *peer, uint64_t bytes);
void body_budget_give_back(struct body_budget *bodies, struct peer *peer, uint64_t bytes);

uint64_t body_budget_held(const struct body_budget *bodies);
/* Returns true if a peer may never hold `bytes`, even alone, so that a retry is useless. */
bool body_budget_never_fit(const struct body_budget *bodies, uint64_t bytes);
/* A refused computation lacked `bytes`: peers beyond their eighth must give memory back. */
void body_budget_want(struct body_budget *bodies, uint64_t bytes);
/* Returns the bytes that have to be given back, mostly 0. */
uint64_t body_budget_wanted(const struct body_budget *bodies);
/* Resets the wanted bytes: enough bodies were cut off to give them back. */
void body_budget_satisfy(struct body_budget *bodies);
/* Returns true if a peer within its eighth was refused because all eighths are taken: then the
 * slowest body has to give memory back, too, and not only peers beyond their eighth. */
bool body_budget_are_crowded(const struct body_budget *bodies);
/* Returns the bytes that a peer holds beyond its eighth. */
uint64_t body_budget_beyond(struct body_budget *bodies, const struct peer *peer);
