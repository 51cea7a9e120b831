/* SPDX-License-Identifier: Apache-2.0
 * kept_plans.h - what the hypotheses of one search have led to. A search comes to the same
 * hypothesis more than once: alone, to see whether it explains; again, to see how near it
 * comes; and beside others. It is planned once. */
#pragma once

#include "core/encoding.h"

enum { KEPT_PLANS_LISTS = 512 };

/* The arguments and the plan that a hypothesis leads to. */
struct planned {
    struct pe_args *args; /* NULL: they are refused; */
    const struct pe_param
        *missing;         /* then the parameter that would have to be given, or NULL */
    struct pe_plan *plan; /* NULL: it is refused */
};

struct kept_plan;

/* The store of what was planned first, at most `bytes_most` bytes of plans and arguments:
 * set it, the rest starts zeroed. */
struct kept_plans {
    struct kept_plan *list[KEPT_PLANS_LISTS]; /* by the hash of the key */
    size_t bytes, bytes_most;
};

/* Gets what is kept under a key, for which the caller is an owner then; false: nothing is. */
bool kept_plans_find(const struct kept_plans *plans, const void *key, size_t len,
                     struct planned *found);
/* Keeps what was planned, with owners of its own, unless its bytes would be too many. Nothing
 * is kept under the key yet. Returns false if there is no memory: a search that planned it
 * again would count more operations than elsewhere. */
bool kept_plans_add(struct kept_plans *plans, const void *key, size_t len,
                    const struct planned *planned);
/* Drops all. */
void kept_plans_fini(struct kept_plans *plans);
