/* SPDX-License-Identifier: Apache-2.0
 * test_zip_reader.c - members come out of an archive as they went in; what differs between
 * headers, data and directory is told, and so is what is not read. */
#include "proto/tensors/zip_reader.h"

#include <stdlib.h>
#include <string.h>

#include "tests/proto/support/zip_bytes.h"
#include "tests/support/suite.h"

enum { LONG = 3 * ZIP_READER_BLOCK + 5, MEMBERS_MAX = 20 };

struct opened {
    struct buffer data;
    size_t members, ended;
    enum zip_event last;
    char why[ZIP_MEMBER_WHY_SIZE];
};

/* Reads the archive; an unsized member, stored, ends after `stored` bytes. */
static void open_archive(struct opened *opened, const char *bytes, size_t len, size_t stored)
{
    struct zip_reader *zip = calloc(1, sizeof *zip);
    size_t used = 0;

    ck_assert_ptr_nonnull(zip);
    *opened = (struct opened){.last = ZIP_MORE};
    while (opened->last != ZIP_END && opened->last < ZIP_WRONG) {
        opened->last = zip_reader_next(zip);
        if (opened->last == ZIP_MEMBER && zip->member.unsized && !zip->member.deflated)
            opened->data.len = 0;
        opened->members += opened->last == ZIP_MEMBER;
        opened->ended += opened->last == ZIP_MEMBER_END;
        if (opened->last == ZIP_DATA) {
            const size_t before = opened->data.len, after = before + zip->data_len;

            buffer_add(&opened->data, zip->data, zip->data_len);
            if (zip->member.unsized && !zip->member.deflated && after > stored) {
                opened->data.len = stored;
                zip_reader_end_data(zip, after - stored);
            }
        }
        if (opened->last == ZIP_MORE && used == len)
            zip_reader_complete(zip);
        if (opened->last == ZIP_MORE)
            used += zip_reader_add(zip, bytes + used, len - used);
    }
    memcpy(opened->why, zip->why, sizeof opened->why);
    zip_reader_fini(zip);
    free(zip);
}

static void write_one(struct zip_bytes *zip, struct zip_bytes_entry entry, const char *data,
                      size_t len)
{
    entry.name = "a";
    entry.data = data;
    entry.len = len;
    *zip = (struct zip_bytes){0};
    zip_bytes_add(zip, &entry);
    zip_bytes_end(zip, false);
}

/* Lengths around multiples of a block, so that every part of an archive crosses their border.
 * */
START_TEST(members_of_any_length_come_out_as_they_went_in)
{
    static char data[LONG];

    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (char)(i * i >> 3);
    for (size_t len = LONG - 160; len <= LONG; len++) {
        const struct zip_bytes_entry entry = {.deflated = (_i & 1) != 0,
                                              .unsized = (_i & 2) != 0,
                                              .no_signature = (_i & 4) != 0};
        struct zip_bytes zip;
        struct opened opened;

        write_one(&zip, entry, data, len);
        open_archive(&opened, zip.out.bytes, zip.out.len, len);
        ck_assert_msg(opened.last == ZIP_END, "%zu: %s", len, opened.why);
        ck_assert(opened.members == 1 && opened.ended == 1);
        ck_assert_uint_eq(opened.data.len, len);
        ck_assert_mem_eq(opened.data.bytes, data, len);
        buffer_fini(&opened.data);
        zip_bytes_fini(&zip);
    }
}
END_TEST

/* ---- wrong archives ---------------------------------------------------------------------- */

#define SIZES "member 1 of the archive must have the sizes that the archive says, "
#define UNREADABLE                                                                             \
    "member 1 of the archive is encrypted or patched; send members as numpy.savez writes them"
#define METHOD                                                                                 \
    "members of the archive must be stored or deflated (methods 0 and 8), as numpy.savez and " \
    "numpy.savez_compressed write them; member 1 has method "
#define DIRECTORY                                                                              \
    "the directory of the archive must list its 1 members in their order, with their places, " \
    "methods, sizes and CRC-32"
#define CRC "the data of member 1 of the archive is corrupt: its CRC-32 is wrong"

/* Bytes that replace bytes of an archive with one member, "a", of five bytes. `at` counts from
 * the archive's start or, if negative, from its end; the entry of the directory begins at 36.
 * */
static const struct {
    bool deflated, unsized;
    int at;
    size_t len;
    const char *bytes, *why;
} wrong[] = {
    {false, false, 0, 4, "PK\x07\x08",
     "the body is not NPZ: it must begin with PK\\x03\\x04, as numpy.savez writes it"},
    {false, false, 0, 2, "MZ",
     "the body is not NPZ: it must begin with PK\\x03\\x04, as numpy.savez writes it"},
    {false, false, 6, 1, "\x01", UNREADABLE},
    {false, false, 6, 1, "\x20", UNREADABLE},
    {false, false, 6, 1, "\x40", UNREADABLE},
    {false, false, 7, 1, "\x20", UNREADABLE},
    {false, false, 8, 1, "\x0c", METHOD "12"},
    {false, false, 8, 1, "\x5d", METHOD "93"},
    {false, false, 14, 1, "\xff", CRC},
    {false, false, 31, 1, "J", CRC},
    {false, false, 18, 1, "\x04",
     "member 1 of the archive is stored and must have one size; its header has two"},
    {false, false, 18, 8, "\x04\0\0\0\x04\0\0", CRC},
    {false, false, 18, 8, "\x06\0\0\0\x06\0\0", CRC},
    {false, false, 28, 2, "\xff\xff",
     "the header of member 1 of the archive must have at most 2048 bytes; it has 65566"},
    {false, false, 28, 2, "\x05", "the extra fields of member 1 of the archive are cut"},
    {false, false, 36, 4, "PK\x08\x07",
     "the archive must go on with a member or its directory at byte 36"},
    {false, false, 36 + 16, 1, "\xff", DIRECTORY},
    {false, false, 36, 4, "PK\x05\x06", DIRECTORY},
    {false, false, -7, 1, "\x04", "the body goes on after the end of its archive"},
    {false, false, -7, 1, "\x06", "the body ends after 113 bytes, before its archive does"},
    {true, false, 18, 1, "\x06",
     "the data of member 1 of the archive goes on after the bytes that its header says"},
    {true, false, 18, 1, "\x08", SIZES "8 and 5 bytes; it has 7 and 5"},
    {true, false, 22, 1, "\x04", SIZES "7 and 4 bytes; it has 7 and 5"},
    {true, false, 31, 1, "\x07",
     "the data of member 1 of the archive is corrupt: invalid block type"},
    {true, true, 31 + 7 + 8, 1, "\x09", SIZES "9 and 5 bytes; it has 7 and 5"},
    {false, true, 31 + 5 + 4, 1, "\xff", CRC},
};

START_TEST(an_archive_that_contradicts_itself_is_refused)
{
    const struct zip_bytes_entry entry = {.deflated = wrong[_i].deflated,
                                          .unsized = wrong[_i].unsized};
    struct zip_bytes zip;
    struct opened opened;
    size_t at;

    write_one(&zip, entry, "Hello", 5);
    at = wrong[_i].at < 0 ? zip.out.len - (size_t)-wrong[_i].at : (size_t)wrong[_i].at;
    memcpy(zip.out.bytes + at, wrong[_i].bytes, wrong[_i].len);
    open_archive(&opened, zip.out.bytes, zip.out.len, 5);
    ck_assert_int_eq(opened.last, ZIP_WRONG);
    ck_assert_str_eq(opened.why, wrong[_i].why);
    buffer_fini(&opened.data);
    zip_bytes_fini(&zip);
}
END_TEST

/* A field of zip64 that is too short for the sizes that the header leaves to it. */
START_TEST(a_size_that_is_missing_is_told)
{
    const struct zip_bytes_entry entry = {.zip64 = true};
    struct zip_bytes zip;
    struct opened opened;

    write_one(&zip, entry, "Hello", 5);
    zip.out.bytes[31 + 4 + 2] = 8;
    open_archive(&opened, zip.out.bytes, zip.out.len, 5);
    ck_assert_str_eq(opened.why, "the extra fields of member 1 of the archive are cut");
    buffer_fini(&opened.data);
    zip_bytes_fini(&zip);
}
END_TEST

SUITE(zip_reader, TEST_RANGE(members_of_any_length_come_out_as_they_went_in, 0, 8),
      TEST_EACH(an_archive_that_contradicts_itself_is_refused, wrong),
      TEST(a_size_that_is_missing_is_told));
