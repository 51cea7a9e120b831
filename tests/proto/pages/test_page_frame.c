/* SPDX-License-Identifier: Apache-2.0
 * test_page_frame.c - tests what every page has around its content. */
#include <stdlib.h>
#include <string.h>

#include "core/posenc.h"
#include "proto/pages/page_frame.h"
#include "tests/support/suite.h"

static char *write(const struct page_frame *frame)
{
    struct buffer out = {0};
    size_t len;

    page_frame_open(&out, frame);
    page_frame_close(&out, frame);
    char *text = buffer_take(&out, &len);
    ck_assert_ptr_nonnull(text);
    return text;
}

static const struct page_frame docs = {.title = "RoPE & more",
                                       .base = "/pe",
                                       .origin = "",
                                       .style = "/assets/a.css",
                                       .script = "/assets/b.js",
                                       .kind = "docs",
                                       .place = PAGE_FRAME_DOCS};

START_TEST(every_path_begins_with_the_prefix)
{
    char *text = write(&docs);

    ck_assert_ptr_nonnull(strstr(text, "<meta name=\"posenc-prefix\" content=\"/pe\">"));
    ck_assert_ptr_nonnull(strstr(text, "href=\"/pe/assets/a.css\""));
    ck_assert_ptr_nonnull(strstr(text, "src=\"/pe/assets/b.js\""));
    for (const char *at = text; (at = strstr(at, "href=\"/")); at++)
        ck_assert_msg(strncmp(at, "href=\"/pe/", 10) == 0, "%.40s", at);
    free(text);
}
END_TEST

START_TEST(the_title_is_escaped_and_the_place_is_marked)
{
    char *text = write(&docs);

    ck_assert_ptr_nonnull(strstr(text, "<title>RoPE &amp; more"));
    ck_assert_ptr_nonnull(
        strstr(text, "<meta property=\"og:title\" content=\"RoPE &amp; more\">"));
    ck_assert_ptr_nonnull(strstr(text, "<a href=\"/pe/docs\" aria-current=\"true\">Docs</a>"));
    ck_assert_ptr_nonnull(strstr(text, pe_version()));
    free(text);
}
END_TEST

START_TEST(the_address_for_previews_is_absolute_by_the_public_url_alone)
{
    struct page_frame frame = docs;

    frame.folder = "/explore/";
    frame.name = "rope?dim=64&pos=0:4";
    char *relative = write(&frame);
    frame.origin = "https://posenc.example";
    char *absolute = write(&frame);
    frame.name = NULL;
    char *none = write(&frame);
    ck_assert_ptr_nonnull(strstr(
        relative, "<link rel=\"canonical\" href=\"/pe/explore/rope?dim=64&amp;pos=0:4\">"));
    ck_assert_ptr_nonnull(
        strstr(relative,
               "<meta property=\"og:url\" content=\"/pe/explore/rope?dim=64&amp;pos=0:4\">"));
    ck_assert_ptr_nonnull(
        strstr(absolute, "content=\"https://posenc.example/pe/explore/rope?"));
    ck_assert_ptr_nonnull(strstr(absolute, "href=\"https://posenc.example/pe/explore/rope?"));
    ck_assert_ptr_null(strstr(none, "canonical"));
    ck_assert_ptr_null(strstr(none, "og:url"));
    free(relative);
    free(absolute);
    free(none);
}
END_TEST

START_TEST(nothing_is_inline)
{
    char *text = write(&docs);

    ck_assert_ptr_null(strstr(text, "<style"));
    ck_assert_ptr_null(strstr(text, " style="));
    ck_assert_ptr_null(strstr(text, "<script>"));
    ck_assert_ptr_null(strstr(page_frame_policy, "unsafe"));
    free(text);
}
END_TEST

START_TEST(a_page_that_is_alone_links_to_no_other)
{
    struct page_frame frame = docs;

    frame.alone = true;
    frame.style = NULL;
    char *text = write(&frame);
    ck_assert_ptr_null(strstr(text, "href=\"/"));
    ck_assert_ptr_null(strstr(text, "<script"));
    free(text);
}
END_TEST

SUITE(page_frame, TEST(every_path_begins_with_the_prefix),
      TEST(the_title_is_escaped_and_the_place_is_marked), TEST(nothing_is_inline),
      TEST(the_address_for_previews_is_absolute_by_the_public_url_alone),
      TEST(a_page_that_is_alone_links_to_no_other));
