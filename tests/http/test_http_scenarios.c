/* SPDX-License-Identifier: Apache-2.0
 * test_http_scenarios.c - the requests and answers that stand in the .scenarios files of
 * tests/http, and how an expectation of an answer fails (tests/support/scenario.h). */
#include <string.h>

#include "tests/support/black_box.h"
#include "tests/support/scenario.h"

/* Returns the rows of all files, which are read once and kept. */
static const struct rows *all_rows(void)
{
    static struct rows rows;

    if (rows.count == 0)
        rows_read_ending(&rows, "tests/http", ".scenarios");
    return &rows;
}

static size_t all_count(void)
{
    return scenario_count(all_rows());
}

START_TEST(each_scenario_of_the_data_files_holds)
{
    size_t count;
    const struct row *first = scenario_find(all_rows(), (size_t)_i, &count);
    char why[2000] = "";

    ck_assert_msg(scenario_holds(first, count, black_box_port(), why, sizeof why), "%s", why);
}
END_TEST

#define COS "/v1/rope?dim=8&pos=0:4&out=cos&format=json"
#define SIN "/v1/rope?dim=8&pos=0:4&out=sin&format=json"
#define BAD "/v1/rope?dim=7&pos=0:4&heds=1"
#define COPY "\n    copy c: "

/* Each text is one wrong scenario; its message holds the other string. */
static const struct {
    const char *text, *said;
} wrong[] = {
    {"/livez => 404\n", "x:1: /livez: the status is 200"},
    {"\n/livez\n    answer: 404\n", "x:3: /livez: the status is 200"},
    {"/livez => fine\n", "an answer begins with its status"},
    {"/livez => 200 bad-request\n", "Content-Type is "},
    {BAD " => 400 bad-request\n", "no problem bad-request: "},
    {BAD " => 400 invalid-parameter base\n", "no error of base: "},
    {BAD " => 400 invalid-parameter dim 8.5\n", "the error is {"},
    {BAD " => 400 invalid-parameter - 9 parameters\n", "the body is {"},
    {BAD "\n    error dim: eight\n", "it says must be an even number"},
    {BAD "\n    error heds hint: base\n", "it says "},
    {BAD "\n    error heds help: heads\n", "it says "},
    {BAD "\n    pointer: #/dim\n", "400 with 2 errors"},
    {"/livez\n    header Content-Type: a\n", "the head is\nHTTP/1.1 200"},
    {"/livez\n    header Contents: a\n", "the head is"},
    {"/livez\n    header Content-Type has: png\n", "the head is"},
    {"/livez\n    header Content-Type lacks: /\n", "the head is"},
    {"/livez\n    header Contents lacks: a\n", "the head is"},
    {"/livez\n    no header: Content-Type\n", "the head is"},
    {COS "\n    body has: tensor2\n", "the body is {"},
    {COS "\n    body lacks: tensors\n", "the body is {"},
    {COS "\n    body has in order: tensors encoding\n", "the body is {"},
    {COS "\n    body: {\n", "the body is {"},
    {COS "&x=1\n    length: 1\n", "bytes"},
    {COS "\n    length below: 10\n", "the body has "},
    {COS "\n    json /encoding: \"alibi\"\n", "it is \"rope\""},
    {COS "\n    json /encoding: rope\n", "it is \"rope\""},
    {COS "\n    json /encoding is: object\n", "it is \"rope\""},
    {COS "\n    json /encoding length: 4\n", "it is \"rope\""},
    {COS "\n    json /tensors length: 2\n", "it is [{"},
    {COS "\n    json /tensors length at least: 2\n", "it is [{"},
    {COS "\n    json /tensors/1: 0\n", "nothing is at /tensors/1"},
    {"/metrics\n    json /a: 0\n", "not JSON ("},
    {SIN COPY COS "\n    same answer as: c\n", "the bodies differ"},
    {SIN COPY COS "\n    same bytes as: c\n", "the bodies differ"},
    {COS COPY BAD "\n    same answer as: c\n", "copy c: the status is 400"},
    {BAD COPY COS "\n    same answer as: c\n", "the status is 400"},
    {"/livez" COPY "/livez\n    same answer as: c\n", "the other answer has no ETag"},
    {"/livez\n    same answer as: c\n", "there is no other answer"},
    {"/livez\n    304 of: c\n", "there is no other answer"},
    {"/livez" COPY "{place}\n    same answer as: c\n", "copy c: a request is [METHOD]"},
    {COS COPY COS "\n    same body as: c\n", "\"same body as:\" is no expectation"},
    {COS COPY COS "\n    304 of: c\n", "the status is 200"},
    {COS " -H 'If-None-Match: *'" COPY "/v1/rope?dim=8&pos=0:4\n    304 of: c\n",
     "Content-Length is "},
    {COS " -H 'If-None-Match: *'" COPY COS "&rev=2\n    304 of: c\n", "Cache-Control is "},
    {COS "\n    coins: 3\n", "\"coins:\" is no expectation"},
    {"a\n    ask: GET\n", "a request is [METHOD] /TARGET"},
    {"/livez -X POST => 200\n", "a request has the options -d, once, and -H"},
    {"/livez -d a -d b => 200\n", "a request has the options -d, once, and -H"},
    {"/livez -H => 200\n", "an option of the request has no value"},
    {"/livez\n", "the input above has no expectation"},
    {"a\n    flags: --threads=1\n", "x:2: flags: the server is another process"},
    {"a\n    restart:\n", "x:2: restart: the server is another process"},
    {"a\n    reload:\n", "x:2: reload: the server is another process"},
    {"a\n    release:\n", "x:2: release: the server is another process"},
    {"a\n    reserve all but: 1\n", "the server is another process"},
    {"a\n    overload: 96\n", "x:2: overload: the server is another process"},
    {"a\n    metric posencd_x: 1\n", "the server is another process"},
    {"a\n    ask admin: /livez\n", "x:2: ask admin: the server is another process"},
};

START_TEST(a_wrong_expectation_fails_with_its_file_and_line)
{
    struct rows rows = {.count = 0};
    char why[2000] = "nothing failed";

    rows_parse(&rows, "x", wrong[_i].text);
    ck_assert(!scenario_holds(rows.at, rows.count, black_box_port(), why, sizeof why));
    ck_assert_msg(strncmp(why, "x:", 2) == 0 && strstr(why, wrong[_i].said), "%s: %s",
                  wrong[_i].text, why);
    rows_free(&rows);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_COUNTED(each_scenario_of_the_data_files_holds, all_count),
    TEST_EACH(a_wrong_expectation_fails_with_its_file_and_line, wrong),
};

const struct suite http_scenarios_suite = {SUITE_TESTS(tests), BLACK_BOX};
