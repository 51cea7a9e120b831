/* SPDX-License-Identifier: Apache-2.0
 * test_model_list_page.c - tests the list of models. */
#include <string.h>

#include "proto/pages/model_list_page.h"
#include "tests/proto/support/html_check.h"
#include "tests/support/suite.h"

static const struct page_frame frame = {
    .title = "", .base = "/pe", .origin = "", .folder = "/", .kind = ""};

static size_t count_of(const struct buffer *page, const char *part)
{
    size_t count = 0;

    for (const char *at = page->bytes; (at = strstr(at, part)); at++)
        count++;
    return count;
}

START_TEST(the_list_has_every_model_once)
{
    struct buffer page = {0};

    model_list_page_write(&page, &frame, models_embedded());
    ck_assert_uint_eq(count_of(&page, "href=\"/pe/models/"), models_count(models_embedded()));
    html_check(&page, "/models");
}
END_TEST

START_TEST(each_family_is_one_group_with_the_number_of_its_models)
{
    const struct models *models = models_embedded();
    struct buffer page = {0}, part = {0};
    size_t llamas = 0;

    for (size_t i = 0; i < models_count(models); i++)
        llamas += strcmp(models_at(models, i)->family, "llama") == 0;
    buffer_add_format(&part, "<summary><b>llama</b> <span>%zu</span></summary>", llamas);
    model_list_page_write(&page, &frame, models);
    ck_assert_uint_eq(count_of(&page, part.bytes), 1);
    ck_assert_uint_gt(llamas, 1);
    buffer_fini(&part);
    buffer_fini(&page);
}
END_TEST

START_TEST(a_model_without_a_family_is_in_the_last_group)
{
    static const struct model own = {.id = "a-own"};
    const struct model *const more[] = {&own};
    struct models *models = models_new(more, 1);
    struct buffer page = {0};

    model_list_page_write(&page, &frame, models);
    ck_assert_ptr_nonnull(strstr(strstr(page.bytes, "<summary><b>other</b> <span>1</span>"),
                                 "href=\"/pe/models/a-own\""));
    ck_assert_ptr_null(strstr(strstr(page.bytes, "/pe/models/a-own"), "<summary>"));
    buffer_fini(&page);
    models_free(models);
}
END_TEST

static void write_one(struct buffer *out)
{
    model_list_page_write(out, &frame, models_embedded());
}

START_TEST(a_list_without_memory_fails_as_a_whole)
{
    html_check_memory(write_one);
}
END_TEST

SUITE(model_list_page, TEST(the_list_has_every_model_once),
      TEST(each_family_is_one_group_with_the_number_of_its_models),
      TEST(a_model_without_a_family_is_in_the_last_group),
      TEST(a_list_without_memory_fails_as_a_whole));
