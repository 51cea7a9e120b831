/* SPDX-License-Identifier: Apache-2.0
 * test_verify_page.c - tests the page of verdicts, as it is before its script has run. */
#include <string.h>

#include "proto/pages/guide.h"
#include "proto/pages/verify_page.h"
#include "tests/proto/support/html_check.h"
#include "tests/support/suite.h"

static const struct page_frame frame = {
    .title = "", .base = "/pe", .origin = "", .folder = "/", .kind = ""};
static const struct verify_page_limits limits = {.body = 134217728, .target = 4096};

START_TEST(the_page_has_the_limits_of_a_request_and_a_line_for_readers_without_a_script)
{
    struct buffer page = {0};

    verify_page_write(&page, &frame, &limits, 0);
    ck_assert(!page.failed);
    ck_assert_ptr_nonnull(
        strstr(page.bytes, "data-most=\"134217728\" data-most-target=\"4096\""));
    ck_assert_ptr_nonnull(strstr(page.bytes, "<noscript><p>The page needs JavaScript."));
    ck_assert_ptr_nonnull(strstr(page.bytes, "'localhost:8080/pe/v1/verify?model="));
    html_check(&page, "/verify");
}
END_TEST

START_TEST(the_script_is_told_which_mistakes_have_a_page)
{
    struct buffer page = {0};

    verify_page_write(&page, &frame, &limits, 0);
    const char *slugs = strstr(page.bytes, "data-mistakes=\"");
    ck_assert_ptr_nonnull(slugs);
    for (size_t i = 0; i < guide_count(); i++) {
        const char *slash = strchr(guide_at(i)->slug, '/');

        if (slash && !guide_is_lesson(guide_at(i)))
            ck_assert_msg(strstr(slugs, slash + 1), "%s", guide_at(i)->slug);
    }
    buffer_fini(&page);
}
END_TEST

START_TEST(a_port_has_a_title_of_its_own)
{
    struct buffer page = {0};

    ck_assert_uint_eq(verify_page_port("no-such", 7), 0);
    verify_page_write(&page, &frame, &limits, verify_page_port("shifted", 7));
    ck_assert_ptr_nonnull(strstr(page.bytes, "content=\"What is wrong with my numbers? A port: "
                                             "positions off by one\""));
    html_check(&page, "/verify?port=shifted");
}
END_TEST

SUITE(verify_page,
      TEST(the_page_has_the_limits_of_a_request_and_a_line_for_readers_without_a_script),
      TEST(the_script_is_told_which_mistakes_have_a_page), TEST(a_port_has_a_title_of_its_own));
