/* SPDX-License-Identifier: Apache-2.0
 * test_docs_page.c - tests the list of all documentation. */
#include <stdio.h>
#include <string.h>

#include "core/posenc.h"
#include "proto/http/problem.h"
#include "proto/pages/disagreement.h"
#include "proto/pages/docs_page.h"
#include "tests/proto/support/html_check.h"
#include "tests/support/suite.h"

static const struct page_frame frame = {
    .title = "", .base = "", .origin = "", .folder = "/", .kind = ""};

START_TEST(the_list_leads_to_every_encoding_and_every_problem)
{
    struct buffer page = {0};
    char link[96];

    docs_page_write(&page, &frame);
    ck_assert(!page.failed);
    for (size_t i = 0; i < pe_count(); i++) {
        snprintf(link, sizeof link, "href=\"/docs/%s\"", pe_name(pe_at(i)));
        ck_assert_msg(strstr(page.bytes, link), "%s", link);
    }
    for (int i = 0; i < PROBLEM_COUNT; i++) {
        snprintf(link, sizeof link, "href=\"/problems/%s\"",
                 problem_slug((enum problem_kind)i));
        ck_assert_msg(strstr(page.bytes, link), "%s", link);
    }
    html_check(&page, "/docs");
}
END_TEST

START_TEST(disagreements_are_sections_of_one_page)
{
    struct buffer page = {0};
    size_t sections = 0;

    docs_page_write_disagreements(&page, &frame);
    ck_assert(!page.failed);
    for (const char *at = page.bytes; (at = strstr(at, "<section ")); at++)
        sections++;
    ck_assert_uint_eq(sections, disagreement_count());
    ck_assert_ptr_nonnull(strstr(page.bytes,
                                 "<a href=\"/explore/alibi?heads=6&amp;out=slopes&amp;vs="
                                 "alibi%3Fheads%3D6%26non_pow2%3Dgeometric%26out%3D"
                                 "slopes\">Compare the numbers</a>"));
    ck_assert_ptr_nonnull(strstr(page.bytes, "<img loading=\"lazy\" src=\"/v1/alibi?"));
    html_check(&page, "/docs/disagreements");
}
END_TEST

SUITE(docs_page, TEST(the_list_leads_to_every_encoding_and_every_problem),
      TEST(disagreements_are_sections_of_one_page));
