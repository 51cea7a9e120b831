/* SPDX-License-Identifier: Apache-2.0
 * test_sharing.c - what is immutable may be read, owned and freed by many threads at once: the
 * same bytes for each, and nothing for the thread sanitizer to say. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

enum { THREADS = 4, TURNS = 20, VALUES = 700 * 16 };

struct shared {
    struct pe_plan *plan;
    struct pe_args *args;
    struct pe_table *table;
    unsigned char bytes[VALUES * sizeof(double)];
    size_t size;
};

/* The plan's first tensor is these bytes. No check macro: those are for one thread. */
static bool holds(const struct pe_plan *plan, const struct shared *shared)
{
    const struct pe_tensor_info *t = pe_plan_tensor(plan, 0);
    struct pe_rect all = {0, t->rows, 0, t->cols};
    size_t scratch_size = (pe_plan_scratch(plan, t->rows * t->cols) + 63) / 64 * 64;
    void *bytes = malloc(shared->size), *scratch = aligned_alloc(64, scratch_size);
    void *out[PE_MAX_OUTPUTS] = {NULL};
    bool same = bytes && scratch;

    out[t->slot] = bytes;
    if (same)
        pe_fill(plan, t->group, &all, out, NULL, scratch);
    same = same && memcmp(bytes, shared->bytes, shared->size) == 0;
    free(bytes);
    free(scratch);
    return same;
}

/* A new plan of shared arguments and table, and a reference to the shared plan. */
static void *work(void *context)
{
    const struct shared *shared = context;
    const struct pe_limits limits = {.max_elements = VALUES, .max_prepared = VALUES};
    const char *failure = NULL;

    for (int i = 0; i < TURNS && !failure; i++) {
        struct pe_errors errors = {.count = 0};
        struct pe_plan *mine = NULL, *ours = pe_plan_ref(shared->plan);
        struct pe_args *args = pe_args_ref(shared->args);
        struct pe_table *table = shared->table ? pe_table_ref(shared->table) : NULL;

        if (pe_plan_new(&mine, args, table, &limits, &errors))
            failure = "a plan was refused";
        else if (!holds(mine, shared) || !holds(ours, shared))
            failure = "bytes differ";
        pe_plan_free(mine);
        pe_plan_free(ours);
        pe_table_free(table);
        pe_args_free(args);
    }
    return (void *)(uintptr_t)failure;
}

static const struct {
    const char *encoding, *query;
} cases[] = {
    {"rope", "pos=0:700&dim=16&out=cos"},
    {"sinusoidal", "pos=0:700&dim=16&dtype=bf16"},
    {"alibi", "heads=4&len=32&causal=1"},
};

START_TEST(threads_share_arguments_tables_and_plans)
{
    const struct pe_encoding *enc = core_query_find(cases[_i].encoding);
    static struct shared shared;
    pthread_t threads[THREADS];
    const struct pe_tensor_info *t;
    void *bytes;

    shared.args = core_query_checked(enc, cases[_i].query);
    shared.table = pe_args_table_key(shared.args) ? pe_table_build(shared.args) : NULL;
    shared.plan = core_query_plan(enc, cases[_i].query);
    t = pe_plan_tensor(shared.plan, 0);
    shared.size = t->rows * t->cols * pe_dtype_size(t->dtype);
    ck_assert_uint_le(shared.size, sizeof shared.bytes);
    bytes = core_query_bytes(shared.plan, 0);
    memcpy(shared.bytes, bytes, shared.size);
    free(bytes);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &shared), 0);
    for (int i = 0; i < THREADS; i++) {
        void *failure;

        pthread_join(threads[i], &failure);
        ck_assert_msg(!failure, "%s", (const char *)failure);
    }
    pe_plan_free(shared.plan);
    pe_table_free(shared.table);
    pe_args_free(shared.args);
}
END_TEST

SUITE(sharing, TEST_EACH(threads_share_arguments_tables_and_plans, cases));
