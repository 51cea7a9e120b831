/* SPDX-License-Identifier: Apache-2.0
 * test_where.c - wrong rows become runs, and distances become the numbers of a picture. */
#include "core/verify/where.h"
#include "tests/support/suite.h"

START_TEST(rows_that_adjoin_are_one_run)
{
    struct pe_verify_where where;

    where_start(&where, 10);
    for (uint64_t i = 0; i < 10; i++)
        where_add(&where, i, (double)i, (i >= 2 && i < 5) || i == 9);
    where_end(&where, 10);
    ck_assert_uint_eq(where.range_count, 2);
    ck_assert_uint_eq(where.range[0].first, 2);
    ck_assert_uint_eq(where.range[0].end, 5);
    ck_assert_uint_eq(where.range[1].first, 9);
    ck_assert_uint_eq(where.range[1].end, 10);
    ck_assert(!where.whole && where.more == 0);
    ck_assert_uint_eq(where.step, 1);
    ck_assert_uint_eq(where.bin_count, 10);
    ck_assert_double_eq(where.most[9], 9);
}
END_TEST

START_TEST(one_run_of_all_rows_is_the_whole)
{
    struct pe_verify_where where;

    where_start(&where, 3);
    for (uint64_t i = 0; i < 3; i++)
        where_add(&where, i, 1, true);
    where_end(&where, 3);
    ck_assert(where.whole);
}
END_TEST

START_TEST(runs_beyond_the_list_are_counted)
{
    struct pe_verify_where where;

    where_start(&where, 100);
    for (uint64_t i = 0; i < 100; i++) /* 25 runs of two rows */
        where_add(&where, i, 1, i % 4 < 2);
    where_end(&where, 100);
    ck_assert_uint_eq(where.range_count, PE_VERIFY_RANGES);
    ck_assert_uint_eq(where.more, 25 - PE_VERIFY_RANGES);
    ck_assert_uint_eq(where.range[PE_VERIFY_RANGES - 1].end, 62);
}
END_TEST

START_TEST(many_rows_share_a_number_of_the_picture)
{
    struct pe_verify_where where;

    where_start(&where, 130);
    for (uint64_t i = 0; i < 130; i++)
        where_add(&where, i, i == 4 ? 7 : 1, false);
    ck_assert_uint_eq(where.step, 3);
    ck_assert_uint_eq(where.bin_count, 44);
    ck_assert_double_eq(where.most[1], 7);
    ck_assert_double_eq(where.most[43], 1);
    ck_assert_uint_eq(where.range_count, 0);
    where_start(&where, 0);
    ck_assert_uint_eq(where.bin_count, 0);
}
END_TEST

START_TEST(two_parts_of_a_tensor_are_joined)
{
    struct pe_verify_where one, other;

    where_start(&one, 20);
    where_start(&other, 20);
    for (uint64_t i = 0; i < 20; i++) {
        where_add(&one, i, 1, i < 4 || i == 12);
        where_add(&other, i, 2, i >= 3 && i < 8);
    }
    where_join(&one, &other);
    ck_assert_uint_eq(one.range_count, 2);
    ck_assert_uint_eq(one.range[0].end, 8);
    ck_assert_uint_eq(one.range[1].first, 12);
    ck_assert_double_eq(one.most[0], 2);
    where_start(&other, 21);
    where_add(&other, 20, 5, true);
    where_join(&one, &other); /* other rows */
    ck_assert_uint_eq(one.range_count, 2);
}
END_TEST

SUITE(where, TEST(rows_that_adjoin_are_one_run), TEST(one_run_of_all_rows_is_the_whole),
      TEST(runs_beyond_the_list_are_counted), TEST(many_rows_share_a_number_of_the_picture),
      TEST(two_parts_of_a_tensor_are_joined));
