/* SPDX-License-Identifier: Apache-2.0
 * test_accept_html.c - which clients get a page. */
#include "proto/http/accept.h"
#include "tests/support/suite.h"

START_TEST(a_browser_gets_html)
{
    ck_assert(accept_html("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"));
    ck_assert(accept_html("Text/HTML"));
    ck_assert(accept_html("application/json;q=0.5, text/html"));
    ck_assert(accept_html("text/html, application/json"));
}
END_TEST

START_TEST(a_program_gets_no_html)
{
    ck_assert(!accept_html(NULL));
    ck_assert(!accept_html(""));
    ck_assert(!accept_html("*/*"));
    ck_assert(!accept_html("text/*"));
    ck_assert(!accept_html("application/json"));
    ck_assert(!accept_html("application/json, text/html;q=0.9"));
    ck_assert(!accept_html("text/html;q=0, */*"));
}
END_TEST

SUITE(accept_html, TEST(a_browser_gets_html), TEST(a_program_gets_no_html));
