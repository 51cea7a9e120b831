/* SPDX-License-Identifier: Apache-2.0
 * test_position_text.c - the limits of a text of positions, and positions given as an array.
 * The grammar itself is rows of positions.txt. */
#include <stdlib.h>
#include <string.h>

#include "core/args/positions.h"
#include "core/encoding.h"
#include "tests/support/suite.h"

static struct pe_positions *parse(const char *text, bool fractions, struct pe_errors *errors)
{
    struct pe_positions *pos = NULL;
    enum pe_status status = positions_parse(&pos, "pos", text, strlen(text), fractions, errors);

    ck_assert_int_eq(status == PE_OK, pos != NULL);
    return pos;
}

static const char too_far[] = "must lie in -9007199254740992..9007199254740992 (2^53)";

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

SUITE(position_text, TEST(a_text_has_a_limit_of_items), TEST(an_array_means_the_same_as_a_text),
      TEST(an_array_is_checked_element_by_element));
