/* SPDX-License-Identifier: Apache-2.0
 * test_request_words.c - words of a command line make the request that a query makes, or its
 * problems; and every lack of memory on the way. */
#include <stdlib.h>
#include <string.h>

#include "server/cli/request_words.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

static struct pe_errors errors;
static struct request_words words;

/* Makes the request of compute's words; NULL when out of memory. */
static struct request *ask(char *given[], size_t count)
{
    struct call call = {.command = command_at(COMMAND_COMPUTE), .word = given, .count = count};
    struct request *request = request_new(request_words_encoding(&call));

    pe_errors_clear(&errors);
    words = (struct request_words){.max_elements = 100};
    if (request) {
        request_words_set(request, &call, &words, &errors);
        (void)request_finish(request, NULL, 0, &errors);
    }
    return request;
}

#define ASK(...) ask((char *[]){__VA_ARGS__}, sizeof((char *[]){__VA_ARGS__}) / sizeof(char *))

static void expect_canonical(struct request *request, const char *part)
{
    ck_assert_msg(errors.count == 0, "%s %s", errors.at[0].parameter, errors.at[0].detail);
    ck_assert_msg(strstr(request_canonical(request, NULL), part) != NULL, "%s",
                  request_canonical(request, NULL));
    request_free(request);
}

START_TEST(words_are_the_parameters_of_a_query)
{
    expect_canonical(ASK("rope", "dim=8", "pos=0:4", "out=cos"), "&out=cos&");
    expect_canonical(ASK("rope", "dim=8", "pos=1", "pos=5"), "&pos=1,5&");
    expect_canonical(ASK("/v1/rope?dim=8&pos=3", "out=sin"), "&pos=3&");
    expect_canonical(ASK("rope/apply", "pos=3", "x=1,0"), "x=1,0");
}
END_TEST

START_TEST(bytes_of_a_word_that_a_query_would_split_are_kept)
{
    request_free(ASK("rope", "dim=8&pos=3", "pos=1%2+3", "a=b=c"));
    ck_assert_uint_eq(errors.count, 3);
    ck_assert_str_eq(errors.at[0].parameter, "dim");
    ck_assert_ptr_nonnull(strstr(errors.at[0].detail, "8&pos=3"));
    ck_assert_ptr_nonnull(strstr(errors.at[1].detail, "1%2+3"));
    ck_assert_str_eq(errors.at[2].parameter, "a");
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_a_problem_among_others)
{
    request_free(ASK("rope/apply", "x=@/no/such", "pos=a"));
    ck_assert_uint_eq(errors.count, 2);
    ck_assert_uint_eq(words.unread, 1);
    ck_assert_int_eq(words.file_code, 66);
}
END_TEST

START_TEST(a_lack_of_memory_is_a_problem)
{
    bool asked = true;

    for (size_t n = 0; asked; n++) {
        alloc_fail_start(n);
        struct request *request = ASK("rope", "dim=8", "pos=1", "pos=5", "out=cos");
        const bool failed = !request || errors.count > 0;
        request_free(request);
        asked = alloc_fail_stop();
        ck_assert(asked || !failed); /* nothing is raw: its description may be lost */
        ck_assert(!failed || errors.count == 0 || errors.at[0].status == PE_NO_MEMORY);
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
}
END_TEST

SUITE(request_words, TEST(words_are_the_parameters_of_a_query),
      TEST(bytes_of_a_word_that_a_query_would_split_are_kept),
      TEST(a_file_that_cannot_be_read_is_a_problem_among_others),
      TEST(a_lack_of_memory_is_a_problem));
