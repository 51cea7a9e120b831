/* SPDX-License-Identifier: Apache-2.0
 * test_accept.c - tests that each media type chooses its format; accept.txt has other
 * headers. */
#include <string.h>

#include "proto/http/accept.h"
#include "proto/http/format.h"
#include "tests/support/suite.h"

START_TEST(every_format_is_chosen_by_each_of_its_media_types)
{
    for (size_t i = 0; i < format_count(); i++) {
        const struct format *format = format_at(i);

        for (const char *const *type = format->accepts; *type; type++)
            ck_assert_ptr_eq(accept_choose(*type, strlen(*type), NULL), format);
        if (format->accepts[0])
            ck_assert_ptr_eq(
                accept_choose(format->media_type, strlen(format->media_type), NULL), format);
    }
}
END_TEST

SUITE(accept, TEST(every_format_is_chosen_by_each_of_its_media_types));
