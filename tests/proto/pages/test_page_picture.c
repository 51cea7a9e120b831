/* SPDX-License-Identifier: Apache-2.0
 * test_page_picture.c - tests pictures in pages. */
#include <string.h>

#include "proto/http/format.h"
#include "proto/pages/page_picture.h"
#include "tests/proto/support/html_check.h"
#include "tests/support/suite.h"

/* Returns whether the service draws pictures for pages. */
static bool draws(void)
{
    for (size_t i = 0; i < format_count(); i++)
        if (strcmp(format_at(i)->media_type, "image/svg+xml") == 0)
            return true;
    return false;
}

static struct buffer picture_of(const char *name, bool keyed)
{
    const struct page_frame frame =
        {.title = "", .base = "/pe", .origin = "", .folder = "/", .kind = "", .keyed = keyed};
    const struct pe_encoding *enc = pe_find(name, strlen(name));
    struct buffer out = {0};

    page_picture_add(&out, &frame, enc, page_picture_output(enc));
    ck_assert(!out.failed);
    return out;
}

START_TEST(every_encoding_has_an_output_to_draw)
{
    const struct pe_output *output = page_picture_output(pe_at((size_t)_i));

    ck_assert_msg(output != NULL, "%s", pe_name(pe_at((size_t)_i)));
    ck_assert(output->by_default);
}
END_TEST

START_TEST(a_picture_is_a_url_that_a_browser_loads)
{
    struct buffer out = picture_of("sinusoidal", false);

    if (draws()) {
        ck_assert_ptr_nonnull(strstr(out.bytes, "<img src=\"/pe/v1/sinusoidal?"));
        ck_assert_ptr_nonnull(strstr(out.bytes, "format=svg\" width=\"596\" height=\""));
        ck_assert_ptr_nonnull(strstr(out.bytes, "alt=\"Rows: position by column\""));
        html_check(&out, "sinusoidal");
    } else {
        ck_assert_uint_eq(out.len, 0);
    }
}
END_TEST

START_TEST(the_picture_of_a_card_is_its_request_where_no_key_is_needed)
{
    static const char card[] = "/v1/rope?dim=64&pos=0:4&out=sin&format=card";
    struct page_frame frame = {.title = "",
                               .base = "/pe",
                               .origin = "",
                               .folder = "/",
                               .kind = ""};
    const struct pe_output *output = page_picture_output(pe_find("rope", 4));
    struct buffer out = {0};

    page_picture_add_card(&out, &frame, output, "");
    frame.keyed = true;
    page_picture_add_card(&out, &frame, output, card);
    ck_assert_uint_eq(out.len, 0);
    frame.keyed = false;
    page_picture_add_card(&out, &frame, output, card);
    ck_assert_int_eq(out.len > 0, draws());
    if (draws()) {
        ck_assert_ptr_nonnull(strstr(out.bytes, "<img src=\"/pe/v1/rope?dim=64&amp;pos=0:4&amp;"
                                                "out=sin&amp;format=svg\" alt=\"Cosines: "));
        html_check(&out, "rope");
    }
    buffer_fini(&out);
}
END_TEST

START_TEST(a_page_for_readers_without_a_key_holds_the_picture)
{
    const char *name = pe_name(pe_at((size_t)_i));
    struct buffer out = picture_of(name, true);

    if (draws()) {
        ck_assert_msg(strstr(out.bytes, "<img src=\"data:image/svg+xml;base64,"), "%s", name);
        html_check(&out, name);
    } else {
        ck_assert_uint_eq(out.len, 0);
    }
}
END_TEST

SUITE(page_picture, TEST(the_picture_of_a_card_is_its_request_where_no_key_is_needed),
      TEST_COUNTED(every_encoding_has_an_output_to_draw, pe_count),
      TEST(a_picture_is_a_url_that_a_browser_loads),
      TEST_COUNTED(a_page_for_readers_without_a_key_holds_the_picture, pe_count));
