/* SPDX-License-Identifier: Apache-2.0
 * test_guide_state.c - tests what a query says of the figures of a chapter. */
#include <string.h>

#include "proto/pages/guide_state.h"
#include "tests/support/suite.h"

static const struct guide_control moved[] = {
    {"p", "2", 0, 9, NULL}, {"k", "3", -4, 9, NULL}, {NULL, NULL, 0, 0, NULL}};
static const struct guide_control chosen[] = {
    {"way", "", 0, 0, (const char *const[]){"", "combine=add", "base={p}", NULL}},
    {"p", "7", 0, 9, NULL},
    {NULL, NULL, 0, 0, NULL}};
static const struct guide_part parts[] = {
    {"<p>", false, NULL, NULL},
    {"/v1/rope?pos=5,-3", true, "/v1/rope?pos={p+k},{k}", moved},
    {"/v1/rope?dim=8", true, "/v1/rope?dim=8&{way}&&out=cos&{way}", chosen},
    {NULL, false, NULL, NULL},
};
static const struct guide chapter = {"learn/x", "X", "X.", parts};

/* Words of the two figures that are kept, and their requests; NULL: as the document has it. */
static const struct {
    const char *query, *words, *first, *second;
} cases[] = {
    {"", "", NULL, NULL},
    {"p=4", "p=4", "/v1/rope?pos=7,3", NULL},
    {"k=-2&p=9&utm=1", "p=9&k=-2", "/v1/rope?pos=7,-2", NULL},
    {"way2=1", "way2=1", NULL, "/v1/rope?dim=8&combine=add&out=cos&combine=add"},
    {"way2=0", "way2=0", NULL, "/v1/rope?dim=8&out=cos"},
    {"way2=2&p2=5", "way2=2&p2=5", NULL, "/v1/rope?dim=8&base=5&out=cos&base=5"},
    {"p=10&k=x&way2=3&way=1&p2=%201&p2=", "", NULL, NULL},
};

static void expect_request(const struct query *query, size_t number, const char *want)
{
    struct buffer request = {0};

    ck_assert_int_eq(guide_state_add_request(&request, &parts[1 + number], number, query),
                     want != NULL);
    ck_assert_str_eq(request.len > 0 ? request.bytes : "", want ? want : "");
    buffer_fini(&request);
}

START_TEST(words_of_controls_fill_the_request_of_their_figure)
{
    struct pe_errors errors = {.count = 0};
    struct query query;
    struct buffer words = {0};

    query_parse(&query, cases[_i].query, strlen(cases[_i].query), &errors);
    guide_state_read(&words, &chapter, &query);
    ck_assert_str_eq(words.len > 0 ? words.bytes : "", cases[_i].words);
    expect_request(&query, 0, cases[_i].first);
    expect_request(&query, 1, cases[_i].second);
    query_fini(&query);
    buffer_fini(&words);
}
END_TEST

SUITE(guide_state, TEST_EACH(words_of_controls_fill_the_request_of_their_figure, cases));
