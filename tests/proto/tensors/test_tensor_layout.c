/* SPDX-License-Identifier: Apache-2.0
 * test_tensor_layout.c - bytes of tensors in a body are counted without overflow, and their
 * axes become the axes of core. */
#include "proto/tensors/tensor_layout.h"

#include "tests/support/suite.h"

static const struct {
    const char *npy;
    size_t rank;
    uint64_t dims[TENSOR_LAYOUT_RANK];
    bool counted;
    uint64_t bytes;
} counts[] = {
    {"f4", 0, {0}, true, 4},
    {"c16", 2, {3, 5}, true, 240},
    {"u1", 3, {UINT64_MAX, UINT64_MAX, 0}, true, 0},
    {"u1", 1, {INT64_MAX - 1}, true, INT64_MAX - 1},
    {"u1", 1, {INT64_MAX}, false, 0},
    {"u2", 2, {UINT64_C(1) << 63, 2}, false, 0},
    {"f8", 1, {UINT64_C(1) << 61}, false, 0},
    {"u1", 8, {256, 256, 256, 256, 256, 256, 256, 256}, false, 0},
};

START_TEST(bytes_are_counted_as_far_as_they_can_be)
{
    struct tensor_layout layout = {.type = element_type_find_npy(counts[_i].npy),
                                   .rank = counts[_i].rank};
    uint64_t bytes;

    for (size_t i = 0; i < layout.rank; i++)
        layout.dims[i] = counts[_i].dims[i];
    ck_assert_int_eq(tensor_layout_bytes(&layout, &bytes), counts[_i].counted);
    if (counts[_i].counted)
        ck_assert_uint_eq(bytes, counts[_i].bytes);
}
END_TEST

START_TEST(a_layout_of_a_tensor_describes_that_tensor)
{
    const struct pe_tensor info = {PE_BF16, 6, {1, 2, 3, 4, 5, 6}};
    const struct tensor_layout layout = tensor_layout_of(&info);
    char why[TENSOR_LAYOUT_WHY_SIZE];
    struct pe_tensor back;

    ck_assert(tensor_layout_info(&layout, &back, why));
    ck_assert(back.dtype == PE_BF16 && back.rank == 6);
    ck_assert_mem_eq(back.dims, info.dims, sizeof info.dims);
}
END_TEST

START_TEST(leading_axes_of_1_are_dropped_only_where_there_are_too_many)
{
    struct tensor_layout layout = {.type = element_type_find_npy("f4"),
                                   .rank = 6,
                                   .dims = {1, 1, 1, 1, 1, 7}};
    char why[TENSOR_LAYOUT_WHY_SIZE];
    struct pe_tensor info;

    ck_assert(tensor_layout_info(&layout, &info, why));
    ck_assert(info.rank == 6 && info.dims[5] == 7);
    layout.type = element_type_find_npy("c8");
    ck_assert(tensor_layout_info(&layout, &info, why));
    ck_assert(info.rank == 6 && info.dims[4] == 7 && info.dims[5] == 2);
    layout.dims[0] = 3;
    ck_assert(!tensor_layout_info(&layout, &info, why));
    ck_assert_str_eq(why,
                     "shape must have at most 5 axes behind leading ones of 1, as elements "
                     "are complex; got 6");
}
END_TEST

SUITE(tensor_layout, TEST_EACH(bytes_are_counted_as_far_as_they_can_be, counts),
      TEST(a_layout_of_a_tensor_describes_that_tensor),
      TEST(leading_axes_of_1_are_dropped_only_where_there_are_too_many));
