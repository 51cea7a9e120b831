/* SPDX-License-Identifier: Apache-2.0
 * test_tensor_choice.c - one tensor among the names of a file. */
#include <stdio.h>
#include <string.h>

#include "server/cli/tensors/tensor_choice.h"
#include "tests/support/suite.h"

static char why[TENSOR_CHOICE_WHY_SIZE];

#define NAMES(...)                                                                             \
    (const char *const[]){__VA_ARGS__}, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)

static size_t find(const char *wanted, const char *const *names, size_t count)
{
    const struct tensor_choice choice = {wanted, "x"};

    why[0] = '\0';
    return tensor_choice_find(&choice, names, count, why);
}

START_TEST(a_name_is_found_by_itself_or_by_its_end)
{
    ck_assert_uint_eq(find("b", NAMES("a", "b", "c.b")), 1);
    ck_assert_uint_eq(find("wpe", NAMES("h.wte.weight", "h.wpe.weight")), 1);
    ck_assert_uint_eq(find("h.wpe", NAMES("h.wte.weight", "h.wpe.weight")), 1);
    ck_assert_uint_eq(find("wpe.weight", NAMES("h.wpe.bias", "h.wpe.weight")), 1);
    ck_assert_uint_eq(find("wpe", NAMES("h.swpe.weight", "wpe.weight")), 1);
}
END_TEST

START_TEST(a_name_that_is_not_given_is_the_parameters_or_the_only_one)
{
    ck_assert_uint_eq(find(NULL, NAMES("a", "x")), 1);
    ck_assert_uint_eq(find(NULL, NAMES("a")), 0);
    ck_assert_uint_eq(find(NULL, NAMES("a", "b")), 2);
    ck_assert_str_eq(why, "has several tensors; write x=@FILE:TENSOR with one of a, b");
}
END_TEST

START_TEST(a_name_that_is_wrong_lists_the_names)
{
    ck_assert_uint_eq(find("c", NAMES("a", "b")), 2);
    ck_assert_str_eq(why, "has no tensor c; it has a, b");
    ck_assert_uint_eq(find("w", NAMES("a.w", "b.w", "c")), 3);
    ck_assert_str_eq(why, "has several tensors that end in w; choose one of a.w, b.w");
    ck_assert_uint_eq(find("pe", NAMES("wpe", "pe2")), 2);
    ck_assert_uint_eq(find(".weight", NAMES("a.weight", "b")), 2);
}
END_TEST

START_TEST(long_lists_are_cut_at_a_name)
{
    char text[200][24];
    const char *names[200];

    for (size_t i = 0; i < 200; i++) {
        snprintf(text[i], sizeof text[i], "layer.%zu.w", i);
        names[i] = text[i];
    }
    ck_assert_uint_eq(find("v", names, 200), 200);
    ck_assert_ptr_nonnull(strstr(why, "layer.0.w, layer.1.w"));
    ck_assert_ptr_nonnull(strstr(why, ".w and 191 more"));
    ck_assert_str_eq(why + strlen(why) - 5, " more");
}
END_TEST

START_TEST(names_of_any_length_fit_the_sentence)
{
    static char name[3000];
    const char *names[] = {name, name};

    memset(name, 'n', sizeof name - 1);
    ck_assert_uint_eq(find(name + 1, names, 2), 2);
    ck_assert_uint_lt(strlen(why), sizeof why);
    ck_assert_ptr_nonnull(strstr(why, " and 1 more"));
}
END_TEST

SUITE(tensor_choice, TEST(a_name_is_found_by_itself_or_by_its_end),
      TEST(a_name_that_is_not_given_is_the_parameters_or_the_only_one),
      TEST(a_name_that_is_wrong_lists_the_names), TEST(long_lists_are_cut_at_a_name),
      TEST(names_of_any_length_fit_the_sentence));
