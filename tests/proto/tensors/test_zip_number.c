/* SPDX-License-Identifier: Apache-2.0
 * test_zip_number.c - numbers of an archive begin with their lowest byte. */
#include "proto/tensors/zip_number.h"

#include "tests/support/suite.h"

START_TEST(a_number_begins_with_its_lowest_byte)
{
    const unsigned char bytes[] = {0x01, 0x02, 0xff, 0x80, 0, 0, 0, 0xfe};

    ck_assert_uint_eq(zip_number_read(bytes, 0), 0);
    ck_assert_uint_eq(zip_number_read(bytes, 2), 0x0201);
    ck_assert_uint_eq(zip_number_read(bytes, 4), 0x80ff0201);
    ck_assert_uint_eq(zip_number_read(bytes, 8), 0xfe00000080ff0201);
}
END_TEST

SUITE(zip_number, TEST(a_number_begins_with_its_lowest_byte));
