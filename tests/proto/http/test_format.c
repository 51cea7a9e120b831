/* SPDX-License-Identifier: Apache-2.0
 * test_format.c - tests that each row of formats.def is complete and agrees with the option. */
#include <string.h>

#include "proto/http/format.h"
#include "proto/request/option.h"
#include "proto/text/buffer.h"
#include "tests/support/suite.h"

START_TEST(every_format_is_complete)
{
    for (size_t i = 0; i < format_count(); i++) {
        const struct format *format = format_at(i);

        ck_assert_uint_gt(strlen(format->summary), 10);
        ck_assert(format->accepts[0] || format_find_suffix(format->extension) != format);
        ck_assert_ptr_nonnull(strchr(format->media_type, '/'));
        ck_assert_uint_gt(strlen(format->extension), 0);
        ck_assert_uint_ge(format->wire_version, 1);
        ck_assert(format->read && (format->size || !format->binary));
        ck_assert_ptr_eq(format_find(format->name, strlen(format->name)), format);
        ck_assert_uint_eq(format_index(format), i);
    }
    ck_assert_ptr_null(format_find("xml", 3));
    ck_assert_ptr_null(format_find("", 0));
    ck_assert_ptr_null(format_find("jso", 3));
}
END_TEST

START_TEST(a_suffix_says_one_format)
{
    struct buffer known = {0};

    for (size_t i = 0; i < format_count(); i++) {
        const struct format *format = format_at(i);

        ck_assert_str_eq(format_find_suffix(format->extension)->extension, format->extension);
        ck_assert_ptr_eq(format_find_suffix(format->name), format);
    }
    ck_assert_ptr_null(format_find_suffix(""));
    ck_assert_ptr_null(format_find_suffix("txt"));
    ck_assert_ptr_null(format_find_suffix("NPY"));
    format_write_suffixes(&known);
    buffer_add(&known, "", 1);
    ck_assert_str_eq(known.bytes,
                     ".json, .npy, .safetensors, .bin, .raw, .csv, .png, .svg, .card");
    buffer_fini(&known);
}
END_TEST

START_TEST(the_choices_of_the_option_are_the_formats)
{
    const struct pe_choice *choices = option_at(OPTION_FORMAT)->param.choices;

    for (size_t i = 0; i < format_count(); i++)
        ck_assert_str_eq(choices[i].name, format_at(i)->name);
    ck_assert_ptr_null(choices[format_count()].name);
}
END_TEST

START_TEST(a_suggested_format_is_binary_and_holds_the_tensors)
{
    ck_assert(format_binary(1)->binary);
    ck_assert(format_binary(2)->binary && !format_binary(2)->single);
    ck_assert(format_binary(9)->binary && !format_binary(9)->single);
}
END_TEST

START_TEST(options_are_sorted_found_and_name_formats_that_exist)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = option_at(i);
        const char *name = option->param.name;

        ck_assert(i == 0 || strcmp(option_at(i - 1)->param.name, name) < 0);
        ck_assert_uint_eq((size_t)option_find(name, strlen(name)), i);
        ck_assert_uint_gt(strlen(option->param.summary), 10);
        for (size_t k = 0; option->only_formats && option->only_formats[k]; k++) {
            const char *suited = option->only_formats[k];

            ck_assert_ptr_nonnull(format_find(suited, strlen(suited)));
            ck_assert(option_suits(option, suited));
        }
        ck_assert_int_eq(option_suits(option, "none"), !option->only_formats);
    }
    ck_assert_int_eq(option_find("dim", 3), OPTION_COUNT);
    ck_assert_int_eq(option_find("", 0), OPTION_COUNT);
}
END_TEST

SUITE(format, TEST(every_format_is_complete), TEST(a_suffix_says_one_format),
      TEST(the_choices_of_the_option_are_the_formats),
      TEST(a_suggested_format_is_binary_and_holds_the_tensors),
      TEST(options_are_sorted_found_and_name_formats_that_exist));
