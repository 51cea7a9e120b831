/* SPDX-License-Identifier: Apache-2.0
 * test_tensor_path.c - FILE and TENSOR in one word. */
#include <stdio.h>
#include <string.h>

#include "server/cli/tensors/tensor_path.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct tensor_path path;

static void expect(const char *argument, const char *file, const char *tensor)
{
    ck_assert_msg(tensor_path_split(&path, argument), "%s", argument);
    ck_assert_str_eq(path.file, file);
    if (tensor)
        ck_assert_str_eq(path.tensor, tensor);
    else
        ck_assert_ptr_null(path.tensor);
}

START_TEST(a_tensor_stands_behind_the_last_colon)
{
    expect("/no/such/a.npz:x", "/no/such/a.npz", "x");
    expect("/no/such/a:b.npz:x", "/no/such/a:b.npz", "x");
    expect("/no/such/a.npz", "/no/such/a.npz", NULL);
    expect("-", "-", NULL);
    expect("-:x", "-", "x");
}
END_TEST

START_TEST(the_name_of_a_file_may_have_colons)
{
    struct scratch *scratch = scratch_new();
    char argument[SCRATCH_PATH + 8];

    scratch_write(scratch, "a:b", "text");
    snprintf(argument, sizeof argument, "%s", scratch_path(scratch, "a:b"));
    expect(argument, argument, NULL);
    snprintf(argument, sizeof argument, "%s:x:y", scratch_path(scratch, "a:b"));
    expect(argument, scratch_path(scratch, "a:b"), "x:y"); /* a name with a colon of its own */
    scratch_free(scratch);
}
END_TEST

START_TEST(both_parts_have_text_and_a_path_has_an_end)
{
    static char long_path[2 * TENSOR_PATH_SIZE];

    ck_assert(!tensor_path_split(&path, ""));
    ck_assert(!tensor_path_split(&path, ":x"));
    ck_assert(!tensor_path_split(&path, "/no/such:"));
    memset(long_path, 'a', sizeof long_path - 1);
    ck_assert(!tensor_path_split(&path, long_path));
}
END_TEST

SUITE(tensor_path, TEST(a_tensor_stands_behind_the_last_colon),
      TEST(the_name_of_a_file_may_have_colons),
      TEST(both_parts_have_text_and_a_path_has_an_end));
