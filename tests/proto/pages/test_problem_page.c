/* SPDX-License-Identifier: Apache-2.0
 * test_problem_page.c - tests the page of each kind of problem. */
#include <string.h>

#include "proto/pages/problem_page.h"
#include "tests/proto/support/html_check.h"
#include "tests/support/suite.h"

static const struct page_frame frame = {
    .title = "", .base = "", .origin = "", .folder = "/", .kind = ""};

START_TEST(every_problem_is_explained)
{
    enum problem_kind kind = (enum problem_kind)_i;
    struct buffer page = {0};

    problem_page_write(&page, &frame, kind);
    ck_assert(!page.failed);
    ck_assert_ptr_nonnull(strstr(page.bytes, problem_title(kind)));
    html_check(&page, problem_slug(kind));
}
END_TEST

START_TEST(a_problem_of_a_service_without_pages_leads_to_none)
{
    const struct page_frame alone =
        {.title = "", .base = "", .origin = "", .folder = "/", .kind = "", .alone = true};
    struct buffer page = {0};

    problem_page_write(&page, &alone, PROBLEM_OVERLOADED);
    ck_assert_ptr_null(strstr(page.bytes, "href=\"/"));
    html_check(&page, "alone");
}
END_TEST

SUITE(problem_page, TEST_RANGE(every_problem_is_explained, 0, PROBLEM_COUNT),
      TEST(a_problem_of_a_service_without_pages_leads_to_none));
