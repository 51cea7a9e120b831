/* SPDX-License-Identifier: Apache-2.0
 * test_guide.c - tests the documents that are pages. */
#include <string.h>

#include "proto/pages/guide.h"
#include "tests/proto/support/html_check.h"
#include "tests/support/suite.h"

static const struct page_frame frame = {
    .title = "", .base = "", .origin = "", .folder = "/", .kind = ""};

START_TEST(every_guide_is_a_well_formed_page)
{
    const struct guide *guide = guide_at((size_t)_i);
    struct buffer page = {0};

    guide_write(&page, &frame, guide, NULL);
    ck_assert(!page.failed);
    ck_assert_ptr_nonnull(strstr(page.bytes, "<h1 "));
    ck_assert_ptr_null(strstr(page.bytes, ".md\""));
    html_check(&page, guide->slug);
}
END_TEST

START_TEST(guides_are_sorted_and_say_what_they_are_about)
{
    for (size_t i = 0; i < guide_count(); i++) {
        ck_assert(i == 0 || strcmp(guide_at(i - 1)->slug, guide_at(i)->slug) < 0);
        ck_assert(*guide_at(i)->title != '\0' && *guide_at(i)->summary != '\0');
        ck_assert_ptr_null(strchr(guide_at(i)->summary, '`'));
    }
}
END_TEST

/* Writes the page of the guide with that slug. */
static void write_page(struct buffer *page, const char *slug, const char *base, bool keyed)
{
    const struct page_frame own =
        {.title = "", .base = base, .origin = "", .folder = "/", .kind = "", .keyed = keyed};
    size_t i = 0;

    while (strcmp(guide_at(i)->slug, slug) != 0)
        i++;
    guide_write(page, &own, guide_at(i), NULL);
}

START_TEST(a_guide_in_a_folder_leads_to_the_folder)
{
    struct buffer page = {0};

    write_page(&page, "verify/ladder", "/pe", false);
    ck_assert_ptr_nonnull(strstr(page.bytes, "<a href=\"/pe/docs/verify\">verify</a>"));
    html_check(&page, "verify/ladder");
}
END_TEST

START_TEST(a_chapter_has_figures_whose_pictures_a_service_with_keys_writes_itself)
{
    struct buffer open = {0}, keyed = {0};

    write_page(&open, "learn/order", "/pe", false);
    ck_assert_ptr_nonnull(strstr(open.bytes, "src=\"/pe/v1/integer?len=48&amp;format=svg\""));
    ck_assert_ptr_nonnull(strstr(open.bytes, "<a href=\"/pe/learn\">Why positions work</a>"));
    ck_assert_ptr_nonnull(strstr(open.bytes, "<body class=\"docs learn\">"));
    write_page(&keyed, "learn/order", "", true);
    ck_assert_ptr_null(strstr(keyed.bytes, "src=\"/v1/"));
    ck_assert_ptr_nonnull(strstr(keyed.bytes, "src=\"data:image/svg+xml;base64,"));
    html_check(&open, "learn/order");
    html_check(&keyed, "learn/order");
}
END_TEST

START_TEST(a_translation_has_the_words_of_its_figures)
{
    struct buffer chinese = {0}, english = {0};

    write_page(&chinese, "learn/zh/waves", "", false);
    ck_assert_ptr_nonnull(strstr(chinese.bytes, "<div id=\"words\" hidden data-words=\""));
    ck_assert_ptr_nonnull(
        strstr(chinese.bytes, "&quot;position&quot;: &quot;\u4f4d\u7f6e&quot;"));
    write_page(&english, "learn/waves", "", false);
    ck_assert_ptr_null(strstr(english.bytes, "data-words"));
    html_check(&chinese, "learn/zh/waves");
    html_check(&english, "learn/waves");
}
END_TEST

SUITE(guide, TEST_COUNTED(every_guide_is_a_well_formed_page, guide_count),
      TEST(guides_are_sorted_and_say_what_they_are_about),
      TEST(a_guide_in_a_folder_leads_to_the_folder),
      TEST(a_translation_has_the_words_of_its_figures),
      TEST(a_chapter_has_figures_whose_pictures_a_service_with_keys_writes_itself));
