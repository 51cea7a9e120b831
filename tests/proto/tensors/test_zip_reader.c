/* SPDX-License-Identifier: Apache-2.0
 * test_zip_reader.c - members come out of an archive as they went in; what differs between
 * headers, data and directory is told, and so is what is not read. */
#include "proto/tensors/zip_reader.h"

#include <string.h>

#include "tests/proto/support/zip_opened.h"
#include "tests/support/suite.h"

enum { LONG = 3 * ZIP_READER_BLOCK + 5 };

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
        struct zip_opened opened;

        zip_opened_write_one(&zip, entry, data, len);
        zip_opened_read(&opened, zip.out.bytes, zip.out.len, len);
        ck_assert_msg(opened.last == ZIP_END, "%zu: %s", len, opened.why);
        ck_assert(opened.members == 1 && opened.ended == 1);
        ck_assert_uint_eq(opened.data.len, len);
        ck_assert_mem_eq(opened.data.bytes, data, len);
        zip_opened_fini(&opened);
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
#define ENTRY(WHAT) "entry 1 of the archive's directory must have the " WHAT " of member 1"
#define LISTED                                                                                 \
    "the directory of the archive must list each of its members once; members 1, entries "
#define NO_ZIP64                                                                               \
    "the archive must have a zip64 end record, to which its end record leaves numbers; zip "   \
    "-fz leaves it out of a pipe: write to a file, or without -fz"
#define DESCRIBED                                                                              \
    "the header and the data descriptor of member 1 of the archive must say the same sizes "   \
    "and CRC-32"
#define PLACE                                                                                  \
    "each record of the archive's end must say the place of its directory: members 1, bytes "  \
    "50, from byte 36 on"
#define HIDDEN                                                                                 \
    "the archive must end once: its comment must not have the bytes PK\\x05\\x06, with which " \
    "the record of an end begins"
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
    {false, false, 36 + 16, 1, "\xff", ENTRY("CRC-32")},
    {false, false, 36 + 46, 1, "b", ENTRY("name")}, /* the name */
    {false, false, 30, 1, "b", ENTRY("name")},
    {false, false, 36 + 28, 1, "\x00", ENTRY("name")},
    {false, false, -11, 1, "\x23", PLACE},
    {false, false, -19, 1, "\x02", PLACE}, /* members, here and in all */
    {false, false, -17, 1, "\x02", PLACE},
    {false, false, -15, 1, "\x31", PLACE}, /* bytes of the directory */
    {false, false, -15, 4, "\xff\xff\xff\xff", NO_ZIP64},
    {false, false, -23, 1, "\x01", PLACE}, /* disks */
    {false, false, -21, 1, "\x01", PLACE},
    {false, false, -5, 4, "PK\x05\x06", HIDDEN},
    {false, false, -4, 4, "PK\x05\x06", HIDDEN},
    {false, false, 36 + 28, 2, "\xff\xff",
     "entry 1 of the archive's directory must have at most 2048 bytes before its comment; it "
     "has 65581"},
    {false, false, 36 + 10, 1, "\x08", ENTRY("method")},
    {false, false, 36 + 20, 1, "\x04", ENTRY("sizes")},
    {false, false, 36 + 24, 1, "\x06", ENTRY("sizes")},
    {false, false, 36 + 42, 1, "\x01", ENTRY("place")},
    {false, false, 36, 4, "PK\x05\x06", LISTED "0"},
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
    {false, false, -11, 4, "\xff\xff\xff\xff", NO_ZIP64},
    {false, false, -17, 2, "\xff\xff", NO_ZIP64},
    {false, true, 14, 1, "\x01", DESCRIBED},
    {true, true, 18, 1, "\x06", DESCRIBED},
    {true, true, 22, 1, "\x06", DESCRIBED},
};

START_TEST(an_archive_that_contradicts_itself_is_refused)
{
    const struct zip_bytes_entry entry = {.deflated = wrong[_i].deflated,
                                          .unsized = wrong[_i].unsized};
    struct zip_bytes zip;
    struct zip_opened opened;
    size_t at;

    zip_opened_write_one(&zip, entry, "Hello", 5);
    at = wrong[_i].at < 0 ? zip.out.len - (size_t)-wrong[_i].at : (size_t)wrong[_i].at;
    memcpy(zip.out.bytes + at, wrong[_i].bytes, wrong[_i].len);
    zip_opened_read(&opened, zip.out.bytes, zip.out.len, 5);
    ck_assert_int_eq(opened.last, ZIP_WRONG);
    ck_assert_str_eq(opened.why, wrong[_i].why);
    zip_opened_fini(&opened);
    zip_bytes_fini(&zip);
}
END_TEST

/* zip writes sizes to a pipe both in the header and behind the data of a stored member. */
START_TEST(a_header_may_say_what_its_descriptor_says)
{
    const struct zip_bytes_entry entry = {.unsized = true};
    struct zip_bytes zip;
    struct zip_opened opened;

    zip_opened_write_one(&zip, entry, "Hello", 5);
    memcpy(zip.out.bytes + 14, zip.out.bytes + 31 + 5 + 4, 12);
    zip_opened_read(&opened, zip.out.bytes, zip.out.len, 5);
    ck_assert_msg(opened.last == ZIP_END, "%s", opened.why);
    zip_opened_fini(&opened);
    zip_bytes_fini(&zip);
}
END_TEST

/* ---- its directory ----------------------------------------------------------------------- */

static void open_members(struct zip_opened *opened, size_t count, bool twice)
{
    struct zip_bytes zip = {0};

    for (size_t i = 0; i < count; i++)
        zip_bytes_add(&zip, &(struct zip_bytes_entry){.name = "a", .data = "Hello", .len = 5});
    if (twice)
        buffer_add(&zip.directory, zip.directory.bytes, zip.directory.len);
    zip_bytes_end(&zip, false);
    zip_opened_read(opened, zip.out.bytes, zip.out.len, 5);
    zip_opened_fini(opened);
    zip_bytes_fini(&zip);
}

START_TEST(every_member_is_compared_with_its_entry)
{
    struct zip_opened opened;

    open_members(&opened, ZIP_READER_MEMBERS, false);
    ck_assert_msg(opened.last == ZIP_END, "%s", opened.why);
    open_members(&opened, ZIP_READER_MEMBERS + 1, false);
    ck_assert_int_eq(opened.last, ZIP_WRONG);
    ck_assert_str_eq(opened.why, "an archive must have at most 64 members");
    open_members(&opened, 1, true);
    ck_assert_int_eq(opened.last, ZIP_WRONG);
    ck_assert_str_eq(opened.why, LISTED "2");
}
END_TEST

/* Extra fields of the only member, in its header. */
static const struct {
    const char *fields, *why;
    size_t len;
} extra_wrong[] = {
    {"\x01\0\0\0\x01\0\0\0", "member 1 of the archive must have one field of zip64; it has two",
     8},
    {"up\x06\0\x01\0\0\0\0b",
     "member 1 of the archive must have one name; its Unicode path, an extra field, is another",
     10},
    {"\x01\0\x05\0\0\0", "the extra fields of member 1 of the archive are cut", 6},
};

START_TEST(extra_fields_that_readers_take_otherwise_are_refused)
{
    const char header[] = "PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
    const char len[2] = {(char)extra_wrong[_i].len, 0};
    struct buffer out = {0};
    struct zip_opened opened;

    buffer_add(&out, header, 28);
    buffer_add(&out, len, 2);
    buffer_add(&out, "a", 1);
    buffer_add(&out, extra_wrong[_i].fields, extra_wrong[_i].len);
    zip_opened_read(&opened, out.bytes, out.len, 0);
    ck_assert_int_eq(opened.last, ZIP_WRONG);
    ck_assert_str_eq(opened.why, extra_wrong[_i].why);
    buffer_fini(&out);
}
END_TEST

/* A field of zip64 that is too short for the sizes that the header leaves to it. */
START_TEST(a_size_that_is_missing_is_told)
{
    const struct zip_bytes_entry entry = {.zip64 = true};
    struct zip_bytes zip;
    struct zip_opened opened;

    zip_opened_write_one(&zip, entry, "Hello", 5);
    zip.out.bytes[31 + 4 + 2] = 8;
    zip_opened_read(&opened, zip.out.bytes, zip.out.len, 5);
    ck_assert_str_eq(opened.why, "the extra fields of member 1 of the archive are cut");
    zip_opened_fini(&opened);
    zip_bytes_fini(&zip);
}
END_TEST

SUITE(zip_reader, TEST_RANGE(members_of_any_length_come_out_as_they_went_in, 0, 8),
      TEST_EACH(an_archive_that_contradicts_itself_is_refused, wrong),
      TEST(a_size_that_is_missing_is_told), TEST(a_header_may_say_what_its_descriptor_says),
      TEST(every_member_is_compared_with_its_entry),
      TEST_EACH(extra_fields_that_readers_take_otherwise_are_refused, extra_wrong));
