/* SPDX-License-Identifier: Apache-2.0
 * test_args_parse.c - one value of each type: what is taken, and the sentence for what is not.
 * */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/args.h"
#include "core/args/args_parse.h"
#include "tests/support/core_query.h"
#include "tests/support/core_sample.h"
#include "tests/support/suite.h"

/* The field is what the text says; then the canonical value is this. */
static const struct {
    const char *query, *name, *canonical;
} taken[] = {
    {"pos=0:4&dim=2", "dim", "2"},
    {"pos=0:4&dim=64", "dim", "64"},
    {"pos=0:4&dim=1.6e1", "dim", "16"},
    {"pos=0:4&dim=4.0", "dim", "4"},
    {"pos=0:4&dim=4&gain=1e-300", "gain", "1e-300"},
    {"pos=0:4&dim=4&gain=1e18", "gain", "1000000000000000000"},
    {"pos=0:4&dim=4&gain=auto", "gain", "auto"},
    {"pos=0:4&dim=4&gain=-inf", "gain", "-inf"},
    {"pos=0:4&dim=4&gain=2", "gain", "auto"}, /* the word for the same number */
    {"pos=0:4&dim=4&offset=-10", "offset", "-10"},
    {"pos=0:4&dim=4&offset=-0", "offset", "0"},
    {"pos=0:4&dim=4&offset=-.5", "offset", "-0.5"},
    {"pos=0:4&dim=4&flag=0", "flag", "0"},
    {"pos=0:4&dim=4&flag=false", "flag", "0"},
    {"pos=0:4&dim=4&flag=true", "flag", "1"},
    {"pos=0:4&dim=4&flag=1", "flag", "1"},
    {"pos=0:4&dim=4&wish=1", "wish", "1"},
    {"pos=0:4&dim=4&mode=signed", "mode", "signed"},
    {"pos=0:4&dim=4&mode=simple", "mode", "plain"},
    {"pos=0:4&dim=4&mode=none", "mode", "plain"},
    {"out=total&kind=second", "kind", "second"},
    {"out=total&weights=1", "weights", "1"},
    {"out=total&weights=-1,.5,0.25,-0", "weights", "-1,0.5,0.25,0"},
    {"out=total&matrix=1,2;3,4;5,6", "matrix", "1,2;3,4;5,6"},
    {"out=total&matrix=1;2;3", "matrix", "1;2;3"},
    {"out=total&matrix=7", "matrix", "7"},
    {"out=ids&grid=1x65536", "grid", "1x65536"},
    {"out=ids&grid=014x7", "grid", "14x7"},
    {"pos=0,1,2&dim=4", "pos", "0:3"},
    {"times=0.5,2&out=late", "times", "0.5,2"},
};

START_TEST(a_value_is_taken_and_said_canonically)
{
    struct pe_args *args = core_query_checked(&core_sample, taken[_i].query);
    bool found = false;

    for (size_t i = 0; i < pe_args_value_count(args); i++) {
        const struct pe_value *value = pe_args_value(args, i);

        if (strcmp(value->name, taken[_i].name) == 0) {
            ck_assert_str_eq(value->text, taken[_i].canonical);
            found = true;
        }
    }
    ck_assert_msg(found, "%s is not among the values", taken[_i].name);
    pe_args_free(args);
}
END_TEST

#define P "pos=0:4&dim=4&"

static const struct core_refusal refused[] = {
    {"pos=0:4&dim=x", PE_BAD_VALUE, "dim", "must be an even number, 2..64; got x", ""},
    {"pos=0:4&dim=2.5", PE_BAD_VALUE, "dim", "must be an even number, 2..64; got 2.5", ""},
    {"pos=0:4&dim=5", PE_OUT_OF_RANGE, "dim", "must be an even number, 2..64; got 5", ""},
    {"pos=0:4&dim=0", PE_OUT_OF_RANGE, "dim", "2..64; got 0", ""},
    {"pos=0:4&dim=-2", PE_OUT_OF_RANGE, "dim", "2..64; got -2", ""},
    {"pos=0:4&dim=66", PE_OUT_OF_RANGE, "dim", "2..64; got 66", ""},
    {"pos=0:4&dim=1e300", PE_OUT_OF_RANGE, "dim", "2..64; got 1e300", ""},
    {"pos=0:4&dim=1e400", PE_BAD_VALUE, "dim", "2..64; got 1e400", ""},
    {"out=cube&pos=0:4&dim=4&steps=4", PE_OUT_OF_RANGE, "steps",
     "must be a whole number, 3..30, a multiple of 3; got 4", ""},
    {P "gain=0", PE_OUT_OF_RANGE, "gain",
     "must be a number, above 0..1000000000000000000, or auto, or -inf; got 0", ""},
    {P "gain=x", PE_BAD_VALUE, "gain", "above 0..1000000000000000000, or auto, or -inf; got x",
     ""},
    {P "gain=inf", PE_BAD_VALUE, "gain", "got inf", ""},
    {P "gain=nan", PE_BAD_VALUE, "gain", "got nan", ""},
    {P "gain=1e19", PE_OUT_OF_RANGE, "gain", "got 10000000000000000000", ""},
    {P "offset=10.5", PE_OUT_OF_RANGE, "offset", "must be a number, -10..10; got 10.5", ""},
    {P "offset=1,5", PE_BAD_VALUE, "offset", "must be a number, -10..10; got 1,5", ""},
    {P "flag=yes", PE_BAD_VALUE, "flag", "must be 0, 1, true or false; got yes", ""},
    {P "flag=TRUE", PE_BAD_VALUE, "flag", "must be 0, 1, true or false; got TRUE", ""},
    {P "mode=Plain", PE_BAD_VALUE, "mode", "must be one of plain, table, signed; got Plain",
     "did you mean plain?"},
    {P "mode=tabel", PE_BAD_VALUE, "mode", "must be one of plain, table, signed; got tabel",
     "did you mean table?"},
    {P "mode=xyz", PE_BAD_VALUE, "mode", "must be one of plain, table, signed; got xyz", ""},
    {"out=total&weights=1,x", PE_BAD_VALUE, "weights",
     "must be numbers -1..1, such as 1,2.5; got 1,x", ""},
    {"out=total&weights=1,,1", PE_BAD_VALUE, "weights", "got 1,,1", ""},
    {"out=total&weights=1,", PE_BAD_VALUE, "weights", "got 1,", ""},
    {"out=total&weights=0,2", PE_OUT_OF_RANGE, "weights", "such as 1,2.5; got 2", ""},
    {"out=total&weights=0;1", PE_BAD_VALUE, "weights",
     "must be one list of numbers; got 2 rows", ""},
    {"out=total&matrix=1,2;3", PE_BAD_VALUE, "matrix",
     "must have rows of one length; row 2 differs from the first", ""},
    {"out=total&matrix=1,2;3,4;5,6,7", PE_BAD_VALUE, "matrix", "row 3 differs from the first",
     ""},
    {"out=total&matrix=1,2;", PE_BAD_VALUE, "matrix",
     "must be rows of numbers 0..9, such as 0,1,1;1,1,1; got 1,2;", ""},
    {"out=total&matrix=10", PE_OUT_OF_RANGE, "matrix", "got 10", ""},
    {"out=ids&grid=14", PE_BAD_VALUE, "grid",
     "must be a grid HEIGHTxWIDTH, such as 14x14; got 14", "a square is 14x14"},
    {"out=ids&grid=0000000000000000000014", PE_BAD_VALUE, "grid", "", "a square is 14x14"},
    {"out=ids&grid=-3", PE_BAD_VALUE, "grid", "got -3", ""},
    {"out=ids&grid=14X14", PE_BAD_VALUE, "grid", "got 14X14", ""},
    {"out=ids&grid=x14", PE_BAD_VALUE, "grid", "got x14", ""},
    {"out=ids&grid=14x", PE_BAD_VALUE, "grid", "got 14x", ""},
    {"out=ids&grid=2x2x2", PE_BAD_VALUE, "grid", "got 2x2x2", ""},
    {"out=ids&grid=0x14", PE_OUT_OF_RANGE, "grid", "must have sides of 1..65536; got 0x14", ""},
    {"out=ids&grid=1x65537", PE_OUT_OF_RANGE, "grid", "sides of 1..65536; got 1x65537", ""},
    {"out=ids&grid=-1x4", PE_OUT_OF_RANGE, "grid", "must have sides of 1..65536; got -1x4", ""},
    {"dim=4&pos=0-3", PE_BAD_VALUE, "pos", "must be positions such as 0:128",
     "for 0 to 3 inclusive write 0:4"},
    {"dim=4&pos=0.5", PE_BAD_VALUE, "pos", "must be whole positions here; got 0.5", ""},
    {"out=shape&x=some", PE_BAD_VALUE, "x",
     "must be numbers such as 1,0,0,1, or a tensor in the body; got some", ""},
    {"out=late&times=0:4:0", PE_BAD_VALUE, "times", "has a slice of step 0: \"0:4:0\"", ""},
};

START_TEST(a_wrong_value_is_told_what_would_be_right)
{
    core_query_refused(&core_sample, &refused[_i]);
}
END_TEST

START_TEST(what_the_client_wrote_is_cut_when_it_is_long)
{
    static const struct core_refusal longer = {
        P "flag=0123456789012345678901234567890123456789_and_more", PE_BAD_VALUE, "flag",
        "got 0123456789012345678901234567890123456789...", ""};

    core_query_refused(&core_sample, &longer);
}
END_TEST

static struct pe_args *args_with(const char *name, double number, struct pe_errors *errors,
                                 enum pe_status *status)
{
    struct pe_args *args = pe_args_new(&core_sample);

    *status = pe_args_set_number(args, name, strlen(name), number, errors);
    return args;
}

START_TEST(numbers_that_are_not_finite_are_no_values)
{
    static const struct {
        const char *name;
        double number;
        enum pe_status status;
    } cases[] = {{"dim", NAN, PE_BAD_VALUE},       {"dim", INFINITY, PE_BAD_VALUE},
                 {"offset", NAN, PE_OUT_OF_RANGE}, {"gain", -INFINITY, PE_OUT_OF_RANGE},
                 {"weights", NAN, PE_BAD_VALUE},   {"mode", INFINITY, PE_BAD_VALUE},
                 {"pos", INFINITY, PE_BAD_VALUE}};

    for (size_t i = 0; i < PE_LEN(cases); i++) {
        struct pe_errors errors = {.count = 0};
        enum pe_status status;

        pe_args_free(args_with(cases[i].name, cases[i].number, &errors, &status));
        ck_assert_int_eq(status, cases[i].status);
        ck_assert_str_eq(errors.at[0].parameter, cases[i].name);
        ck_assert_msg(strstr(errors.at[0].detail, "a number that is not finite"), "%s",
                      errors.at[0].detail);
    }
}
END_TEST

START_TEST(lists_are_copied_and_checked_element_by_element)
{
    struct pe_args *args = pe_args_new(&core_sample);
    const struct sample *s = pe_args_struct(args);
    double list[] = {0.5, -0.0, 1}, rows[] = {1, 2, 3, 4}, far[] = {0, 7, -7};
    struct pe_errors errors = {.count = 0};

    ck_assert_int_eq(pe_args_set_reals(args, "weights", 7, list, 1, 3, &errors), PE_OK);
    list[0] = 77; /* ours no more */
    ck_assert(s->weights.rows == 1 && s->weights.cols == 3);
    ck_assert(s->weights.values[0] == 0.5 && !signbit(s->weights.values[1]));
    ck_assert_int_eq(pe_args_set_reals(args, "matrix", 6, rows, 2, 2, &errors), PE_OK);
    ck_assert(s->matrix.rows == 2 && s->matrix.cols == 2 && s->matrix.values[3] == 4);
    pe_args_free(args);
    args = pe_args_new(&core_sample);
    ck_assert_int_eq(pe_args_set_reals(args, "weights", 7, far, 1, 3, &errors),
                     PE_OUT_OF_RANGE);
    ck_assert_msg(strstr(errors.at[0].detail, "got 7"), "%s", errors.at[0].detail);
    pe_args_free(args);
    args = pe_args_new(&core_sample);
    ck_assert_int_eq(pe_args_set_reals(args, "weights", 7, rows, 2, 2, &errors), PE_BAD_VALUE);
    ck_assert_str_eq(errors.at[1].detail, "must be one list of numbers; got 2 rows");
    pe_args_free(args);
}
END_TEST

START_TEST(a_list_of_nothing_is_refused_unless_it_lists_positions)
{
    struct pe_args *args = pe_args_new(&core_sample);
    const struct sample *s = pe_args_struct(args);
    struct pe_errors errors = {.count = 0};
    double none = 0;

    ck_assert_int_eq(pe_args_set_reals(args, "weights", 7, &none, 1, 0, &errors), PE_BAD_VALUE);
    ck_assert_str_eq(errors.at[0].detail, "must be numbers -1..1, such as 1,2.5; got nothing");
    ck_assert_int_eq(pe_args_set_reals(args, "matrix", 6, &none, 0, 0, &errors), PE_BAD_VALUE);
    ck_assert_int_eq(pe_args_set_reals(args, "pos", 3, &none, 1, 0, &errors), PE_OK);
    ck_assert_uint_eq(pe_positions_count(s->pos), 0);
    pe_args_free(args);
}
END_TEST

START_TEST(a_row_without_an_encoding_is_parsed_into_any_field)
{
    const struct pe_param layer = {.name = "layer", .type = PE_INT, .max = 9};
    const struct pe_param shape = {.name = "shape", .type = PE_REALS, .max = 99};
    struct pe_errors errors = {.count = 0};
    struct pe_reals reals = {0};
    int64_t number = 5;

    ck_assert_int_eq(pe_parse_text(&layer, &number, "7", 1, &errors), PE_OK);
    ck_assert_int_eq(number, 7);
    ck_assert_int_eq(pe_parse_text(&layer, &number, "10", 2, &errors), PE_OUT_OF_RANGE);
    ck_assert_int_eq(pe_parse_text(&layer, &number, "", 0, &errors), PE_BAD_VALUE);
    ck_assert_str_eq(errors.at[0].detail, "must be a whole number, 0..9; got 10");
    ck_assert_str_eq(errors.at[1].detail, "must be a whole number, 0..9; got nothing");
    ck_assert_int_eq(number, 7);
    ck_assert_int_eq(pe_parse_text(&shape, &reals, "8,12", 4, &errors), PE_OK);
    ck_assert_int_eq(pe_parse_text(&shape, &reals, "3", 1, &errors), PE_OK); /* frees 8,12 */
    ck_assert_uint_eq(reals.cols, 1);
    pe_parse_drop(&shape, &reals);
    ck_assert_ptr_null(reals.values);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(a_value_is_taken_and_said_canonically, taken),
    TEST_EACH(a_wrong_value_is_told_what_would_be_right, refused),
    TEST(what_the_client_wrote_is_cut_when_it_is_long),
    TEST(numbers_that_are_not_finite_are_no_values),
    TEST(lists_are_copied_and_checked_element_by_element),
    TEST(a_list_of_nothing_is_refused_unless_it_lists_positions),
    TEST(a_row_without_an_encoding_is_parsed_into_any_field),
};

const struct suite args_parse_suite = {SUITE_TESTS(tests)};
