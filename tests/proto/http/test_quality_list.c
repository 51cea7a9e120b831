/* SPDX-License-Identifier: Apache-2.0
 * test_quality_list.c - tests lists of content negotiation, element by element. */
#include <stdio.h>
#include <string.h>

#include "proto/http/quality_list.h"
#include "tests/support/suite.h"

/* The list, and the elements that are read from it, each with its thousandths. */
static const struct {
    const char *list, *read;
} cases[] = {
    {"", ""},
    {" ,\t, ,", ""},
    {"a", "a=1000 "},
    {" a , b;q=0.5,c ; q=0.125 ;x=1", "a=1000 b=500 c=125 "},
    {"a;x=y;Q=0", "a=0 "},
    {"a;q=1.000,b;q=0.001,c;q=1.,d;q=0.", "a=1000 b=1 c=1000 d=0 "},
    {"a;q=1.001,b;q=2,c;q=0.1234,d;q=,e;q=.5,f;q=-1,g;q=x,h", "h=1000 "},
    {";q=0.5,a", "a=1000 "},
    {"a;t=\"x,y;q=0\";q=0.3,b", "a=300 b=1000 "},
    {"\"a,b", "\"a,b=1000 "},
    {"a;t=\"x\\\",y\",b", "a=1000 b=1000 "},
};

START_TEST(elements_come_with_their_weights)
{
    const char *at = cases[_i].list, *end = at + strlen(at);
    struct quality_list element;
    char read[200] = "";
    size_t len = 0;

    while (quality_list_next(&at, end, &element))
        len += (size_t)snprintf(read + len, sizeof read - len, "%.*s=%u ", (int)element.len,
                                element.text, element.q);
    ck_assert_msg(strcmp(read, cases[_i].read) == 0, "%s: %s", cases[_i].list, read);
    ck_assert_ptr_eq(at, end);
}
END_TEST

START_TEST(nothing_is_read_beyond_the_end)
{
    const char text[] = "a;q=0.5,b";
    const char *at = text;
    struct quality_list element;

    ck_assert(quality_list_next(&at, text + 5, &element)); /* the element "a;q=0" */
    ck_assert_uint_eq(element.q, 0);
    ck_assert(!quality_list_next(&at, text + 5, &element));
}
END_TEST

static const struct suite_test tests[] = {
    TEST_RANGE(elements_come_with_their_weights, 0, (sizeof cases / sizeof cases[0])),
    TEST(nothing_is_read_beyond_the_end),
};

const struct suite quality_list_suite = {SUITE_TESTS(tests)};
