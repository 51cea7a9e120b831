/* SPDX-License-Identifier: Apache-2.0
 * test_position_list.c - positions of a tensor as text. */
#include <stdlib.h>
#include <string.h>

#include "server/cli/tensors/position_list.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

static void expect(const double *numbers, size_t count, const char *wanted)
{
    struct buffer text = {0};
    struct tensor tensor = {.info = {PE_F64, 1, {count}},
                            .bytes = count * sizeof *numbers,
                            .data = (void *)(uintptr_t)numbers};

    ck_assert(position_list_write(&text, &tensor));
    ck_assert_str_eq(text.bytes, wanted);
    buffer_fini(&text);
}

#define EXPECT(WANTED, ...)                                                                    \
    expect((const double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double),    \
           WANTED)

START_TEST(runs_are_slices)
{
    EXPECT("0:4", 0, 1, 2, 3);
    EXPECT("5:0:-2", 5, 3, 1);
    EXPECT("0:3,10:17:2,7", 0, 1, 2, 10, 12, 14, 16, 7);
    EXPECT("-2:1", -2, -1, 0);
    EXPECT("1,2", 1, 2);
    EXPECT("9,9,9", 9, 9, 9);
    EXPECT("0.5,1.5,2.5", 0.5, 1.5, 2.5);
    EXPECT("0:4", -0.0, 1, 2, 3);
    expect(NULL, 0, "0:0");
}
END_TEST

START_TEST(numbers_beyond_whole_positions_are_left_to_their_check)
{
    EXPECT("9007199254740992,9007199254740994,9007199254740996", 0x1p53, 0x1p53 + 2,
           0x1p53 + 4);
    EXPECT("inf,nan", 1.0 / 0.0, __builtin_nan(""));
}
END_TEST

START_TEST(a_list_has_one_axis)
{
    const double numbers[4] = {0, 1, 2, 3};
    struct buffer text = {0};
    struct tensor tensor = {.info = {PE_F64, 2, {2, 2}}, .bytes = sizeof numbers};

    tensor.data = (void *)(uintptr_t)numbers;
    ck_assert(!position_list_write(&text, &tensor));
    tensor.info.dims[0] = 1;
    tensor.info.dims[1] = 4;
    ck_assert(position_list_write(&text, &tensor));
    ck_assert_str_eq(text.bytes, "0:4");
    buffer_fini(&text);
}
END_TEST

START_TEST(a_lack_of_memory_fails_the_text)
{
    const double number = 1;
    struct buffer text = {0};
    struct tensor tensor = {.info = {PE_F64, 1, {1}}, .bytes = sizeof number};

    tensor.data = (void *)(uintptr_t)&number;
    alloc_fail_start(0);
    const bool listed = position_list_write(&text, &tensor);
    alloc_fail_stop();
    ck_assert(listed && text.failed);
    buffer_fini(&text);
}
END_TEST

SUITE(position_list, TEST(runs_are_slices),
      TEST(numbers_beyond_whole_positions_are_left_to_their_check), TEST(a_list_has_one_axis),
      TEST(a_lack_of_memory_fails_the_text));
