/* SPDX-License-Identifier: Apache-2.0
 * test_args.c - the life of arguments: owners, and what hooks may ask. Defaults by type are
 * rows of given.txt. */
#include "core/args/args.h"

#include <string.h>

#include "tests/support/core_query.h"
#include "tests/support/core_sample.h"
#include "tests/support/suite.h"

static const struct sample *values_of(const struct pe_args *args)
{
    return pe_args_struct(args);
}

START_TEST(checked_arguments_have_many_owners)
{
    struct pe_args *args = core_query_checked(&core_sample, "pos=0:4&dim=4");

    ck_assert_ptr_eq(pe_args_encoding(args), &core_sample);
    ck_assert_ptr_eq(pe_args_ref(args), args);
    pe_args_free(args);
    ck_assert_int_eq(values_of(args)->dim, 4); /* the second owner still has them */
    pe_args_free(args);
    pe_args_free(NULL);
}
END_TEST

START_TEST(what_was_given_is_told_from_defaults_and_presets)
{
    struct pe_args *args =
        core_query_checked(&core_sample, "pos=0:4&dim=4&preset=loud&gain=3&flag=1");

    ck_assert(PE_GIVEN(args, struct sample, gain));
    ck_assert(PE_GIVEN(args, struct sample, flag));
    ck_assert(!PE_GIVEN(args, struct sample, mode)); /* the preset set it */
    ck_assert(!PE_GIVEN(args, struct sample, steps));
    ck_assert_int_eq(values_of(args)->mode, SAMPLE_TABLED);
    ck_assert(values_of(args)->gain == 3); /* the client's, not the preset's 10 */
    pe_args_free(args);
}
END_TEST

START_TEST(a_value_of_other_arguments_is_copied_with_its_memory)
{
    struct pe_args *from =
        core_query_checked(&core_sample, "out=rows,total&pos=0:4,9&dim=4&weights=1,0.5");
    struct pe_args *args = pe_args_new(&core_sample);
    struct pe_errors errors = {.count = 0};

    for (size_t i = 0; i < core_sample.param_count; i++)
        if (args_bit(from->given, i))
            ck_assert(args_take(args, from, i));
    pe_args_free(from);
    args->wanted = UINT32_C(1) << 0 | UINT32_C(1) << 4; /* rows and total */
    args->out_given = args->unnamed = true;
    ck_assert_int_eq(pe_args_check(args, &errors), PE_OK);
    ck_assert_uint_eq(pe_positions_count(values_of(args)->pos), 5);
    ck_assert_int_eq(values_of(args)->dim, 4);
    ck_assert(values_of(args)->weights.values[1] == 0.5);
    ck_assert_uint_eq(pe_args_value_count(args), 0); /* nobody asks for their names */
    pe_args_free(args);
}
END_TEST

START_TEST(wanted_outputs_come_in_the_encodings_order)
{
    struct pe_args *args =
        core_query_checked(&core_sample, "out=cube,negated,rows&pos=0:4&dim=4");
    size_t wanted[PE_MAX_OUTPUTS];
    char names[64], few[8];

    ck_assert_uint_eq(pe_args_wanted(args, wanted), 3);
    ck_assert(wanted[0] == 0 && wanted[1] == 1 && wanted[2] == 5);
    ck_assert(pe_wants(args, 0) && pe_wants(args, 1) && !pe_wants(args, 2));
    args_print_wanted(args, names, sizeof names);
    ck_assert_str_eq(names, "rows,negated,cube");
    args_print_wanted(args, few, sizeof few);
    ck_assert_str_eq(few, "rows,ne");
    pe_args_free(args);
    args = core_query_checked(&core_sample, "pos=0:4&dim=4");
    ck_assert_uint_eq(pe_args_wanted(args, wanted), 1); /* those by default */
    pe_args_free(args);
}
END_TEST

START_TEST(a_parameter_is_used_by_the_outputs_that_say_so)
{
    struct pe_args *args = core_query_checked(&core_sample, "out=mask&pos=0:4");
    size_t where = args_find(&core_sample, "where", 5), dim = args_find(&core_sample, "dim", 3);

    ck_assert(args_bit(args->used, where));
    ck_assert(!args_bit(args->used, dim));
    ck_assert_uint_eq(args_find(&core_sample, "wherever", 8), SIZE_MAX);
    ck_assert_uint_eq(args_find(&core_sample, "where", 3), SIZE_MAX);
    pe_args_free(args);
}
END_TEST

START_TEST(the_dtype_is_the_clients_or_the_natural_one)
{
    struct pe_args *args = core_query_checked(&core_sample, "out=rows,mask&pos=0:4&dim=4");

    ck_assert_int_eq(pe_args_dtype(args, 0), PE_F32);
    ck_assert_int_eq(pe_args_dtype(args, 3), PE_BOOL8);
    pe_args_free(args);
    args = core_query_checked(&core_sample, "pos=0:4&dim=4&dtype=half");
    ck_assert_int_eq(pe_args_dtype(args, 0), PE_F16);
    pe_args_free(args);
}
END_TEST

START_TEST(a_slice_takes_the_place_of_an_absent_list)
{
    struct pe_args *args = core_query_checked(&core_sample, "out=mask&pos=0:4&len=3");

    ck_assert_uint_eq(pe_positions_count(values_of(args)->where), 3);
    pe_args_free(args);
    args = core_query_checked(&core_sample, "out=mask&pos=0:4&len=0");
    ck_assert_uint_eq(pe_positions_count(values_of(args)->where), 0);
    pe_args_free(args);
    args = core_query_checked(&core_sample, "out=mask&pos=0:4&len=1");
    ck_assert_uint_eq(pe_positions_count(values_of(args)->where), 1);
    pe_args_free(args);
}
END_TEST

START_TEST(positions_are_found_by_the_name_of_their_parameter)
{
    struct pe_args *args = core_query_checked(&core_sample, "pos=5,9&dim=4");

    ck_assert_uint_eq(pe_positions_count(pe_args_positions(args, "pos")), 2);
    ck_assert(pe_positions_at(pe_args_positions(args, "pos"), 1) == 9);
    ck_assert_ptr_null(pe_args_positions(args, "dim"));
    ck_assert_ptr_null(pe_args_positions(args, "nothing"));
    pe_args_free(args);
}
END_TEST

START_TEST(heavy_encodings_say_so)
{
    struct pe_args *light = core_query_checked(&core_sample, "pos=0:4&dim=4");
    struct pe_args *heavy = core_query_checked(&core_sample_sums, "pos=0:4");

    ck_assert(!pe_args_heavy(light));
    ck_assert(pe_args_heavy(heavy));
    pe_args_free(light);
    pe_args_free(heavy);
}
END_TEST

SUITE(args, TEST(checked_arguments_have_many_owners),
      TEST(what_was_given_is_told_from_defaults_and_presets),
      TEST(a_value_of_other_arguments_is_copied_with_its_memory),
      TEST(wanted_outputs_come_in_the_encodings_order),
      TEST(a_parameter_is_used_by_the_outputs_that_say_so),
      TEST(the_dtype_is_the_clients_or_the_natural_one),
      TEST(a_slice_takes_the_place_of_an_absent_list), TEST(heavy_encodings_say_so),
      TEST(positions_are_found_by_the_name_of_their_parameter));
