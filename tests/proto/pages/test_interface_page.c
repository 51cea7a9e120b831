/* SPDX-License-Identifier: Apache-2.0
 * test_interface_page.c - tests the page of the interface. */
#include <stdio.h>
#include <string.h>

#include "core/posenc.h"
#include "proto/http/endpoint.h"
#include "proto/pages/interface_page.h"
#include "tests/proto/support/html_check.h"
#include "tests/support/suite.h"

static const struct page_frame frame = {
    .title = "", .base = "/pe", .origin = "", .folder = "/", .kind = ""};

/* Takes out the places where a line may be broken. */
static void join_lines(char *html)
{
    for (char *at; (at = strstr(html, "<wbr>"));)
        memmove(at, at + strlen("<wbr>"), strlen(at + strlen("<wbr>")) + 1);
}

START_TEST(the_page_has_every_path_of_the_document_and_no_page_for_people)
{
    struct buffer page = {0};
    char part[160];

    interface_page_write(&page, &frame);
    ck_assert(!page.failed);
    ck_assert_ptr_nonnull(strstr(page.bytes, "<code>/<wbr>v1/<wbr>encodings/<wbr>{id}</code>"));
    join_lines(page.bytes);
    for (size_t i = 0; i < ENDPOINT_COUNT; i++) {
        const struct endpoint *endpoint = endpoint_at(i);
        const bool is_told = (endpoint->access & (ENDPOINT_PAGE | ENDPOINT_FOREIGN)) == 0;

        snprintf(part, sizeof part, "<code>%s</code>", endpoint->path);
        ck_assert_msg(!strstr(page.bytes, part) == !is_told, "%s", part);
    }
    for (size_t i = 0; i < pe_count(); i++) {
        snprintf(part, sizeof part, "href=\"/pe/openapi.json?encoding=%s\"", pe_name(pe_at(i)));
        ck_assert_msg(strstr(page.bytes, part), "%s", part);
    }
    html_check(&page, "/docs/openapi");
}
END_TEST

static void write_one(struct buffer *out)
{
    interface_page_write(out, &frame);
}

START_TEST(a_page_without_memory_fails_as_a_whole)
{
    html_check_memory(write_one);
}
END_TEST

SUITE(interface_page, TEST(the_page_has_every_path_of_the_document_and_no_page_for_people),
      TEST(a_page_without_memory_fails_as_a_whole));
