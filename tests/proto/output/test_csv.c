/* SPDX-License-Identifier: Apache-2.0
 * test_csv.c - tests a wide table; csv.txt has tables to the byte. */
#include <stdlib.h>
#include <string.h>

#include "tests/proto/support/ask.h"
#include "tests/support/suite.h"

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

SUITE(csv, TEST(a_wide_table_has_as_many_names_as_numbers));
