/* SPDX-License-Identifier: Apache-2.0
 * test_http_rows.c - the requests and answers that stand in the .txt files of tests/http, and
 * how a row fails (tests/support/http_row.h). */
#include <string.h>

#include "tests/support/black_box.h"
#include "tests/support/http_row.h"

/* Returns the rows of all files, which are read once and kept. */
static const struct rows *all_rows(void)
{
    static struct rows rows;

    if (rows.count == 0)
        rows_read(&rows, "tests/http");
    return &rows;
}

static size_t row_count(void)
{
    return all_rows()->count;
}

START_TEST(each_row_of_the_data_files_holds)
{
    char why[2000];

    ck_assert_msg(http_row_holds(black_box_web(), &all_rows()->at[_i], why, sizeof why), "%s",
                  why);
}
END_TEST

#define COS "/v1/rope?dim=8&pos=0:4&out=cos&format=json"
#define SIN "/v1/rope?dim=8&pos=0:4&out=sin&format=json"
#define BAD "/v1/rope?dim=7&pos=0:4&heds=1"

/* Each text is one wrong row; its message holds the other string. */
static const struct {
    const char *text, *said;
} wrong[] = {
    {"/livez => 404\n", "x.txt:1: /livez: the status is 200"},
    {"\n/livez\n    answer: 404\n", "x.txt:3: /livez: the status is 200"},
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
    {COS "\n    same answer as: " SIN "\n", "the bodies differ"},
    {COS "\n    same answer as: " BAD "\n", "200 and 400"},
    {"/livez\n    same answer as: /livez\n", "no ETag or no Content-Location"},
    {"/livez\n    same answer as: {Content-Location}\n", "(none): a request is [METHOD]"},
    {COS "\n    same body as: " COS "\n", "\"same body as:\" is no expectation"},
    {COS "\n    304 of: " COS "\n", "the status is 200"},
    {COS " -H 'If-None-Match: *'\n    304 of: " BAD "\n", "Content-Length is "},
    {COS " -H 'If-None-Match: *'\n    304 of: " COS "&rev=2\n", "Cache-Control is "},
    {COS "\n    coins: 3\n", "\"coins:\" is no expectation"},
    {"GET\n    answer: 200\n", "a request is [METHOD] /TARGET"},
    {"/livez -X POST => 200\n", "a request has the options -d, once, and -H"},
    {"/livez -d a -d b => 200\n", "a request has the options -d, once, and -H"},
    {"/livez -H => 200\n", "an option of the request has no value"},
    {"/livez\n", "the input above has no expectation"},
};

START_TEST(a_wrong_row_fails_with_its_file_and_line)
{
    struct rows rows = {.count = 0};
    char why[2000];

    rows_parse(&rows, "x.txt", wrong[_i].text);
    ck_assert_uint_eq(rows.count, 1);
    ck_assert_msg(!http_row_holds(black_box_web(), &rows.at[0], why, sizeof why),
                  "%s: nothing failed", wrong[_i].text);
    ck_assert_msg(strncmp(why, "x.txt:", 6) == 0 && strstr(why, wrong[_i].said), "%s", why);
    rows_free(&rows);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_COUNTED(each_row_of_the_data_files_holds, row_count),
    TEST_EACH(a_wrong_row_fails_with_its_file_and_line, wrong),
};

const struct suite http_rows_suite = {SUITE_TESTS(tests), BLACK_BOX};
