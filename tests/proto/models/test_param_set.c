/* SPDX-License-Identifier: Apache-2.0
 * test_param_set.c - tests the sets of parameters of which an output needs one each. */
#include <string.h>

#include "proto/models/param_set.h"
#include "tests/support/suite.h"

START_TEST(sets_are_read_one_after_the_other)
{
    const struct pe_encoding *enc = pe_find("alibi", strlen("alibi"));
    const char *sets = "len|q&k";
    struct param_set set;

    ck_assert(param_set_next(enc, &sets, &set));
    ck_assert_uint_eq(set.count, 2);
    ck_assert_str_eq(set.at[0]->name, "len");
    ck_assert_str_eq(set.at[1]->name, "q");
    ck_assert(param_set_next(enc, &sets, &set));
    ck_assert_uint_eq(set.count, 1);
    ck_assert_str_eq(set.at[0]->name, "k");
    ck_assert(!param_set_next(enc, &sets, &set));
}
END_TEST

START_TEST(every_set_of_every_output_names_parameters)
{
    size_t count = 0, outputs;

    for (size_t i = 0; i < pe_count(); i++) {
        const struct pe_output *output = pe_outputs(pe_at(i), &outputs);

        for (size_t j = 0; j < outputs; j++) {
            const char *sets = output[j].one_of;
            struct param_set set;

            for (; param_set_next(pe_at(i), &sets, &set); count++)
                for (size_t k = 0; k < set.count; k++)
                    ck_assert_msg(set.at[k], "%s: %s", pe_name(pe_at(i)), output[j].one_of);
        }
    }
    ck_assert_uint_gt(count, 50);
}
END_TEST

START_TEST(a_row_without_sets_has_none)
{
    const char *none = NULL, *empty = "";
    struct param_set set;

    ck_assert(!param_set_next(pe_at(0), &none, &set));
    ck_assert(!param_set_next(pe_at(0), &empty, &set));
}
END_TEST

static const struct suite_test tests[] = {
    TEST(sets_are_read_one_after_the_other),
    TEST(every_set_of_every_output_names_parameters),
    TEST(a_row_without_sets_has_none),
};

const struct suite param_set_suite = {SUITE_TESTS(tests)};
