/* SPDX-License-Identifier: Apache-2.0
 * test_args_check.c - all arguments together: earlier problems and keys of tables. Presets,
 * missing parameters, parameters without effect and dtypes are rows of requests.txt. */
#include "core/args/args.h"
#include "tests/support/core_query.h"
#include "tests/support/core_sample.h"
#include "tests/support/suite.h"

START_TEST(problems_from_before_make_the_check_fail)
{
    struct pe_args *args = pe_args_new(&core_sample);
    struct pe_errors errors = {.count = 0};

    pe_fail(&errors, PE_TOO_LARGE, "elsewhere", "was wrong before");
    pe_args_set_text(args, "pos", 3, "0:4", 3, &errors);
    pe_args_set_text(args, "dim", 3, "4", 1, &errors);
    ck_assert_int_eq(pe_args_check(args, &errors), PE_TOO_LARGE);
    ck_assert_uint_eq(errors.count, 1);
    pe_args_free(args);
}
END_TEST

START_TEST(a_table_has_a_key_where_it_pays)
{
    struct pe_args *without = core_query_checked(&core_sample, "pos=0:4&dim=4");
    struct pe_args *with = core_query_checked(&core_sample, "pos=0:4&dim=4&mode=table");

    ck_assert_ptr_null(pe_args_table_key(without));
    ck_assert_str_eq(pe_args_table_key(with), "sample dim=4");
    pe_args_free(without);
    pe_args_free(with);
}
END_TEST

SUITE(args_check, TEST(problems_from_before_make_the_check_fail),
      TEST(a_table_has_a_key_where_it_pays));
