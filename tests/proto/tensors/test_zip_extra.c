/* SPDX-License-Identifier: Apache-2.0
 * test_zip_extra.c - extra fields give the numbers of zip64, and are refused where two readers
 * could take different ones. */
#include "proto/tensors/zip_extra.h"

#include "tests/support/suite.h"

#define FIELD(ID, LEN) ID "\0" LEN "\0"
#define FIVE "\x05\0\0\0\0\0\0\0"
#define SIX "\x06\0\0\0\0\0\0\0"

/* Fields of the member "ab". `first` and `second` are what is taken in place of all ones; 0:
 * the field has no such number. */
static const struct {
    const char *fields;
    size_t len;
    enum zip_extra_state state;
    bool zip64;
    uint64_t first, second;
} rows[] = {
    {"", 0, ZIP_EXTRA_OK, false, UINT32_MAX, UINT32_MAX},
    {"\0\0\0", 3, ZIP_EXTRA_OK, false, UINT32_MAX, UINT32_MAX}, /* padding */
    {FIELD("\x01", "\x10") FIVE SIX, 20, ZIP_EXTRA_OK, true, 5, 6},
    {FIELD("\x01", "\x08") FIVE, 12, ZIP_EXTRA_OK, true, 5, 0},
    {FIELD("\x01", "\x07") FIVE, 11, ZIP_EXTRA_OK, true, 0, 0},
    {FIELD("\x01", "\0"), 4, ZIP_EXTRA_OK, true, 0, 0},
    {"UT\x05\0\x03tttt" FIELD("\x01", "\x08") FIVE, 21, ZIP_EXTRA_OK, true, 5, 0},
    {FIELD("\x01", "\x10") FIVE SIX, 19, ZIP_EXTRA_CUT, false, 0, 0},
    {"UT\x01\0", 4, ZIP_EXTRA_CUT, false, 0, 0},
    {FIELD("\x01", "\x08") FIVE FIELD("\x01", "\x08") SIX, 24, ZIP_EXTRA_TWICE, true, 0, 0},
    {"up\x07\0\x01"
     "cccc"
     "ab",
     11, ZIP_EXTRA_OK, false, UINT32_MAX, UINT32_MAX},
    {"up\x07\0\x01"
     "cccc"
     "aB",
     11, ZIP_EXTRA_RENAMED, false, 0, 0},
    {"up\x06\0\x01"
     "cccc"
     "a",
     10, ZIP_EXTRA_RENAMED, false, 0, 0},
    {"up\x04\0\x01"
     "ccc",
     8, ZIP_EXTRA_RENAMED, false, 0, 0},
};

static void expect_taken(struct zip_extra *extra, uint64_t expected)
{
    uint64_t number = UINT32_MAX, small = 7;

    ck_assert(zip_extra_take(extra, &small)); /* it leaves nothing to the field */
    ck_assert_uint_eq(small, 7);
    ck_assert(zip_extra_take(extra, &number) == (expected != 0));
    if (expected != 0)
        ck_assert_uint_eq(number, expected);
}

START_TEST(fields_give_the_numbers_of_zip64)
{
    struct zip_extra extra;

    ck_assert_int_eq(
        zip_extra_read(&extra, (const unsigned char *)rows[_i].fields, rows[_i].len, "ab", 2),
        rows[_i].state);
    if (rows[_i].state != ZIP_EXTRA_OK)
        return;
    ck_assert(extra.zip64 == rows[_i].zip64);
    expect_taken(&extra, rows[_i].first);
    expect_taken(&extra, rows[_i].second);
}
END_TEST

SUITE(zip_extra, TEST_EACH(fields_give_the_numbers_of_zip64, rows));
