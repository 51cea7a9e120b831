/* SPDX-License-Identifier: Apache-2.0
 * test_option.c - other spellings of an option's value have one canonical form and one tag. */

#include "tests/proto/support/ask.h"
#include "tests/support/suite.h"

#define ROPE "pos=0:2&dim=4"

static const char *const same[][2] = {
    {ROPE "&out=cos&format=npy", ROPE "&out=cos&format=numpy"},
    {ROPE "&out=cos&format=raw", ROPE "&out=cos&format=binary"},
    {ROPE "&pairing=half", ROPE "&pairing=rotate_half"},
    {ROPE "&scaling=linear&factor=2", ROPE "&scaling=pi&factor=2"},
};

START_TEST(what_others_call_a_choice_is_that_choice)
{
    struct ask ours, theirs;

    ask_query(&ours, "rope", same[_i][0], NULL);
    ask_query(&theirs, "rope", same[_i][1], NULL);
    ck_assert_msg(theirs.plan != NULL, "%s: %s", same[_i][1], theirs.errors.at[0].detail);
    ck_assert_str_eq(request_canonical(ours.request, NULL),
                     request_canonical(theirs.request, NULL));
    ask_free(&ours);
    ask_free(&theirs);
}
END_TEST

static const struct {
    const char *body, *problem;
} words[] = {
    {"{\"model\": 5}", "#/model: must be a name of at most 95 characters; got a number"},
    {"{\"model\": [5]}", "#/model: must be a name of at most 95 characters; got an array"},
};

START_TEST(a_name_is_neither_a_number_nor_an_array)
{
    char text[512];

    ck_assert_str_eq(ask_body_problem("rope", ROPE, words[_i].body, text), words[_i].problem);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(what_others_call_a_choice_is_that_choice, same),
    TEST_EACH(a_name_is_neither_a_number_nor_an_array, words),
};

const struct suite option_suite = {SUITE_TESTS(tests)};
