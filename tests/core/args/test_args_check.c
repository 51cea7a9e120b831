/* SPDX-License-Identifier: Apache-2.0
 * test_args_check.c - all arguments together: presets, what is missing, what has no effect,
 * which dtypes fit, and the encoding's own rules. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/args.h"
#include "tests/support/core_query.h"
#include "tests/support/core_sample.h"
#include "tests/support/suite.h"

#define P "pos=0:4&dim=4&"
#define NO_EFFECT "has no effect on out="

static const struct core_refusal refused[] = {
    {"dim=4", PE_MISSING_PARAMETER, "pos",
     "is required: positions of the rows, 0:128 or 5,9,12", ""},
    {"pos=0:4", PE_MISSING_PARAMETER, "dim", "is required: width of a row", ""},
    {"out=ids", PE_MISSING_PARAMETER, "grid", "is required: the cells", ""},
    {"out=shape", PE_MISSING_PARAMETER, "x", "is required: anything", ""},
    {"out=late", PE_MISSING_PARAMETER, "times", "is required: when it was", ""},
    {P "steps=3", PE_CONFLICT, "steps", NO_EFFECT "rows; leave it out", "out=cube uses it"},
    {P "steps=3&out=rows,negated", PE_CONFLICT, "steps", NO_EFFECT "rows,negated; leave it out",
     "out=cube uses it"},
    {P "grid=2x2", PE_CONFLICT, "grid", NO_EFFECT "rows; leave it out", "out=ids uses it"},
    {"out=total&gain=2", PE_CONFLICT, "gain", NO_EFFECT "total; leave it out",
     "out=rows uses it"},
    {"out=total&flag=1", PE_CONFLICT, "flag", NO_EFFECT "total; leave it out",
     "out=rows uses it"},
    {"out=total&mode=plain", PE_CONFLICT, "mode", NO_EFFECT "total; leave it out",
     "out=rows uses it"},
    {P "weights=1", PE_CONFLICT, "weights", NO_EFFECT "rows; leave it out",
     "out=total uses it"},
    {P "gain=101&wish=0", PE_CONFLICT, "gain", "must be at most 100 with wish", ""},
    {P "dtype=i64", PE_CONFLICT, "dtype",
     "must be f32, f64, f16 or bf16 for rows, which holds reals; got i64", ""},
    {P "dtype=u8", PE_CONFLICT, "dtype", "for rows, which holds reals; got u8", ""},
    {P "dtype=bool", PE_CONFLICT, "dtype", "for rows, which holds reals; got bool", ""},
    {"out=ids&grid=16x17&dtype=u8", PE_CONFLICT, "dtype",
     "must hold every value of ids exactly, 0..271; u8 cannot", ""},
    {"out=ids&grid=2x129&dtype=bf16", PE_CONFLICT, "dtype", "exactly, 0..257; bf16 cannot", ""},
    {"out=ids&grid=2050x1&dtype=f16", PE_CONFLICT, "dtype", "exactly, 0..2049; f16 cannot", ""},
    {"out=ids&grid=4097x4096&dtype=f32", PE_CONFLICT, "dtype",
     "exactly, 0..16781311; f32 cannot", ""},
    {"out=ids&grid=65536x65536&dtype=i32", PE_CONFLICT, "dtype",
     "exactly, 0..4294967295; i32 cannot", ""},
    {"out=ids&grid=1x3&dtype=bool", PE_CONFLICT, "dtype", "exactly, 0..2; bool cannot", ""},
};

START_TEST(what_does_not_go_together_is_told)
{
    core_query_refused(&core_sample, &refused[_i]);
}
END_TEST

static const struct {
    const char *query, *canonical;
} right[] = {
    {P, "dim=4&dtype=f32&flag=1&gain=1&mode=plain&out=rows&pos=0:4"},
    {P "dtype=f32&out=rows&flag=1",
     "dim=4&dtype=f32&flag=1&gain=1&mode=plain&out=rows&pos=0:4"},
    /* positions are no error where no wanted output has them, and are not said */
    {"pos=0:4&out=total", "dtype=f32&out=total"},
    {"times=1.5&out=total", "dtype=f32&out=total"},
    {"where=0:9&out=total", "dtype=f32&out=total"},
    /* presets fill in what is not given, are not said, and may have no effect */
    {P "preset=loud", "dim=4&dtype=f32&flag=1&gain=10&mode=table&out=rows&pos=0:4"},
    {P "preset=loud&gain=3", "dim=4&dtype=f32&flag=1&gain=3&mode=table&out=rows&pos=0:4"},
    {P "mode=signed&preset=loud",
     "dim=4&dtype=f32&flag=1&gain=10&mode=signed&out=rows&pos=0:4"},
    {P "preset=shifted",
     "dim=4&dtype=f32&flag=1&gain=1&mode=plain&offset=0.5&out=rows&pos=0:4"},
    {"out=total&preset=loud", "dtype=f32&out=total"},
    /* what resolve makes of an expanded parameter: positions, in their turn */
    {P "len=3", "dim=4&dtype=f32&flag=1&gain=1&mode=plain&out=rows&pos=0:4"},
    {"out=mask&pos=0:4&len=3", "dtype=bool&out=mask&pos=0:4&where=0:3"},
    {"out=mask&pos=0:4", "dtype=bool&out=mask&pos=0:4&where=0:4"},
    /* dtypes that hold every value */
    {"out=ids&grid=16x16&dtype=u8", "dtype=u8&grid=16x16&out=ids"},
    {"out=ids&grid=1x257&dtype=bf16", "dtype=bf16&grid=1x257&out=ids"},
    {"out=ids&grid=1x2049&dtype=f16", "dtype=f16&grid=1x2049&out=ids"},
    {"out=ids&grid=4096x4096&dtype=f32", "dtype=f32&grid=4096x4096&out=ids"},
    {"out=ids&grid=32768x65536&dtype=i32", "dtype=i32&grid=32768x65536&out=ids"},
    {"out=ids&grid=1x2&dtype=bool", "dtype=bool&grid=1x2&out=ids"},
    {"out=mask&pos=0:4&dtype=f16", "dtype=f16&out=mask&pos=0:4&where=0:4"},
    {"out=mask&pos=0:4&dtype=i64", "dtype=i64&out=mask&pos=0:4&where=0:4"},
    /* no dtype is said where the outputs have several */
    {P "out=rows,mask", "dim=4&flag=1&gain=1&mode=plain&out=rows,mask&pos=0:4&where=0:4"},
    {P "out=mask,rows&dtype=f64",
     "dim=4&dtype=f64&flag=1&gain=1&mode=plain&out=rows,mask&pos=0:4&where=0:4"},
    /* an optional boolean is said when it is true */
    {P "wish=0", "dim=4&dtype=f32&flag=1&gain=1&mode=plain&out=rows&pos=0:4"},
    {P "wish=1", "dim=4&dtype=f32&flag=1&gain=1&mode=plain&out=rows&pos=0:4&wish=1"},
};

START_TEST(what_decides_the_answer_is_said)
{
    char query[200];
    struct pe_args *args;
    char *canonical;

    snprintf(query, sizeof query, "%s", right[_i].query);
    if (query[strlen(query) - 1] == '&')
        query[strlen(query) - 1] = '\0';
    args = core_query_checked(&core_sample, query);
    canonical = core_query_canonical(args);
    ck_assert_str_eq(canonical, right[_i].canonical);
    free(canonical);
    pe_args_free(args);
}
END_TEST

START_TEST(an_integer_output_without_a_range_takes_wide_types_alone)
{
    static const struct core_refusal narrow = {
        "out=counts&pos=0:4&dtype=i32", PE_CONFLICT, "dtype",
        "must hold every value of counts exactly, "
        "-9007199254740992..9007199254740992; i32 cannot",
        ""};

    core_query_refused(&core_sample_sums, &narrow);
    pe_args_free(core_query_checked(&core_sample_sums, "out=counts&pos=0:4&dtype=i64"));
    pe_args_free(core_query_checked(&core_sample_sums, "out=counts&pos=0:4&dtype=f64"));
}
END_TEST

START_TEST(one_dtype_must_fit_every_wanted_output)
{
    static const struct core_refusal both = {P "out=rows,mask&dtype=bool", PE_CONFLICT, "dtype",
                                             "for rows, which holds reals", ""};

    core_query_refused(&core_sample, &both);
}
END_TEST

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

static const struct suite_test tests[] = {
    TEST_EACH(what_does_not_go_together_is_told, refused),
    TEST_EACH(what_decides_the_answer_is_said, right),
    TEST(an_integer_output_without_a_range_takes_wide_types_alone),
    TEST(one_dtype_must_fit_every_wanted_output),
    TEST(problems_from_before_make_the_check_fail),
    TEST(a_table_has_a_key_where_it_pays),
};

const struct suite args_check_suite = {SUITE_TESTS(tests)};
