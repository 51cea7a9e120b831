/* SPDX-License-Identifier: Apache-2.0
 * test_zip_listing.c - an entry of the directory says what is true of its member, also where a
 * field of zip64 has its numbers. */
#include "proto/tensors/zip_listing.h"

#include <string.h>

#include "tests/support/suite.h"

enum { EXTRA = ZIP_LISTING_FIXED + 1, SIZE = EXTRA + 28 };

/* The entry of the member "a": 7 bytes that inflate to 5, from byte 9 on. Its field of zip64
 * has the place alone, and zeros behind it. */
static const unsigned char right[SIZE] =
    "PK\x01\x02\x2d\x03\x2d\0\0\0\x08\0\0\0\0\0\xdd\xcc\xbb\xaa"
    "\x07\0\0\0\x05\0\0\0\x01\0\x1c\0\0\0\0\0\0\0\0\0\0\0\xff\xff\xff\xff"
    "a"
    "\x01\0\x18\0\x09\0\0\0\0\0\0\0";

/* Bytes that replace some of the entry. */
static const struct {
    size_t at, len;
    const char *bytes, *differs;
} rows[] = {
    {0, 0, "", NULL},
    {24, 4, "\xff\xff\xff\xff\x01", "sizes"}, /* 9 in place of 5 */
    {EXTRA + 4, 1, "\x08", "place"},
    {EXTRA + 11, 1, "\x01", "place"},
    {EXTRA + 2, 1, "\x07", "place"},            /* its field ends before the number */
    {EXTRA, 1, "\x02", "place"},                /* it is of another kind */
    {EXTRA + 2, 1, "\x19", "extra fields"},     /* cut */
    {EXTRA + 2, 7, "\x08\0\x09\0\0\0\0", NULL}, /* a shorter one, zeros behind it */
    {EXTRA + 12, 12, "\x01\0\0\0\0\0\0\0\0\0\0\0", NULL},
    {8, 1, "\x01", "method"}, /* encrypted */
    {8, 1, "\x08", NULL},     /* with a descriptor */
    {10, 1, "\0", "method"},
    {16, 1, "\xde", "CRC-32"},
    {20, 1, "\x08", "sizes"},
    {24, 1, "\x06", "sizes"},
    {28, 1, "\0", "name"},
    {28, 1, "\x02", "name"},
    {34, 1, "\x01", "place"}, /* of another disk */
    {42, 4, "\x09\0\0\0", NULL},
    {42, 4, "\x08\0\0\0", "place"},
    {EXTRA - 1, 1, "b", "name"},
};

START_TEST(an_entry_says_what_is_true_of_its_member)
{
    struct zip_listing listing = {.begins = 9,
                                  .packed = 7,
                                  .plain = 5,
                                  .crc = 0xaabbccdd,
                                  .deflated = true};
    unsigned char entry[SIZE];
    const char *differs;

    zip_listing_set_name(&listing, "a", 1);
    memcpy(entry, right, sizeof entry);
    ck_assert_uint_eq(zip_listing_size(entry), SIZE);
    memcpy(entry + rows[_i].at, rows[_i].bytes, rows[_i].len);
    differs = zip_listing_differs(&listing, entry);
    if (rows[_i].differs)
        ck_assert_str_eq(differs, rows[_i].differs);
    else
        ck_assert_msg(!differs, "%s", differs);
}
END_TEST

/* The sizes and the place in the order in which the field has them. */
START_TEST(all_numbers_may_be_in_the_field_of_zip64)
{
    const struct zip_listing template = {.begins = 9,
                                         .packed = 7,
                                         .plain = 5,
                                         .crc = 0xaabbccdd,
                                         .deflated = true};
    struct zip_listing listing = template;
    unsigned char entry[SIZE];

    zip_listing_set_name(&listing, "a", 1);
    memcpy(entry, right, sizeof entry);
    memset(entry + 20, 0xff, 8);
    memset(entry + EXTRA + 4, 0, 24);
    entry[EXTRA + 4] = 5;
    entry[EXTRA + 12] = 7;
    entry[EXTRA + 20] = 9;
    ck_assert_ptr_null(zip_listing_differs(&listing, entry));
    listing.packed++;
    ck_assert_str_eq(zip_listing_differs(&listing, entry), "sizes");
    listing.packed--;
    listing.begins--;
    ck_assert_str_eq(zip_listing_differs(&listing, entry), "place");
}
END_TEST

SUITE(zip_listing, TEST_EACH(an_entry_says_what_is_true_of_its_member, rows),
      TEST(all_numbers_may_be_in_the_field_of_zip64));
