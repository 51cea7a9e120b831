/* SPDX-License-Identifier: Apache-2.0
 * test_span.c - the steps of a span have all of its time, each moment once. */
#include "server/sys/span.h"

#include <uv.h>

#include "tests/support/suite.h"

static void pass(void)
{
    const uint64_t start = uv_hrtime();

    while (uv_hrtime() == start)
        continue;
}

static uint64_t sum(const struct span *span)
{
    uint64_t ns = 0;

    for (int i = 0; i < SPAN_STEPS; i++)
        ns += span->ns[i];
    return ns;
}

START_TEST(each_moment_is_in_the_step_that_was_entered)
{
    const uint64_t begun = uv_hrtime();
    struct span span;

    span_begin(&span, begun);
    pass();
    span_enter(&span, SPAN_PLAN);
    pass();
    span_wait(&span);
    span_wait(&span);
    pass();
    span_wake(&span);
    span_wake(&span);
    ck_assert_int_eq(span.step, SPAN_PLAN);
    pass();
    span_enter(&span, SPAN_SEND);
    ck_assert_uint_gt(span.ns[SPAN_READ], 0);
    ck_assert_uint_gt(span.ns[SPAN_PLAN], 0);
    ck_assert_uint_gt(span.ns[SPAN_WAIT], 0);
    ck_assert_uint_eq(span.ns[SPAN_COMPUTE], 0);
    ck_assert_uint_eq(sum(&span), span.since_ns - begun);
}
END_TEST

START_TEST(a_span_ends_at_the_time_that_is_given)
{
    const uint64_t begun = uv_hrtime();
    struct span span;

    span_begin(&span, begun);
    span_enter(&span, SPAN_SEND);
    span_end(&span, span.since_ns + 5000);
    ck_assert_uint_eq(span.ns[SPAN_SEND], 5000);
    ck_assert_uint_eq(sum(&span), span.since_ns - begun);
}
END_TEST

START_TEST(a_part_of_a_step_is_moved_and_never_more_than_it_has)
{
    struct span span;
    uint64_t had;

    span_begin(&span, uv_hrtime() - 1000);
    span_enter(&span, SPAN_WAIT);
    had = span.ns[SPAN_READ];
    ck_assert_uint_ge(had, 1000);
    span_move(&span, SPAN_READ, SPAN_COMPUTE, 400);
    ck_assert_uint_eq(span.ns[SPAN_READ], had - 400);
    ck_assert_uint_eq(span.ns[SPAN_COMPUTE], 400);
    span_move(&span, SPAN_READ, SPAN_ENCODE, UINT64_MAX);
    ck_assert_uint_eq(span.ns[SPAN_READ], 0);
    ck_assert_uint_eq(span.ns[SPAN_ENCODE], had - 400);
    ck_assert_int_eq(span.step, SPAN_WAIT);
}
END_TEST

START_TEST(a_span_that_was_not_begun_stays_empty)
{
    struct span span = {.begun = false};

    span_enter(&span, SPAN_PLAN);
    span_wait(&span);
    span_wake(&span);
    span_move(&span, SPAN_READ, SPAN_SEND, 5);
    span_end(&span, uv_hrtime());
    ck_assert_uint_eq(sum(&span), 0);
    ck_assert_int_eq(span.step, SPAN_READ);
}
END_TEST

START_TEST(fields_are_named_after_their_steps)
{
    ck_assert_str_eq(span_step_name(SPAN_READ), "read_us");
    ck_assert_str_eq(span_step_name(SPAN_SEND), "send_us");
}
END_TEST

SUITE(span, TEST(each_moment_is_in_the_step_that_was_entered),
      TEST(a_span_ends_at_the_time_that_is_given),
      TEST(a_part_of_a_step_is_moved_and_never_more_than_it_has),
      TEST(a_span_that_was_not_begun_stays_empty), TEST(fields_are_named_after_their_steps));
