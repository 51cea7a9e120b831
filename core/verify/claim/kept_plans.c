/* SPDX-License-Identifier: Apache-2.0
 * kept_plans.c - plans by the bytes of their keys, in lists by the hash of these. */
#include "core/verify/claim/kept_plans.h"

#include <stdlib.h>
#include <string.h>

#include "core/args/args.h"
#include "core/plan/plan.h"

struct kept_plan {
    struct kept_plan *next;
    struct planned planned;
    uint64_t hash;
    size_t len;
    char key[];
};

/* FNV-1a. */
static uint64_t hash_of(const unsigned char *key, size_t len)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ key[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static struct planned shared(const struct planned *planned)
{
    struct planned copy = *planned;

    copy.args = copy.args ? pe_args_ref(copy.args) : NULL;
    copy.plan = copy.plan ? pe_plan_ref(copy.plan) : NULL;
    return copy;
}

bool kept_plans_find(const struct kept_plans *plans, const void *key, size_t len,
                     struct planned *found)
{
    const uint64_t hash = hash_of(key, len);

    for (const struct kept_plan *kept = plans->list[hash % KEPT_PLANS_LISTS]; kept;
         kept = kept->next) {
        if (kept->hash != hash || kept->len != len || memcmp(kept->key, key, len) != 0)
            continue;
        *found = shared(&kept->planned);
        return true;
    }
    return false;
}

/* Returns the bytes of what was planned; a plan has its arguments. */
static size_t bytes_of(const struct planned *planned)
{
    return planned->plan   ? plan_bytes(planned->plan)
           : planned->args ? args_bytes(planned->args)
                           : 0;
}

bool kept_plans_add(struct kept_plans *plans, const void *key, size_t len,
                    const struct planned *planned)
{
    struct kept_plan *kept;
    const size_t bytes = sizeof *kept + len + bytes_of(planned);

    if (bytes > plans->bytes_most - plans->bytes)
        return true;
    kept = malloc(sizeof *kept + len);
    if (!kept)
        return false;
    kept->hash = hash_of(key, len);
    kept->next = plans->list[kept->hash % KEPT_PLANS_LISTS];
    kept->planned = shared(planned);
    kept->len = len;
    memcpy(kept->key, key, len);
    plans->list[kept->hash % KEPT_PLANS_LISTS] = kept;
    plans->bytes += bytes;
    return true;
}

void kept_plans_fini(struct kept_plans *plans)
{
    for (size_t i = 0; i < KEPT_PLANS_LISTS; i++) {
        for (struct kept_plan *kept = plans->list[i], *next; kept; kept = next) {
            next = kept->next;
            pe_plan_free(kept->planned.plan);
            pe_args_free(kept->planned.args);
            free(kept);
        }
        plans->list[i] = NULL;
    }
    plans->bytes = 0;
}
