/* SPDX-License-Identifier: Apache-2.0
 * test_position_text.c - the position grammar: what every spelling means, and what the wrong
 * ones are told. */
#include <stdlib.h>
#include <string.h>

#include "core/args/positions.h"
#include "core/encoding.h"
#include "tests/support/suite.h"

static const struct {
    const char *text;
    bool fractions;
    const char *canonical;
    uint64_t count;
    double first, last; /* of a list that is not empty */
} good[] = {
    {"5", false, "5", 1, 5, 5},
    {"-5", false, "-5", 1, -5, -5},
    {"-0", false, "0", 1, 0, 0},
    {"007", false, "7", 1, 7, 7},
    {"1e3", false, "1000", 1, 1000, 1000},
    {"2.50e1", false, "25", 1, 25, 25},
    {"3.0", false, "3", 1, 3, 3},
    {"0:4", false, "0:4", 4, 0, 3},
    {":4", false, "0:4", 4, 0, 3},
    {"0:4:1", false, "0:4", 4, 0, 3},
    {"0:4:", false, "0:4", 4, 0, 3},
    {"-3:4", false, "-3:4", 7, -3, 3},
    {"0:2", false, "0,1", 2, 0, 1},
    {"0:1", false, "0", 1, 0, 0},
    {"0:128:4", false, "0:125:4", 32, 0, 124},
    {"0:7:2", false, "0:7:2", 4, 0, 6},
    {"0:8:2", false, "0:7:2", 4, 0, 6},
    {"10:0:-1", false, "10:0:-1", 10, 10, 1},
    {"3:-4:-3", false, "3:-4:-3", 3, 3, -3},
    {"9:0:-3", false, "9:2:-3", 3, 9, 3},
    {"5,9,12", false, "5,9,12", 3, 5, 12},
    {"3,3,3", false, "3,3,3", 3, 3, 3},
    {"0:4,7,9:12", false, "0:4,7,9:12", 8, 0, 11},
    {"4,2,0", false, "4:-1:-2", 3, 4, 0},
    {"0:0", false, "0:0", 0, 0, 0},
    {":0", false, "0:0", 0, 0, 0},
    {"5:2", false, "0:0", 0, 0, 0},
    {"2:5:-1", false, "0:0", 0, 0, 0},
    {"0:0,7", false, "7", 1, 7, 7},
    {"0:1000000000", false, "0:1000000000", 1000000000, 0, 999999999},
    {"9007199254740992", false, "9007199254740992", 1, 0x1p53, 0x1p53},
    {"-9007199254740992", false, "-9007199254740992", 1, -0x1p53, -0x1p53},
    {"0:9007199254740992", false, "0:9007199254740992", UINT64_C(1) << 53, 0, 0x1p53 - 1},
    {"9007199254740990:9007199254740993", false, "9007199254740990:9007199254740993", 3,
     0x1p53 - 2, 0x1p53},
    {"-9007199254740990:-9007199254740993:-1", false, "-9007199254740990:-9007199254740993:-1",
     3, -0x1p53 + 2, -0x1p53},
    {"-9007199254740992:9007199254740992:3", false, "-9007199254740992:9007199254740992:3",
     UINT64_C(6004799503160662), -0x1p53, 0x1p53 - 1},
    {"-9007199254740992:9007199254740992:18014398509481983", false,
     "-9007199254740992,9007199254740991", 2, -0x1p53, 0x1p53 - 1},
    {"0:4611686018427387904:4611686018427387904", false, "0", 1, 0, 0},
    {"0.5", true, "0.5", 1, 0.5, 0.5},
    {"-0.5,1e-3", true, "-0.5,0.001", 2, -0.5, 0.001},
    {"0.5,1.5,2.5", true, "0.5,1.5,2.5", 3, 0.5, 2.5}, /* reals are never merged */
    {"0.5,1,2,3", true, "0.5,1:4", 4, 0.5, 3},
    {"1,2,2.5,3,4,5", true, "1,2,2.5,3:6", 6, 1, 5},
    {"1,2,3", true, "1:4", 3, 1, 3},
};

static struct pe_positions *parse(const char *text, bool fractions, struct pe_errors *errors)
{
    struct pe_positions *pos = NULL;
    enum pe_status status = positions_parse(&pos, "pos", text, strlen(text), fractions, errors);

    ck_assert_int_eq(status == PE_OK, pos != NULL);
    return pos;
}

START_TEST(every_spelling_has_one_canonical_form)
{
    struct pe_errors errors = {.count = 0};
    struct pe_positions *pos = parse(good[_i].text, good[_i].fractions, &errors);
    char text[200];
    double low, high;

    ck_assert_msg(pos != NULL, "%s: %s", good[_i].text, errors.at[0].detail);
    ck_assert_uint_eq(positions_print(pos, text, sizeof text), strlen(good[_i].canonical));
    ck_assert_str_eq(text, good[_i].canonical);
    ck_assert_uint_eq(pe_positions_count(pos), good[_i].count);
    pe_positions_range(pos, &low, &high);
    if (good[_i].count > 0) {
        ck_assert(pe_positions_at(pos, 0) == good[_i].first);
        ck_assert_msg(pe_positions_at(pos, good[_i].count - 1) == good[_i].last, "%s: %.17g",
                      good[_i].text, pe_positions_at(pos, good[_i].count - 1));
        ck_assert(low <= good[_i].first && high >= good[_i].first);
        ck_assert(low <= good[_i].last && high >= good[_i].last);
    } else {
        ck_assert(low == 0 && high == 0);
    }
    positions_free(pos);
}
END_TEST

START_TEST(the_canonical_form_reads_back_as_itself)
{
    struct pe_errors errors = {.count = 0};
    struct pe_positions *pos = parse(good[_i].canonical, good[_i].fractions, &errors);
    char text[200];

    ck_assert(pos);
    positions_print(pos, text, sizeof text);
    ck_assert_str_eq(text, good[_i].canonical);
    ck_assert_uint_eq(pe_positions_count(pos), good[_i].count);
    positions_free(pos);
}
END_TEST

static const char grammar[] = "must be positions such as 0:128, 0:128:4 or 5,9,12 (half-open "
                              "slices and numbers, joined by commas); cannot read \"";
static const char too_far[] = "must lie in -9007199254740992..9007199254740992 (2^53)";

static const struct {
    const char *text;
    bool fractions;
    enum pe_status status;
    const char *detail, *hint;
} bad[] = {
    {"", false, PE_BAD_VALUE, grammar,
     "a comma stands between two positions, never first or last"},
    {"x", false, PE_BAD_VALUE, "cannot read \"x\"", ""},
    {"1,,2", false, PE_BAD_VALUE, "cannot read \"\"",
     "a comma stands between two positions, never first or last"},
    {"1,2,", false, PE_BAD_VALUE, "cannot read \"\"",
     "a comma stands between two positions, never first or last"},
    {",1", false, PE_BAD_VALUE, grammar,
     "a comma stands between two positions, never first or last"},
    {":", false, PE_BAD_VALUE, "cannot read \":\"", "a slice says where it ends: 0:128"},
    {"::", false, PE_BAD_VALUE, grammar, "a slice says where it ends: 0:128"},
    {"5:", false, PE_BAD_VALUE, "cannot read \"5:\"", "a slice says where it ends: 0:128"},
    {"5::2", false, PE_BAD_VALUE, grammar, ""},
    {"0:4:1:1", false, PE_BAD_VALUE, grammar, ""},
    {"0: 4", false, PE_BAD_VALUE, grammar, "without spaces: 0,1,2"},
    {"+1", false, PE_BAD_VALUE, grammar, "without the +"},
    {"0:1e3", false, PE_BAD_VALUE, grammar, ""},
    {"0.5:4", true, PE_BAD_VALUE, grammar, ""},
    {"0..127", false, PE_BAD_VALUE, grammar, "for 0 to 127 inclusive write 0:128"},
    {"5,0-127", false, PE_BAD_VALUE, "cannot read \"0-127\"",
     "for 0 to 127 inclusive write 0:128"},
    {"-3--1", false, PE_BAD_VALUE, grammar, "for -3 to -1 inclusive write -3:0"},
    {"-3..-1", false, PE_BAD_VALUE, grammar, "for -3 to -1 inclusive write -3:0"},
    {"a-b", false, PE_BAD_VALUE, grammar, ""},
    {"[0,1]", false, PE_BAD_VALUE, "cannot read \"[0\"", "without brackets: 0,1,2"},
    {"0,1;2", false, PE_BAD_VALUE, "cannot read \"1;2\"",
     "one number a position: here they have one axis"},
    {"0:18446744073709551620", false, PE_BAD_VALUE, grammar, ""},
    {"0:4:0", false, PE_BAD_VALUE, "has a slice of step 0: \"0:4:0\"", ""},
    {"0.5", false, PE_BAD_VALUE, "must be whole positions here; got 0.5", ""},
    {"9007199254740993", false, PE_OUT_OF_RANGE, too_far, ""}, /* as a double it is 2^53 */
    {"-9007199254740993", true, PE_OUT_OF_RANGE, too_far, ""},
    {"9007199254740994", false, PE_OUT_OF_RANGE, too_far, ""},
    {"-1e300", true, PE_OUT_OF_RANGE, too_far, ""},
    {"0:4611686018427387904", false, PE_OUT_OF_RANGE, too_far, ""},
    {"9007199254740993:9007199254740995", false, PE_OUT_OF_RANGE, too_far, ""},
    {"-4611686018427387904:4611686018427387904", false, PE_OUT_OF_RANGE, too_far, ""},
    {"4611686018427387904:-4611686018427387904:-1", false, PE_OUT_OF_RANGE, too_far, ""},
    {"0:9007199254740992,0:2", false, PE_OUT_OF_RANGE,
     "names more than 2^53 positions; ask for fewer", ""},
};

START_TEST(other_spellings_are_told_what_to_write)
{
    struct pe_errors errors = {.count = 0};
    struct pe_positions *untouched = (void *)&errors, *pos = untouched;
    const char *text = bad[_i].text;

    ck_assert_int_eq(
        positions_parse(&pos, "pos.t", text, strlen(text), bad[_i].fractions, &errors),
        bad[_i].status);
    ck_assert_ptr_eq(pos, untouched);
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_int_eq(errors.at[0].status, bad[_i].status);
    ck_assert_str_eq(errors.at[0].parameter, "pos.t");
    ck_assert_msg(strstr(errors.at[0].detail, bad[_i].detail), "%s: %s", text,
                  errors.at[0].detail);
    ck_assert_str_eq(errors.at[0].hint, bad[_i].hint);
}
END_TEST

/* "items" numbers joined by commas; the caller frees. */
static char *many(size_t items)
{
    char *text = malloc(2 * items + 1);

    ck_assert(text);
    for (size_t i = 0; i < items; i++) {
        text[2 * i] = (char)('0' + i % 10 * i % 10);
        text[2 * i + 1] = ',';
    }
    text[2 * items - 1] = '\0';
    return text;
}

START_TEST(a_text_has_a_limit_of_items)
{
    struct pe_errors errors = {.count = 0};
    char *text = many(PE_MAX_POSITION_ITEMS);
    struct pe_positions *pos = parse(text, false, &errors);

    ck_assert(pos);
    ck_assert_uint_eq(pe_positions_count(pos), PE_MAX_POSITION_ITEMS);
    positions_free(pos);
    free(text);
    text = many(PE_MAX_POSITION_ITEMS + 1);
    ck_assert(!parse(text, false, &errors));
    ck_assert_int_eq(errors.at[0].status, PE_TOO_LARGE);
    ck_assert_str_eq(errors.at[0].detail,
                     "has 65537 items; at most 65536 (a slice is one item)");
    ck_assert_uint_eq(errors.at[0].limit, PE_MAX_POSITION_ITEMS);
    ck_assert_uint_eq(errors.at[0].requested, PE_MAX_POSITION_ITEMS + 1);
    free(text);
}
END_TEST

START_TEST(an_array_means_the_same_as_a_text)
{
    static const double values[] = {3, -0.0, 1, 2, 3, 0.5};
    struct pe_errors errors = {.count = 0};
    struct pe_positions *pos = NULL;
    char text[64];

    ck_assert_int_eq(positions_from_array(&pos, "pos", values, 6, true, &errors), PE_OK);
    positions_print(pos, text, sizeof text);
    ck_assert_str_eq(text, "3,0:4,0.5");
    ck_assert(!pe_positions_whole(pos));
    positions_free(pos);
    ck_assert_int_eq(positions_from_array(&pos, "pos", values, 0, false, &errors), PE_OK);
    positions_print(pos, text, sizeof text);
    ck_assert_str_eq(text, "0:0");
    ck_assert(pe_positions_whole(pos));
    positions_free(pos);
}
END_TEST

START_TEST(an_array_is_checked_element_by_element)
{
    static const double odd[] = {1, 2, 2.5}, far[] = {0, 0x1p53 + 2}, nan[] = {0.0 / 0.0};
    struct pe_errors errors = {.count = 0};
    struct pe_positions *pos = NULL;
    double *values = calloc(PE_MAX_POSITION_ARRAY + 1, sizeof *values);

    ck_assert(values);
    ck_assert_int_eq(positions_from_array(&pos, "q", odd, 3, false, &errors), PE_BAD_VALUE);
    ck_assert_str_eq(errors.at[0].detail, "must be whole positions here; got 2.5 at index 2");
    ck_assert_int_eq(positions_from_array(&pos, "q", far, 2, true, &errors), PE_OUT_OF_RANGE);
    ck_assert_str_eq(errors.at[1].detail, too_far);
    ck_assert_int_eq(positions_from_array(&pos, "q", nan, 1, true, &errors), PE_OUT_OF_RANGE);
    ck_assert_int_eq(
        positions_from_array(&pos, "q", values, PE_MAX_POSITION_ARRAY + 1, true, &errors),
        PE_TOO_LARGE);
    ck_assert_str_eq(errors.at[3].detail,
                     "has 4194305 items; at most 4194304 (a slice is one item)");
    ck_assert_uint_eq(errors.at[3].limit, PE_MAX_POSITION_ARRAY);
    ck_assert_ptr_null(pos);
    free(values);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(every_spelling_has_one_canonical_form, good),
    TEST_EACH(the_canonical_form_reads_back_as_itself, good),
    TEST_EACH(other_spellings_are_told_what_to_write, bad),
    TEST(a_text_has_a_limit_of_items),
    TEST(an_array_means_the_same_as_a_text),
    TEST(an_array_is_checked_element_by_element),
};

const struct suite position_text_suite = {SUITE_TESTS(tests)};
