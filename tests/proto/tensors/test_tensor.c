/* SPDX-License-Identifier: Apache-2.0
 * test_tensor.c - the memory of tensors whose numbers become lists of the request. */
#include "proto/tensors/tensor.h"

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

enum { COUNT = 100 };

/* A list is kept as float64 beside the tensor; what is not float64 is copied before. */
static const struct {
    const char *name;
    enum pe_dtype dtype;
    uint64_t bytes, growth;
} lists[] = {{"a", PE_U8, COUNT, 16 * COUNT},      {"a", PE_F16, 2 * COUNT, 16 * COUNT},
             {"b", PE_I64, 8 * COUNT, 16 * COUNT}, {"b", PE_F64, 8 * COUNT, 8 * COUNT},
             {"x", PE_F32, 4 * COUNT, 0},          {"q", PE_F64, 8 * COUNT, 0}};

START_TEST(a_list_takes_its_numbers_as_float64_besides_and_a_copy)
{
    const struct pe_encoding *enc = core_query_find("grape-m/apply");
    const struct pe_tensor info = {.dtype = lists[_i].dtype, .rank = 1, .dims = {COUNT}};
    struct tensor_set set = {0};

    ck_assert_ptr_nonnull(tensor_set_add(&set, lists[_i].name, &info));
    ck_assert_uint_eq(tensor_set_bytes(&set), lists[_i].bytes);
    ck_assert_uint_eq(tensor_set_list_growth(&set, enc), lists[_i].growth);
    ck_assert_uint_eq(tensor_set_list_bytes(&set, enc),
                      lists[_i].growth > 0 ? sizeof(double) * COUNT : 0);
    tensor_set_fini(&set);
}
END_TEST

SUITE(tensor, TEST_EACH(a_list_takes_its_numbers_as_float64_besides_and_a_copy, lists));
