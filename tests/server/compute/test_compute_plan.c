/* SPDX-License-Identifier: Apache-2.0
 * test_compute_plan.c - the growth of a shared table counts: it is made on the pool where it
 * takes long, and only with bytes of the in-flight budget. */
#include "server/compute/compute_plan.h"

#include <string.h>

#include "proto/output/encoder.h"
#include "proto/request/request.h"
#include "server/cache/table_cache.h"
#include "server/compute/compute.h"
#include "server/net/inflight.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

static struct service *service;

static void start(void)
{
    service = served_start(NULL);
}

static void stop(void)
{
    served_stop(service);
}

/* Plans a request for sinusoids. growth_ns: the time of the table's growth, which it had, or
 * which is left to the pool. */
static enum pe_status plan(bool on_loop, const char *query, double *growth_ns)
{
    struct request *request = request_new(pe_find("sinusoidal", 10));
    uint64_t reserved = 0;
    struct compute_budget budget = {service, &reserved, NULL, on_loop, 0};
    struct encoder *encoder = NULL;
    struct pe_plan *made = NULL;
    struct pe_errors errors;
    enum pe_status status;

    pe_errors_clear(&errors);
    ck_assert_int_eq(request_set_query(request, query, strlen(query), &errors), PE_OK);
    ck_assert_int_eq(request_finish(request, NULL, 0, &errors), PE_OK);
    status = compute_plan(&budget, false, request, &made, &encoder, &errors);
    inflight_release(service, reserved);
    encoder_free(encoder);
    pe_plan_free(made);
    request_free(request);
    *growth_ns = budget.growth_ns;
    return status;
}

static uint64_t table_bytes(void)
{
    return table_cache_stats(service->table_cache).bytes;
}

START_TEST(a_table_that_grows_quickly_grows_on_the_loop)
{
    double ns;

    ck_assert_int_eq(plan(true, "dim=64&pos=0:3&format=raw", &ns), PE_OK);
    ck_assert_double_eq(ns, 0);
    ck_assert_uint_lt(table_bytes(), 10000);
    ck_assert_int_eq(plan(true, "dim=64&pos=0:100&format=raw", &ns), PE_OK);
    ck_assert(ns > 0 && ns <= COMPUTE_INLINE_NS);
    ck_assert_uint_gt(table_bytes(), 256 * 32 * 16);
    ck_assert_int_eq(plan(true, "dim=64&pos=5:105&format=raw", &ns), PE_OK);
    ck_assert_double_eq(ns, 0);
}
END_TEST

START_TEST(a_table_that_takes_long_to_grow_is_left_to_the_pool)
{
    static const char *const queries[] = {"dim=512&pos=0:100&format=raw",
                                          "dim=514&pos=0:1000&format=raw"};
    double ns;

    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        const uint64_t before = table_bytes();

        ck_assert_int_eq(plan(true, queries[i], &ns), PE_STOPPED);
        ck_assert(ns > COMPUTE_INLINE_NS);
        ck_assert_uint_lt(table_bytes() - before, 100000);
        ck_assert_int_eq(plan(false, queries[i], &ns), PE_OK);
        ck_assert_uint_gt(table_bytes() - before, 1000000);
        ck_assert_int_eq(plan(true, queries[i], &ns), PE_OK);
        ck_assert_double_eq(ns, 0);
    }
    ck_assert_uint_eq(inflight_used(service), 0);
}
END_TEST

START_TEST(without_bytes_in_the_budget_a_table_does_not_grow)
{
    const uint64_t most = service->config.max_inflight - 1000;
    uint64_t before;
    double ns;

    ck_assert_int_eq(plan(true, "dim=64&pos=0:3&format=raw", &ns), PE_OK);
    before = table_bytes();
    ck_assert(inflight_reserve(service, most));
    ck_assert_int_eq(plan(true, "dim=64&pos=0:100&format=raw", &ns), PE_OK);
    ck_assert_uint_eq(table_bytes(), before);
    inflight_release(service, most);
    ck_assert_int_eq(plan(true, "dim=64&pos=0:100&format=raw", &ns), PE_OK);
    ck_assert_uint_gt(table_bytes(), before);
    ck_assert_uint_eq(inflight_used(service), 0);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_table_that_grows_quickly_grows_on_the_loop),
    TEST(a_table_that_takes_long_to_grow_is_left_to_the_pool),
    TEST(without_bytes_in_the_budget_a_table_does_not_grow),
};

const struct suite compute_plan_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
