/* SPDX-License-Identifier: Apache-2.0
 * test_cors.c - the longest headers for an origin; cors.scenarios has the origins that may read
 * responses. */
#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"
#include "tests/support/visit.h"

/* The longest values in a response's head, tested with the longest head of a request. */
static char long_origin[CONFIG_ITEM_SIZE], long_prefix[CONFIG_PREFIX_MAX];

static void all_at_its_longest(struct config *config)
{
    memset(long_origin, 'o', sizeof long_origin - 1);
    memcpy(long_origin, "https://", 8);
    memset(long_prefix, 'p', sizeof long_prefix - 1);
    long_prefix[0] = '/';
    memcpy(config->cors_origins.item[0], long_origin, sizeof long_origin);
    config->cors_origins.count = 1;
    config->path_prefix = long_prefix;
}

START_TEST(the_longest_response_heads_fit)
{
    static char target[2000], headers[9000];
    struct visit visit = {.service = NULL};
    char *end;
    size_t lines = 3; /* header lines so far, with Host */

    visit_begin(&visit, all_at_its_longest);
    end = target + snprintf(target, sizeof target, "%s/v1/rope?dim=8&format=npy&out=cos&pos=0",
                            long_prefix);
    for (unsigned i = 1; i < 90; i++)
        end += snprintf(end, 16, ",%u", i * i % 977);
    end = headers + snprintf(headers, sizeof headers, "Origin: %s\r\nX-Request-Id: %064d\r\n",
                             long_origin, 7);
    for (; lines < 100; lines++)
        end += snprintf(end, 64, "A%zu: %050d\r\n", lines, 0);
    for (int times = 0; times < 3; times++) {
        visit_ask(&visit, "GET", target, headers);
        ck_assert_int_eq(visit.answer.status, 200);
        visit_expect_header(&visit, "Access-Control-Allow-Origin", long_origin);
    }
    visit_end(&visit);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(the_longest_response_heads_fit),
};

const struct suite cors_suite = {SUITE_TESTS(tests), .timeout = 30};
