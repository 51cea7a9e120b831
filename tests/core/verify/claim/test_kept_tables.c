/* SPDX-License-Identifier: Apache-2.0
 * test_kept_tables.c - tables are shared by equal keys, and bounded in bytes. */
#include "core/verify/claim/kept_tables.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static struct pe_args *args_of_base(int base)
{
    char request[80];

    snprintf(request, sizeof request, "dim=256&pos=0:4&base=%d", base);
    return core_query_checked(pe_find("rope", 4), request);
}

START_TEST(arguments_of_an_equal_key_have_the_same_table)
{
    struct kept_tables tables = {.bytes_most = 1 << 20};
    struct pe_args *one = args_of_base(1000), *other = args_of_base(2000);
    struct pe_args *same = core_query_checked(pe_find("rope", 4), "dim=256&pos=9:12&base=1000");

    ck_assert_ptr_nonnull(kept_tables_find(&tables, one));
    ck_assert_ptr_eq(kept_tables_find(&tables, one), kept_tables_find(&tables, same));
    ck_assert_ptr_ne(kept_tables_find(&tables, one), kept_tables_find(&tables, other));
    pe_args_free(one);
    pe_args_free(same);
    pe_args_free(other);
    kept_tables_fini(&tables);
    ck_assert_uint_eq(tables.bytes, 0);
}
END_TEST

START_TEST(the_oldest_tables_go_when_their_bytes_are_too_many)
{
    struct kept_tables tables = {.bytes_most = 16384};

    for (int base = 100; base < 300; base++) {
        struct pe_args *args = args_of_base(base);
        struct pe_table *table = kept_tables_find(&tables, args);

        ck_assert_ptr_nonnull(table);
        ck_assert_uint_le(tables.bytes, tables.bytes_most);
        ck_assert_ptr_eq(kept_tables_find(&tables, args), table);
        pe_args_free(args);
    }
    kept_tables_fini(&tables);
}
END_TEST

START_TEST(a_table_that_is_too_large_is_not_kept)
{
    struct kept_tables tables = {.bytes_most = 16};
    struct pe_args *args = args_of_base(100);

    ck_assert_ptr_null(kept_tables_find(&tables, args));
    ck_assert_uint_eq(tables.bytes, 0);
    pe_args_free(args);
    kept_tables_fini(&tables);
}
END_TEST

SUITE(kept_tables, TEST(arguments_of_an_equal_key_have_the_same_table),
      TEST(the_oldest_tables_go_when_their_bytes_are_too_many),
      TEST(a_table_that_is_too_large_is_not_kept));
