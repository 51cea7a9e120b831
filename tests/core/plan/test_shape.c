/* SPDX-License-Identifier: Apache-2.0
 * test_shape.c - lengths of axes, read from the parameters that they are named after. */
#include <stddef.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

struct lengths {
    const struct pe_positions *pos;
    int64_t dim, absent;
    struct pe_reals w, list, empty;
    struct pe_grid grid;
    struct pe_tensor x;
};

static const struct pe_param params[] = {
    PE_ROW_POS(struct lengths, true),
    {PE_FIELD(struct lengths, dim), .type = PE_INT, .max = 0x1p53, .preset = 7},
    {PE_FIELD(struct lengths, w), .type = PE_REALS, .matrix = true, .max = 9},
    {PE_FIELD(struct lengths, list), .type = PE_REALS, .max = 9},
    {PE_FIELD(struct lengths, empty), .type = PE_REALS, .matrix = true, .max = 9},
    {PE_FIELD(struct lengths, grid), .type = PE_GRID},
    {PE_FIELD(struct lengths, x), .type = PE_TENSOR},
    {PE_FIELD(struct lengths, absent), .type = PE_INT, .optional = true, .max = 9},
};

static const struct pe_output outputs[] = {
    {PE_OUTPUT("own", PE_F32, "pos", "dim", "list", "grid"), .by_default = true},
    {PE_OUTPUT("parts", PE_F32, "rows", "columns", "height", "width", "last")},
    {PE_OUTPUT("computed", PE_F32, "pair", "both", "3", "all")},
    {PE_OUTPUT("combined", PE_F32, "less", "product", "first", "second")},
    {PE_OUTPUT("scalar", PE_F32, NULL)},
    {PE_OUTPUT("other", PE_F32, "rows", "left_out", "kept", "sum")},
    {PE_OUTPUT("x", PE_F32, "...")},
};

static const struct pe_encoding encoding = {
    .name = "lengths",
    PE_TABLES(struct lengths, params, outputs),
    .lengths = PE_WORDS("rows=w.0", "columns=w.1", "height=grid.0", "width=grid.1", "last=x.2",
                        "pair=dim/2", "both=2*list", "all=grid+dim+1", "less=2*dim-grid.1-1",
                        "product=dim*list", "first=list|dim", "second=empty.0|grid+1|dim",
                        "other.rows=list", "left_out=absent?", "kept=dim?",
                        "sum=absent|dim*list+absent"),
    .most = PE_WORDS("rows=3", "own=dim-1"),
};

static const struct {
    size_t rank;
    uint64_t dims[PE_MAX_RANK];
} shapes[] = {
    {4, {5, 7, 3, 12}}, {5, {2, 3, 4, 3, 9}}, {4, {3, 6, 3, 20}}, {4, {10, 21, 3, 13}},
    {0, {0}},           {3, {3, 7, 21}},      {3, {8, 1, 9}}};

static struct pe_args *args_of(const char *query)
{
    const uint64_t dims[] = {8, 1, 9};
    struct pe_errors errors = {.count = 0};
    struct pe_args *args;

    ck_assert_int_eq(core_query_args(&args, &encoding, query, &errors), PE_OK);
    ((struct lengths *)(void *)(uintptr_t)pe_args_struct(args))->x =
        (struct pe_tensor){.rank = 3, .dims = {dims[0], dims[1], dims[2]}};
    return args;
}

START_TEST(an_axis_is_as_long_as_its_parameter_or_its_row_of_lengths_says)
{
    struct pe_args *args = args_of("pos=0:5&w=1,2,3;4,5,6&list=1,2,3&grid=4x3");
    uint64_t dims[PE_MAX_RANK];

    ck_assert_uint_eq(pe_output_shape(&encoding, args, pe_args_struct(args), (size_t)_i, dims),
                      shapes[_i].rank);
    for (size_t i = 0; i < shapes[_i].rank; i++)
        ck_assert_uint_eq(dims[i], shapes[_i].dims[i]);
    pe_args_free(args);
}
END_TEST

START_TEST(the_largest_value_is_a_length_too)
{
    struct pe_args *args = args_of("pos=0:5&list=1,2,3&grid=4x3");
    double most = -1;

    ck_assert(!pe_output_most(&encoding, pe_args_struct(args), 1, &most) && most == -1);
    ck_assert(pe_output_most(&encoding, pe_args_struct(args), 0, &most));
    ck_assert_double_eq(most, 6);
    pe_args_free(args);
}
END_TEST

SUITE(shape, TEST(the_largest_value_is_a_length_too),
      TEST_EACH(an_axis_is_as_long_as_its_parameter_or_its_row_of_lengths_says, shapes));
