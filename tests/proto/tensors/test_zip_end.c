/* SPDX-License-Identifier: Apache-2.0
 * test_zip_end.c - an archive has one end, whose records say the place of its directory, and
 * nothing but zeros stands behind it. */
#include "proto/tensors/zip_end.h"

#include <string.h>

#include "tests/proto/support/zip_opened.h"
#include "tests/support/suite.h"

#define PLACE                                                                                  \
    "each record of the archive's end must say the place of its directory: members 1, bytes "  \
    "50, from byte 36 on"
#define HIDDEN                                                                                 \
    "the archive must end once: its comment must not have the bytes PK\\x05\\x06, with which " \
    "the record of an end begins"

static void add_comment(struct zip_bytes *zip, const char *text, size_t len)
{
    zip->out.len -= 5 + 2; /* "hello" and its length */
    buffer_add(&zip->out, (char[]){(char)(len & 0xff), (char)(len >> 8)}, 2);
    buffer_add(&zip->out, text, len);
}

/* An archive with that comment, in which an end of another directory begins, is refused. */
static void expect_hidden(const char *comment, size_t len)
{
    struct zip_bytes zip;
    struct zip_opened opened;

    zip_opened_write_one(&zip, (struct zip_bytes_entry){0}, "Hello", 5);
    add_comment(&zip, comment, len);
    zip_opened_read(&opened, zip.out.bytes, zip.out.len, 5);
    ck_assert_int_eq(opened.last, ZIP_WRONG);
    ck_assert_str_eq(opened.why, HIDDEN);
    zip_opened_fini(&opened);
    zip_bytes_fini(&zip);
}

/* A whole second end, of another directory, behind the first: a reader that looks for the last
 * end takes it. Its place in the comment is each one around the border of a block; the first of
 * its bytes are the length of the comment itself once. */
START_TEST(an_end_in_the_comment_is_refused)
{
    static char comment[0x4b50];
    static const char second[22] = "PK\x05\x06";
    const size_t own = 2, begins = sizeof comment - sizeof second - own;
    size_t step = 0;

    for (size_t at = 0; at < begins; at += step) {
        memset(comment, 'K', sizeof comment);
        memcpy(comment + at, second, sizeof second);
        expect_hidden(comment, sizeof comment - own);
        step = at > 3960 && at < 4010 ? 1 : 331;
    }
}
END_TEST

START_TEST(an_end_that_begins_in_the_length_of_the_comment_is_refused)
{
    static char comment[0x4b50] = "\x05\x06";

    expect_hidden(comment, sizeof comment);
}
END_TEST

/* An archive whose directory ends with these bytes, the last of its entry's comment. */
static void open_with_comment(struct zip_opened *opened, const char *text, size_t len)
{
    struct zip_bytes zip = {0};

    zip_bytes_add(&zip, &(struct zip_bytes_entry){.name = "a", .data = "Hello", .len = 5});
    zip.directory.bytes[32] = (char)(zip.directory.bytes[32] + (char)len);
    buffer_add(&zip.directory, text, len);
    zip_bytes_end(&zip, false);
    zip_opened_read(opened, zip.out.bytes, zip.out.len, 5);
    zip_opened_fini(opened);
    zip_bytes_fini(&zip);
}

/* A reader that looks for the locator before the end finds the one in the comment, and with it
 * another directory; elsewhere those bytes are a comment. */
START_TEST(a_locator_at_the_end_of_the_directory_is_refused)
{
    static const char locator[22] = "PK\x06\x07";
    struct zip_opened opened;

    open_with_comment(&opened, locator, 20);
    ck_assert_int_eq(opened.last, ZIP_WRONG);
    ck_assert_str_eq(
        opened.why, "the archive must end once: its directory must not end with the locator of "
                    "a zip64 end record");
    for (size_t len = 19; len <= 21; len += 2) {
        open_with_comment(&opened, locator, len);
        ck_assert_msg(opened.last == ZIP_END, "%s", opened.why);
    }
}
END_TEST

/* The locator begins at each place around the border of a block. */
START_TEST(a_locator_that_two_blocks_share_is_refused)
{
    static char data[ZIP_READER_BLOCK];
    const size_t rest = 31 + 46 + 1 + 3 + 20 + 22; /* bytes of the archive but for the data */

    for (size_t len = sizeof data - rest - 2; len <= sizeof data - rest + 44; len++) {
        struct zip_bytes zip = {0};
        struct zip_opened opened;

        zip_bytes_add(&zip, &(struct zip_bytes_entry){.name = "a", .data = data, .len = len});
        zip.directory.bytes[32] = 3 + 20;
        buffer_add(&zip.directory, "PK\x06\x07\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0", 20);
        zip_bytes_end(&zip, false);
        zip_opened_read(&opened, zip.out.bytes, zip.out.len, len);
        ck_assert_msg(opened.last == ZIP_WRONG, "%zu", len);
        zip_opened_fini(&opened);
        zip_bytes_fini(&zip);
    }
}
END_TEST

/* bsdtar fills its last block of 10,240 bytes when it writes to a pipe. */
START_TEST(zeros_behind_the_end_are_padding)
{
    static const char zeros[3 * ZIP_READER_BLOCK];
    struct zip_bytes zip;
    struct zip_opened opened;

    zip_opened_write_one(&zip, (struct zip_bytes_entry){.deflated = true}, "Hello", 5);
    buffer_add(&zip.out, zeros, sizeof zeros);
    zip_opened_read(&opened, zip.out.bytes, zip.out.len, 5);
    ck_assert_msg(opened.last == ZIP_END, "%s", opened.why);
    ck_assert_mem_eq(opened.data.bytes, "Hello", 5);
    zip_opened_fini(&opened);
    zip.out.bytes[zip.out.len - 1] = 1;
    zip_opened_read(&opened, zip.out.bytes, zip.out.len, 5);
    ck_assert_int_eq(opened.last, ZIP_WRONG);
    ck_assert_str_eq(opened.why, "the body goes on after the end of its archive");
    zip_opened_fini(&opened);
    zip_bytes_fini(&zip);
}
END_TEST

/* Bytes that replace bytes of an archive with a zip64 end, counted from its start: that record
 * begins at 86, its locator at 142, the end record at 162. */
static const struct {
    size_t at, len;
    const char *bytes, *why;
} zip64_wrong[] = {
    {86 + 4, 1, "\x2d", PLACE},
    {86 + 16, 1, "\x01", PLACE},
    {86 + 24, 1, "\x02", PLACE},
    {86 + 32, 1, "\x02", PLACE},
    {86 + 40, 1, "\x31", PLACE},
    {86 + 48, 1, "\x23", PLACE},
    {86, 4, "PK\x06\x07", PLACE}, /* a locator of nothing */
    {142 + 4, 1, "\x01", PLACE},
    {142 + 8, 1, "\x55", PLACE},
    {142 + 16, 1, "\x02", PLACE},
    {142, 4, "PK\x05\x06", PLACE}, /* without a locator */
    {142, 4, "PK\x06\x06", "the archive must go on with a member or its directory at byte 142"},
    {142, 4, "PK\x01\x02", "the archive must go on with a member or its directory at byte 142"},
};

START_TEST(a_zip64_end_that_says_another_place_is_refused)
{
    struct zip_bytes zip = {0};
    struct zip_opened opened;

    zip_bytes_add(&zip, &(struct zip_bytes_entry){.name = "a", .data = "Hello", .len = 5});
    zip_bytes_end(&zip, true);
    zip_opened_read(&opened, zip.out.bytes, zip.out.len, 5);
    ck_assert_msg(opened.last == ZIP_END, "%s", opened.why);
    zip_opened_fini(&opened);
    memcpy(zip.out.bytes + zip64_wrong[_i].at, zip64_wrong[_i].bytes, zip64_wrong[_i].len);
    zip_opened_read(&opened, zip.out.bytes, zip.out.len, 5);
    ck_assert_int_eq(opened.last, ZIP_WRONG);
    ck_assert_str_eq(opened.why, zip64_wrong[_i].why);
    zip_opened_fini(&opened);
    zip_bytes_fini(&zip);
}
END_TEST

SUITE(zip_end, TEST(an_end_in_the_comment_is_refused),
      TEST(an_end_that_begins_in_the_length_of_the_comment_is_refused),
      TEST(a_locator_at_the_end_of_the_directory_is_refused),
      TEST(a_locator_that_two_blocks_share_is_refused), TEST(zeros_behind_the_end_are_padding),
      TEST_EACH(a_zip64_end_that_says_another_place_is_refused, zip64_wrong));
