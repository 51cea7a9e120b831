/* SPDX-License-Identifier: Apache-2.0
 * test_request.c - tests the number of members of a body, and the choice of the format;
 * request.txt has the requests that are refused. */
#include "proto/request/query.h"
#include "proto/text/buffer.h"
#include "tests/proto/support/ask.h"
#include "tests/support/suite.h"

#define ROPE "pos=0:2&dim=4"

START_TEST(at_most_32_members_are_read)
{
    struct buffer text = {0};
    char sentence[512];

    buffer_add_text(&text, "{\"a\": 1");
    for (int i = 0; i < QUERY_MAX_PARAMETERS; i++)
        buffer_add_format(&text, ", \"a%d\": 1", i);
    buffer_add_text(&text, "}");
    ck_assert_str_eq(ask_body_problem("rope", ROPE, text.bytes, sentence),
                     "at most 32 parameters are read; got 33");
    buffer_fini(&text);
}
END_TEST

START_TEST(the_format_parameter_beats_accept)
{
    struct ask ask;

    ask_query(&ask, "rope", ROPE "&format=json", "text/csv");
    ck_assert_str_eq(request_options(ask.request)->format->name, "json");
    ck_assert(request_options(ask.request)->format_given);
    ask_free(&ask);
    ask_query(&ask, "rope", ROPE "&out=cos", "text/csv");
    ck_assert_str_eq(request_options(ask.request)->format->name, "csv");
    ck_assert(!request_options(ask.request)->format_given);
    ask_free(&ask);
    ask_query(&ask, "rope", ROPE, NULL);
    ck_assert_str_eq(request_options(ask.request)->format->name, "json");
    ask_free(&ask);
}
END_TEST

START_TEST(what_no_format_fits_has_no_format_but_its_errors)
{
    struct ask ask;

    ask_query(&ask, "rope", ROPE, "image/jpeg");
    ck_assert_int_eq(ask.status, PE_OK);
    ck_assert_ptr_null(request_options(ask.request)->format);
    ask_free(&ask);
    ask_query(&ask, "rope", ROPE "&dmi=1", "image/jpeg");
    ck_assert_int_eq(ask.status, PE_UNKNOWN_PARAMETER);
    ask_free(&ask);
}
END_TEST

START_TEST(a_pinned_revision_is_known_and_changes_nothing_else)
{
    struct ask plain, pinned;

    ask_query(&plain, "rope", ROPE, NULL);
    ask_query(&pinned, "rope", ROPE "&rev=2", NULL);
    ck_assert(!request_options(plain.request)->rev_pinned);
    ck_assert(request_options(pinned.request)->rev_pinned);
    ck_assert_str_eq(request_etag(plain.request, CONTENT_CODING_IDENTITY),
                     request_etag(pinned.request, CONTENT_CODING_IDENTITY));
    ask_free(&plain);
    ask_free(&pinned);
}
END_TEST

SUITE(request, TEST(at_most_32_members_are_read), TEST(the_format_parameter_beats_accept),
      TEST(what_no_format_fits_has_no_format_but_its_errors),
      TEST(a_pinned_revision_is_known_and_changes_nothing_else));
