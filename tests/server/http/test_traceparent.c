/* SPDX-License-Identifier: Apache-2.0
 * test_traceparent.c - which values continue a trace, by the rules of W3C Trace Context. */
#include "server/http/traceparent.h"

#include <stddef.h>

#include "tests/support/suite.h"

#define TRACE "0af7651916cd43dd8448eb211c80319c"
#define PARENT "b7ad6b7169203331"

static const struct {
    const char *text;
    bool is_sampled;
} right[] = {
    {"00-" TRACE "-" PARENT "-01", true},
    {"00-" TRACE "-" PARENT "-00", false},
    {"00-" TRACE "-" PARENT "-ff", true},
    {"00-" TRACE "-" PARENT "-0a", false},
    {"cc-" TRACE "-" PARENT "-01", true},
    {"cc-" TRACE "-" PARENT "-01-what-the-future-brings", true},
};

static const char *const wrong[] = {
    NULL,
    "",
    "00",
    "00-" TRACE "-" PARENT "-0",
    "00-" TRACE "-" PARENT "-01-more",
    "00-" TRACE "-" PARENT "-011",
    "cc-" TRACE "-" PARENT "-01.more",
    "ff-" TRACE "-" PARENT "-01",
    "0-" TRACE "-" PARENT "-01",
    "0G-" TRACE "-" PARENT "-01",
    "00_" TRACE "-" PARENT "-01",
    "00-" TRACE "_" PARENT "-01",
    "00-" TRACE "-" PARENT "_01",
    "00-0AF7651916cd43dd8448eb211c80319c-" PARENT "-01",
    "00-0af7651916cd43dd8448eb211c80319-" PARENT "-01x",
    "00-00000000000000000000000000000000-" PARENT "-01",
    "00-" TRACE "-0000000000000000-01",
    "00-" TRACE "-B7AD6B7169203331-01",
    "00-" TRACE "-" PARENT "-0X",
};

START_TEST(a_valid_value_continues_its_trace)
{
    struct traceparent parent;

    ck_assert(traceparent_parse(&parent, right[_i].text));
    ck_assert_str_eq(parent.trace_id, TRACE);
    ck_assert_str_eq(parent.parent_id, PARENT);
    ck_assert_int_eq(parent.is_sampled, right[_i].is_sampled);
}
END_TEST

START_TEST(any_other_value_is_none)
{
    struct traceparent parent;

    ck_assert(!traceparent_parse(&parent, wrong[_i]));
}
END_TEST

SUITE(traceparent, TEST_EACH(a_valid_value_continues_its_trace, right),
      TEST_EACH(any_other_value_is_none, wrong));
