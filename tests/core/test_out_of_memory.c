/* SPDX-License-Identifier: Apache-2.0
 * test_out_of_memory.c - each allocation of a request fails once: the status says so, nothing
 * crashes, nothing leaks, and the next request is served. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/core_draw.h"
#include "tests/support/core_query.h"
#include "tests/support/core_sample.h"
#include "tests/support/suite.h"

static const struct pe_limits limits = {.max_elements = 20000, .max_prepared = 20000};

/* The result of one attempt; check macros must wait until the window is closed. */
struct attempt {
    enum pe_status status;
    struct pe_errors errors;
    bool failed; /* an allocation was refused */
    long live;
};

/* From text to bytes, as a caller would, with allocation number n refused. */
static void attempt(struct attempt *result, const struct pe_encoding *enc, const char *query,
                    size_t n)
{
    static _Alignas(64) unsigned char scratch[1 << 20];
    static double values[20000];
    static const double zeros[20000]; /* the client's tensors */
    const void *inputs[] = {zeros, zeros, zeros, zeros};
    struct pe_plan *plan = NULL;
    struct pe_args *args = NULL;

    pe_errors_clear(&result->errors);
    alloc_fail_start(n);
    result->status = core_query_args(&args, enc, query, &result->errors);
    if (result->status == PE_OK)
        result->status = pe_plan_new(&plan, args, NULL, &limits, &result->errors);
    for (size_t i = 0; plan && i < pe_plan_tensor_count(plan); i++) {
        const struct pe_tensor_info *t = pe_plan_tensor(plan, i);
        struct pe_rect all = {0, t->rows, 0, t->cols};
        void *out[PE_MAX_OUTPUTS] = {NULL};

        out[t->slot] = values;
        if (pe_plan_scratch(plan, t->rows * t->cols) <= sizeof scratch)
            pe_fill(plan, t->group, &all, out, inputs, scratch);
    }
    pe_plan_free(plan);
    pe_args_free(args);
    result->failed = alloc_fail_stop();
    result->live = alloc_fail_live();
}

/* What an attempt must come to. A check of the library is a write to a file, even when it
 * holds; of the many attempts only those that are wrong are worth one. */
static void judge(const struct attempt *result, const struct pe_encoding *enc,
                  const char *query, size_t n)
{
    static const struct pe_problem none;
    const struct pe_problem *last =
        result->errors.count ? &result->errors.at[result->errors.count - 1] : &none;

    if (result->live != 0)
        ck_abort_msg("%s?%s: %ld blocks left when number %zu failed", pe_name(enc), query,
                     result->live, n);
    if (result->failed != (result->status == PE_NO_MEMORY))
        ck_abort_msg("%s?%s: status %d when number %zu failed", pe_name(enc), query,
                     result->status, n);
    if (result->failed &&
        (last->status != PE_NO_MEMORY || strcmp(last->detail, "out of memory") != 0))
        ck_abort_msg(
            "%s?%s: number %zu failed, which is not the last problem that was reported",
            pe_name(enc), query, n);
}

/* Sweeps over all allocations of a request that is right. Returns how many there are. */
static size_t sweep(const struct pe_encoding *enc, const char *query)
{
    static struct attempt result;
    size_t n = 0;

    do {
        attempt(&result, enc, query, n);
        judge(&result, enc, query, n);
        n++;
    } while (result.failed);
    ck_assert_int_eq(result.status, PE_OK);
    return n - 1;
}

START_TEST(every_example_survives_every_failing_allocation)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);

    for (const char *const *query = pe_examples(enc); *query; query++)
        ck_assert_uint_ge(sweep(enc, *query), 3); /* args, values, plan at least */
}
END_TEST

START_TEST(drawn_requests_survive_every_failing_allocation)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    struct core_random random = {(uint64_t)_i + 5};
    static struct attempt result;
    char query[CORE_DRAW_MAX];
    int swept = 0;

    for (int i = 0; i < 1000; i++) {
        core_draw_query(enc, &random, query);
        attempt(&result, enc, query, SIZE_MAX);
        ck_assert_int_eq(result.live, 0); /* refused ones leave nothing behind either */
        if (result.status != PE_OK)
            continue;
        sweep(enc, query);
        swept++;
    }
    ck_assert_int_gt(swept, 50);
}
END_TEST

static const struct {
    const struct pe_encoding *enc;
    const char *query;
} frame[] = {
    {&core_sample, "pos=0:4&dim=4"},
    {&core_sample, "pos=5,1,0.0&dim=4&mode=table&out=rows,negated,cube"},
    {&core_sample, "out=total&weights=1,0.5&matrix=1,2;3,4"},
    {&core_sample, "out=mask&pos=0:4&len=3"},
    {&core_sample, "out=mask&pos=0:4&where=1,2,9"},
    {&core_sample, "out=late&times=0.5,1"},
    {&core_sample_sums, "pos=0:9&out=sums,counts"},
};

START_TEST(every_type_and_kind_survives_every_failing_allocation)
{
    ck_assert_uint_ge(sweep(frame[_i].enc, frame[_i].query), 4);
}
END_TEST

/* More than fits into the memory that comes with a plan: each is an allocation of its own. */
START_TEST(a_network_with_many_heads_survives_every_failing_allocation)
{
    static const char *const networks[][2] = {
        {"swinv2", "window_size=2x2&out=bias&w1=1,2&w2=1"},
        {"dynamic-bias-2d", "window_size=2x2&w_in=1,2&w_out=1"},
    };

    enum { HEADS = 100 };
    char query[60 + 2 * HEADS];
    size_t len = (size_t)snprintf(query, sizeof query, "%s", networks[_i][1]);

    for (int head = 1; head < HEADS; head++)
        len += (size_t)snprintf(query + len, sizeof query - len, ";1");
    ck_assert_uint_ge(sweep(core_query_find(networks[_i][0]), query), 6);
}
END_TEST

/* An array is copied: that can fail too, and leaves the arguments as they were. */
START_TEST(arrays_that_find_no_memory_are_told)
{
    static const double list[] = {0, 1, 0.5};
    static const char *const names[] = {"weights", "times"};
    struct pe_args *args = pe_args_new(&core_sample);
    struct pe_errors errors = {.count = 0};

    for (size_t i = 0; i < PE_LEN(names); i++) {
        enum pe_status status;

        alloc_fail_start(0);
        status = pe_args_set_reals(args, names[i], strlen(names[i]), list, 1, 3, &errors);
        alloc_fail_stop();
        ck_assert_int_eq(status, PE_NO_MEMORY);
        ck_assert_int_eq(errors.at[i].status, PE_NO_MEMORY);
        ck_assert_str_eq(errors.at[i].parameter, names[i]);
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
    pe_args_free(args);
}
END_TEST

START_TEST(a_table_that_finds_no_memory_is_none)
{
    struct pe_args *args = core_query_checked(&core_sample, "pos=0:4&dim=4&mode=table");
    bool failed = true;

    for (size_t n = 0; failed; n++) {
        struct pe_table *table;

        alloc_fail_start(n);
        table = pe_table_build(args);
        pe_table_free(table);
        failed = alloc_fail_stop();
        ck_assert(failed == (!table));
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
    pe_args_free(args);
}
END_TEST

SUITE(out_of_memory, TEST_COUNTED(every_example_survives_every_failing_allocation, pe_count),
      TEST_COUNTED(drawn_requests_survive_every_failing_allocation, pe_count),
      TEST_EACH(every_type_and_kind_survives_every_failing_allocation, frame),
      TEST_RANGE(a_network_with_many_heads_survives_every_failing_allocation, 0, 2),
      TEST(arrays_that_find_no_memory_are_told), TEST(a_table_that_finds_no_memory_is_none));
