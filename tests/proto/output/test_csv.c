/* SPDX-License-Identifier: Apache-2.0
 * test_csv.c - tests tables to the byte. */
#include <stdlib.h>
#include <string.h>

#include "tests/proto/support/ask.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *table;
} cases[] = {
    {"rope", "pos=0:3&dim=4&base=100&out=sin&format=csv",
     "pos_index,sin_0,sin_1\n"
     "0,0,0\n"
     "1,0.84147096,0.099833414\n"
     "2,0.9092974,0.19866933\n"},
    {"alibi", "heads=2&q=1:3&k=0:3&format=csv",
     "heads_index,q_index,bias_0,bias_1,bias_2\n"
     "0,0,-0.0625,0,-0.0625\n"
     "0,1,-0.125,-0.0625,0\n"
     "1,0,-0.00390625,0,-0.00390625\n"
     "1,1,-0.0078125,-0.00390625,0\n"},
    {"alibi", "heads=1&len=2&causal=1&mask_value=-inf&format=csv",
     "heads_index,q_index,bias_0,bias_1\n"
     "0,0,0,-Infinity\n"
     "0,1,-0.00390625,0\n"},
    {"rope", "dim=4&base=100&out=inv_freq&format=csv", "inv_freq_0,inv_freq_1\n1,0.1\n"},
    {"rope", "dim=4&out=attention_factor&format=csv", "attention_factor\n1\n"},
    {"rope", "pos=0:0&dim=4&out=cos&format=csv", "pos_index,cos_0,cos_1\n"},
    {"alibi", "heads=2&q=0:2&k=0:0&format=csv", "heads_index,q_index\n0,0\n0,1\n1,0\n1,1\n"},
};

START_TEST(the_last_axis_is_columns_the_others_are_indices)
{
    size_t len;
    char *table = ask_answer(cases[_i].encoding, cases[_i].query, &len);

    ck_assert_str_eq(table, cases[_i].table);
    ck_assert_uint_eq(len, strlen(table));
    free(table);
}
END_TEST

START_TEST(a_wide_table_has_as_many_names_as_numbers)
{
    size_t len, commas = 0, lines = 0;
    char *table = ask_answer("rope", "pos=3,5&dim=20000&out=cos&format=csv", &len);

    for (size_t i = 0; i < len; i++) {
        commas += table[i] == ',';
        lines += table[i] == '\n';
    }
    ck_assert_uint_eq(lines, 3);
    ck_assert_uint_eq(commas, 3 * 10000);
    ck_assert_ptr_nonnull(strstr(table, ",cos_9999\n"));
    free(table);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(the_last_axis_is_columns_the_others_are_indices, cases),
    TEST(a_wide_table_has_as_many_names_as_numbers),
};

const struct suite csv_suite = {SUITE_TESTS(tests)};
