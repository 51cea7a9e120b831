/* SPDX-License-Identifier: Apache-2.0
 * test_reservation.c - bytes are taken before a buffer grows, and given back. */
#include "server/net/reservation.h"

#include <stdatomic.h>
#include <string.h>

#include "server/cache/cache.h"
#include "server/net/body_budget.h"
#include "server/net/inflight.h"
#include "server/shared.h"
#include "tests/support/suite.h"

enum { BUDGET = 1 << 20 };

static struct service service;

static void start(void)
{
    service = (struct service){.config.max_inflight = BUDGET, .cache = cache_new(0)};
    ck_assert_ptr_nonnull(service.cache);
    service.bodies =
        body_budget_new(BUDGET / 2, BUDGET / 2,
                        (struct body_budget_source){inflight_try, inflight_release, &service});
    ck_assert_ptr_nonnull(service.bodies);
}

static void stop(void)
{
    ck_assert_uint_eq(inflight_used(&service), 0);
    body_budget_free(service.bodies);
    cache_free(service.cache);
}

static void add(struct buffer *buffer, size_t count)
{
    while (count-- > 0)
        buffer_add(buffer, "0123456789abcdef", 16);
}

START_TEST(a_buffer_never_has_more_than_its_reservation)
{
    struct reservation reservation = reservation_of(&service);
    struct buffer buffer = {.budget = &reservation.budget};

    for (int i = 0; i < 1000; i++) {
        add(&buffer, 1);
        ck_assert_uint_eq(reservation.bytes, buffer.size);
        ck_assert_uint_eq(inflight_used(&service), buffer.size);
    }
    buffer_fini(&buffer);
    reservation_trim(&reservation, 100);
    ck_assert_uint_eq(inflight_used(&service), 100);
    reservation_trim(&reservation, 0);
}
END_TEST

START_TEST(a_buffer_that_finds_no_bytes_fails_and_what_it_took_is_given_back)
{
    struct reservation reservation = reservation_of(&service);
    struct buffer buffer = {.budget = &reservation.budget};

    ck_assert(inflight_reserve(&service, BUDGET - 1000));
    add(&buffer, 30); /* 512 bytes */
    ck_assert(!buffer.failed && !reservation.refused);
    add(&buffer, 30);
    ck_assert(buffer.failed && reservation.refused);
    ck_assert_ptr_null(buffer.bytes);
    ck_assert_uint_eq(reservation.bytes, 512);
    reservation_trim(&reservation, 0);
    inflight_release(&service, BUDGET - 1000);
}
END_TEST

START_TEST(a_problem_goes_beyond_the_budget_by_its_allowance_and_is_counted)
{
    struct reservation reservation = reservation_of_problem(&service);

    ck_assert(inflight_reserve(&service, BUDGET));
    ck_assert(reservation_take(&reservation, RESERVATION_ALLOWANCE));
    ck_assert_uint_eq(inflight_used(&service), BUDGET + RESERVATION_ALLOWANCE);
    ck_assert(!reservation_take(&reservation, 1));
    reservation_trim(&reservation, 0);
    inflight_release(&service, BUDGET);
}
END_TEST

START_TEST(pages_of_metrics_go_beyond_the_budget_by_one_sum)
{
    struct reservation one = reservation_of_metrics(&service),
                       other = reservation_of_metrics(&service);

    ck_assert(inflight_reserve(&service, BUDGET));
    ck_assert(reservation_take(&one, RESERVATION_METRICS_BEYOND - 1));
    ck_assert(reservation_take(&other, 1));
    ck_assert(!reservation_take(&other, 1) && other.refused);
    reservation_trim(&one, 0);
    ck_assert(reservation_take(&other, 1));
    reservation_trim(&other, 0);
    inflight_release(&service, BUDGET);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_buffer_never_has_more_than_its_reservation),
    TEST(a_buffer_that_finds_no_bytes_fails_and_what_it_took_is_given_back),
    TEST(a_problem_goes_beyond_the_budget_by_its_allowance_and_is_counted),
    TEST(pages_of_metrics_go_beyond_the_budget_by_one_sum),
};

const struct suite reservation_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
