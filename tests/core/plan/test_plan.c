/* SPDX-License-Identifier: Apache-2.0
 * test_plan.c - making plans: limits before memory, the three kinds. Shapes, groups and sizes
 * that are too large are rows of tensors.txt and limits.txt. */
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/core_sample.h"
#include "tests/support/core_vectors.h"
#include "tests/support/suite.h"

START_TEST(a_plan_has_its_arguments_tensors_and_cost)
{
    struct pe_args *args = core_query_checked(&core_sample, "pos=0:5&dim=4&out=negated,mask");
    struct pe_limits limits = {.max_elements = 40, .max_prepared = 0};
    struct pe_errors errors = {.count = 0};
    struct pe_plan *plan = NULL;

    ck_assert_int_eq(pe_plan_new(&plan, args, NULL, &limits, &errors), PE_OK);
    ck_assert_ptr_eq(pe_plan_args(plan), args);
    pe_args_free(args);
    ck_assert_uint_eq(pe_plan_tensor_count(plan), 2);
    ck_assert_str_eq(pe_plan_tensor(plan, 0)->output->name, "negated");
    ck_assert_int_eq(pe_plan_tensor(plan, 0)->dtype, PE_F32);
    ck_assert_int_eq(pe_plan_tensor(plan, 1)->dtype, PE_BOOL8);
    ck_assert_uint_eq(pe_plan_elements(plan), 5 * 4 + 5 * 4);
    ck_assert(pe_plan_cost_ns(plan, 100) == 200);
    ck_assert_ptr_eq(pe_plan_ref(plan), plan);
    pe_plan_free(plan);
    ck_assert_uint_eq(pe_plan_elements(plan), 40); /* the second owner's */
    pe_plan_free(plan);
    pe_plan_free(NULL);
}
END_TEST

START_TEST(nothing_times_huge_is_nothing)
{
    struct pe_plan *plan =
        core_query_plan(&core_sample, "pos=0:0&len=9007199254740992&out=mask");

    ck_assert_uint_eq(pe_plan_elements(plan), 0);
    ck_assert_uint_eq(pe_plan_tensor(plan, 0)->cols, UINT64_C(1) << 53);
    pe_plan_free(plan);
    plan = core_query_plan(&core_sample, "pos=0:9007199254740992&len=0&out=mask");
    ck_assert_uint_eq(pe_plan_elements(plan), 0);
    pe_plan_free(plan);
}
END_TEST

/* ---- whole plans ------------------------------------------------------------------------- */

struct asked {
    uint64_t bytes;
    bool granted;
};

static bool note(void *context, uint64_t bytes)
{
    struct asked *asked = context;

    asked->bytes += bytes;
    return asked->granted;
}

START_TEST(memory_is_asked_for_precomputed_results_and_for_nothing_else)
{
    struct asked asked = {.granted = true};
    struct pe_limits limits = {.max_elements = 1000,
                               .max_prepared = 1000,
                               .reserve = note,
                               .context = &asked};
    struct pe_args *args = core_query_checked(&core_sample_sums, "pos=0:50&out=sums,counts");
    struct pe_errors errors = {.count = 0};
    struct pe_plan *plan;

    ck_assert_int_eq(pe_plan_new(&plan, args, NULL, &limits, &errors), PE_OK);
    ck_assert_uint_eq(asked.bytes, 100 * sizeof(double));
    pe_plan_free(plan);
    asked.granted = false;
    ck_assert_int_eq(pe_plan_new(&plan, args, NULL, &limits, &errors), PE_NO_MEMORY);
    pe_args_free(args);
    asked.bytes = 0;
    pe_errors_clear(&errors);
    args = core_query_checked(&core_sample, "pos=0:5&len=4&out=mask");
    ck_assert_int_eq(pe_plan_new(&plan, args, NULL, &limits, &errors), PE_OK);
    ck_assert_uint_eq(asked.bytes, 0);
    pe_plan_free(plan);
    pe_args_free(args);
}
END_TEST

/* grape-m keeps four lists of a plane for each head. */
START_TEST(memory_that_a_plan_cannot_do_without_is_asked_for)
{
    struct asked asked = {.granted = true};
    const struct pe_limits limits = {.max_elements = 1000,
                                     .max_prepared = 1000,
                                     .reserve = note,
                                     .context = &asked,
                                     .brief = _i == 1};
    struct pe_args *args = core_query_checked(
        core_query_find("grape-m/apply"),
        "pos=1,2&a=1,0,0,2;0,1,2,1&b=0,1,1,0;3,0,1,1&x=f32:2x2x4&seq_axis=0");
    struct pe_errors errors = {.count = 0};
    struct pe_plan *plan;

    ck_assert_int_eq(pe_plan_new(&plan, args, NULL, &limits, &errors), PE_OK);
    ck_assert_uint_ge(asked.bytes, 2 * 4 * 4 * sizeof(double));
    pe_plan_free(plan);
    asked.granted = false;
    ck_assert_int_eq(pe_plan_new(&plan, args, NULL, &limits, &errors), PE_NO_MEMORY);
    pe_args_free(args);
}
END_TEST

START_TEST(memory_of_a_table_is_asked_for_where_no_other_plan_has_it)
{
    struct asked asked = {.granted = true};
    const struct pe_limits limits = {.max_elements = 1 << 20,
                                     .reserve = note,
                                     .context = &asked};
    struct pe_args *args = core_query_checked(core_query_find("rope"), "dim=64&pos=0:4096");
    struct pe_table *table = pe_table_build(args);
    const uint64_t rows = pe_table_growth(table, args);
    struct pe_errors errors = {.count = 0};
    struct pe_plan *plan;

    ck_assert_uint_gt(rows, 0); /* filling adds them */
    ck_assert_int_eq(pe_plan_new(&plan, args, NULL, &limits, &errors), PE_OK);
    ck_assert_uint_eq(asked.bytes, pe_table_bytes(table) + rows);
    pe_plan_free(plan);
    asked = (struct asked){.granted = false};
    ck_assert_int_eq(pe_plan_new(&plan, args, table, &limits, &errors), PE_OK);
    ck_assert_uint_eq(asked.bytes, 0);
    pe_plan_free(plan);
    ck_assert_int_eq(pe_plan_new(&plan, args, NULL, &limits, &errors), PE_NO_MEMORY);
    pe_table_free(table);
    pe_args_free(args);
}
END_TEST

/* Diagonals of alibi, numbers of t5 and swin: kept where there is memory. */
START_TEST(without_memory_that_only_saves_time_the_bytes_are_the_same)
{
    static const char *const queries[][2] = {
        {"alibi", "heads=4&len=80"},
        {"t5", "len=140&out=bias&table=f32:32x3"},
        {"swin", "window_size=7x7&out=bias&table=f32:169x3"},
        {"sandwich", "heads=20&q=0:280:7&k=3:283:7&dim=8&causal=1&future=zero"},
        {"kerple", "q=-90:0&k=-50:70&a=1,2,0.5&p=1,0.3,2"},
    };
    struct asked asked = {.granted = _i % 3 == 1};
    struct pe_limits limits = {.max_elements = 100000,
                               .max_prepared = 1,
                               .reserve = note,
                               .context = &asked,
                               .brief = _i % 3 == 2};
    const struct pe_encoding *enc = core_query_find(queries[_i / 3][0]);
    struct pe_args *args = core_query_checked(enc, queries[_i / 3][1]);
    struct pe_plan *plan, *with = core_query_plan(enc, queries[_i / 3][1]);
    const struct pe_tensor_info *tensor = pe_plan_tensor(with, 0);
    struct pe_errors errors = {.count = 0};
    void *bytes, *expected;

    ck_assert_int_eq(pe_plan_new(&plan, args, NULL, &limits, &errors), PE_OK);
    ck_assert((asked.bytes > 0) == !limits.brief);
    ck_assert((pe_plan_cost_ns(plan, 1) > pe_plan_cost_ns(with, 1)) == !asked.granted);
    bytes = core_query_bytes(plan, 0);
    expected = core_query_bytes(with, 0);
    ck_assert_mem_eq(bytes, expected, tensor->rows * tensor->cols * sizeof(float));
    free(bytes);
    free(expected);
    pe_plan_free(with);
    pe_plan_free(plan);
    pe_args_free(args);
}
END_TEST

START_TEST(a_whole_plan_answers_from_what_it_computed)
{
    struct pe_plan *plan = core_query_plan(&core_sample_sums, "pos=1:9,0.5&out=sums,counts");
    double *sums = core_query_doubles(plan, 0), *counts = core_query_doubles(plan, 1);
    struct pe_rect middle = {0, 1, 3, 4};

    _Alignas(64) unsigned char scratch[1 << 16];
    double part[4];
    void *out[] = {part};

    ck_assert(sums[0] == 1 && sums[3] == 10 && sums[7] == 36 && sums[8] == 36.5);
    ck_assert(counts[0] == 1 && counts[8] == 9);
    ck_assert_uint_le(pe_plan_scratch(plan, 4), sizeof scratch);
    pe_fill(plan, 0, &middle, out, NULL, scratch);
    ck_assert_mem_eq(part, sums + 3, sizeof part);
    free(sums);
    free(counts);
    pe_plan_free(plan);
}
END_TEST

/* ---- plans of client data ---------------------------------------------------------------- */

static struct pe_plan *plan_of_data(const struct pe_tensor *x, const struct pe_tensor *y,
                                    const char *dtype)
{
    struct pe_limits limits = {.max_elements = 1000, .max_prepared = 0};
    struct pe_args *args = pe_args_new(&core_sample_scaled);
    struct pe_errors errors = {.count = 0};
    struct pe_plan *plan = NULL;

    pe_args_set_tensor(args, "x", 1, x, &errors);
    if (y)
        pe_args_set_tensor(args, "y", 1, y, &errors);
    pe_args_set_text(args, "dtype", 5, dtype, strlen(dtype), &errors);
    ck_assert_int_eq(pe_args_check(args, &errors), PE_OK);
    ck_assert_int_eq(pe_plan_new(&plan, args, NULL, &limits, &errors), PE_OK);
    pe_args_free(args);
    return plan;
}

START_TEST(client_data_is_given_when_filling)
{
    static const float x[] = {1, -2, 3, 4, 5, 6.5F};
    static const int32_t y[] = {10, 20, 30, 40, 50, 60};
    struct pe_tensor x_shape = {PE_F32, 2, {3, 2}}, y_shape = {PE_I32, 2, {3, 2}};
    struct pe_plan *plan = plan_of_data(&x_shape, &y_shape, "f64");
    struct pe_rect all = {0, 3, 0, 2}, last_row = {2, 1, 0, 2};

    _Alignas(64) unsigned char scratch[1 << 16];
    const void *input[] = {x, y};
    double values[6], row[2];
    void *out[] = {values}, *row_out[] = {row};

    ck_assert_uint_le(pe_plan_scratch(plan, 6), sizeof scratch);
    pe_fill(plan, 0, &all, out, input, scratch);
    ck_assert(values[0] == 12 && values[1] == 16 && values[5] == 73);
    pe_fill(plan, 0, &last_row, row_out, input, scratch);
    ck_assert(row[0] == 60 && row[1] == 73);
    pe_plan_free(plan);
}
END_TEST

START_TEST(one_plan_serves_the_data_of_many)
{
    static const double first[] = {1, 2}, second[] = {-1, 8};
    struct pe_tensor shape = {PE_F64, 2, {1, 2}};
    struct pe_plan *plan = plan_of_data(&shape, NULL, "f32");
    struct pe_rect all = {0, 1, 0, 2};

    _Alignas(64) unsigned char scratch[1 << 16];
    const void *input[] = {first, NULL};
    float values[2];
    void *out[] = {values};

    pe_fill(plan, 0, &all, out, input, scratch);
    ck_assert(values[0] == 2 && values[1] == 4);
    input[0] = second;
    pe_fill(plan, 0, &all, out, input, scratch);
    ck_assert(values[0] == -2 && values[1] == 16);
    pe_plan_free(plan);
}
END_TEST

START_TEST(a_shape_that_does_not_fit_is_refused)
{
    struct pe_tensor flat = {PE_F32, 1, {6}};
    struct pe_args *args = pe_args_new(&core_sample_scaled);
    struct pe_errors errors = {.count = 0};

    pe_args_set_tensor(args, "x", 1, &flat, &errors);
    ck_assert_int_eq(pe_args_check(args, &errors), PE_CONFLICT);
    ck_assert_str_eq(errors.at[0].parameter, "x");
    ck_assert_str_eq(errors.at[0].detail, "must have two axes; got 1");
    pe_args_free(args);
}
END_TEST

/* Each tensor that is sent is answered under its own name and in its own dtype. */
START_TEST(tensors_that_are_given_are_wanted)
{
    struct pe_tensor q = {PE_F16, 2, {3, 4}}, k = {PE_BF16, 3, {3, 1, 4}};
    struct pe_limits limits = {.max_elements = 1000, .max_prepared = 0};
    struct pe_args *args = pe_args_new(&core_vectors);
    struct pe_errors errors = {.count = 0};
    struct pe_plan *plan = NULL;

    pe_args_set_tensor(args, "q", 1, &q, &errors);
    pe_args_set_tensor(args, "k", 1, &k, &errors);
    ck_assert_int_eq(pe_args_check(args, &errors), PE_OK);
    ck_assert_int_eq(pe_plan_new(&plan, args, NULL, &limits, &errors), PE_OK);
    ck_assert_uint_eq(pe_plan_tensor_count(plan), 2);
    ck_assert_str_eq(pe_plan_tensor(plan, 0)->output->name, "q");
    ck_assert_str_eq(pe_plan_tensor(plan, 1)->output->name, "k");
    ck_assert_int_eq(pe_plan_tensor(plan, 0)->dtype, PE_F16);
    ck_assert_int_eq(pe_plan_tensor(plan, 1)->dtype, PE_BF16);
    ck_assert_uint_eq(pe_plan_tensor(plan, 1)->rank, 3);
    pe_args_free(args);
    pe_plan_free(plan);
}
END_TEST

START_TEST(without_a_tensor_the_default_one_is_missing)
{
    struct pe_args *args = pe_args_new(&core_vectors);
    struct pe_errors errors = {.count = 0};

    ck_assert_int_eq(pe_args_check(args, &errors), PE_MISSING_PARAMETER);
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_str_eq(errors.at[0].parameter, "x");
    pe_args_free(args);
}
END_TEST

SUITE(plan, TEST(a_plan_has_its_arguments_tensors_and_cost),
      TEST(nothing_times_huge_is_nothing),
      TEST(memory_is_asked_for_precomputed_results_and_for_nothing_else),
      TEST(memory_of_a_table_is_asked_for_where_no_other_plan_has_it),
      TEST_RANGE(memory_that_a_plan_cannot_do_without_is_asked_for, 0, 2),
      TEST_RANGE(without_memory_that_only_saves_time_the_bytes_are_the_same, 0, 15),
      TEST(a_whole_plan_answers_from_what_it_computed), TEST(client_data_is_given_when_filling),
      TEST(one_plan_serves_the_data_of_many), TEST(a_shape_that_does_not_fit_is_refused),
      TEST(tensors_that_are_given_are_wanted),
      TEST(without_a_tensor_the_default_one_is_missing));
