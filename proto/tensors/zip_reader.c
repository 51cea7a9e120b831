/* SPDX-License-Identifier: Apache-2.0
 * zip_reader.c - see zip_reader.h. Each step reads one part of the archive, and has an event
 * for the caller or goes on to the next step. */
#include "proto/tensors/zip_reader.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "proto/tensors/zip_number.h"
#include "proto/tensors/zip_step.h"

enum { SIGNATURE = 4 };

/* ---- members ----------------------------------------------------------------------------- */

/* The parts behind each other: members and entries of the directory repeat, the end has each
 * of its records once. */
static enum zip_event read_signature(struct zip_reader *zip)
{
    static const struct {
        char bytes[SIGNATURE];
        bool repeats;
        enum zip_step step;
    } signatures[] = {
        {{'P', 'K', 3, 4}, true, ZIP_STEP_LOCAL},
        {{'P', 'K', 1, 2}, true, ZIP_STEP_DIRECTORY},
        {{'P', 'K', 6, 6}, false, ZIP_STEP_ZIP64_END},
        {{'P', 'K', 6, 7}, false, ZIP_STEP_ZIP64_PLACE},
        {{'P', 'K', 5, 6}, false, ZIP_STEP_END},
    };

    if (!zip_step_gather(zip, SIGNATURE))
        return ZIP_MORE;
    for (size_t i = zip->order; i < sizeof signatures / sizeof signatures[0]; i++)
        if (memcmp(zip->part, signatures[i].bytes, SIGNATURE) == 0) {
            zip->order = signatures[i].repeats ? i : i + 1;
            return zip_step_go(zip, signatures[i].step);
        }
    if (zip->count == 0 && zip_reader_is_pickle(zip->part, SIGNATURE))
        return zip_step_refuse(
            zip,
            "the file is a pickle by itself, as torch.save wrote before PyTorch 1.6: save it "
            "again by a newer one, or send what numpy.savez writes");
    if (zip->count == 0)
        return zip_step_refuse(
            zip, "the body is not NPZ: it must begin with PK\\x03\\x04, as numpy.savez "
                 "writes it");
    return zip_step_refuse(
        zip, "the archive must go on with a member or its directory at byte %" PRIu64,
        zip->offset + zip->at - SIGNATURE);
}

static enum zip_event begin_member(struct zip_reader *zip)
{
    if (!zip_step_gather(zip, ZIP_MEMBER_FIXED))
        return ZIP_MORE;
    const size_t size = zip_member_header_size(zip->part);
    if (size > ZIP_MEMBER_HEADER)
        return zip_step_refuse(
            zip,
            "the header of member %zu of the archive must have at most %d bytes; "
            "it has %zu",
            zip->count + 1, ZIP_MEMBER_HEADER, size);
    if (!zip_step_gather(zip, size))
        return ZIP_MORE;
    if (zip->count == ZIP_READER_MEMBERS)
        return zip_step_refuse(zip, "an archive must have at most %d members",
                               ZIP_READER_MEMBERS);
    zip->begins = zip->offset + zip->at - zip->part_len;
    zip->part_len = 0;
    zip->packed = zip->plain = zip->crc = 0;
    zip->data_ended = false;
    zip->count++;
    if (!zip_member_read(&zip->member, zip->part, zip->count, zip->why))
        return ZIP_WRONG;
    zip_listing_set_name(&zip->named, zip->member.name, zip->member.name_len);
    if (!zip_step_begin_data(zip))
        return ZIP_NO_MEMORY;
    zip->step = ZIP_STEP_DATA;
    return ZIP_MEMBER;
}

/* ---- data -------------------------------------------------------------------------------- */

static enum zip_event read_data(struct zip_reader *zip)
{
    if (zip->data_ended)
        return zip_step_go(zip,
                           zip->member.unsized ? ZIP_STEP_DESCRIPTOR : ZIP_STEP_MEMBER_END);
    return zip->member.deflated ? zip_step_inflate(zip) : zip_step_store(zip);
}

void zip_reader_end_data(struct zip_reader *zip, size_t unread_len)
{
    assert(zip->member.unsized && !zip->member.deflated && unread_len <= zip->data_len);
    zip->data_len -= unread_len;
    zip->at -= unread_len;
    zip->packed -= unread_len;
    zip->data_ended = true;
}

static enum zip_event read_descriptor(struct zip_reader *zip)
{
    if (!zip_step_gather(zip, SIGNATURE))
        return ZIP_MORE;
    const size_t size = zip_member_descriptor_size(&zip->member, zip->part);
    if (!zip_step_gather(zip, size))
        return ZIP_MORE;
    if (!zip_member_describe(&zip->member, zip->part, size))
        return zip_step_refuse(
            zip,
            "the header and the data descriptor of member %zu of the archive must say the same "
            "sizes and CRC-32",
            zip->count);
    zip->part_len = 0;
    return zip_step_go(zip, ZIP_STEP_MEMBER_END);
}

static enum zip_event end_member(struct zip_reader *zip)
{
    if (zip->packed != zip->member.packed || zip->plain != zip->member.plain)
        return zip_step_refuse(
            zip,
            "member %zu of the archive must have the sizes that the archive says, "
            "%" PRIu64 " and %" PRIu64 " bytes; it has %" PRIu64 " and %" PRIu64,
            zip->count, zip->member.packed, zip->member.plain, zip->packed, zip->plain);
    if (zip->crc != zip->member.crc)
        return zip_step_refuse(
            zip, "the data of member %zu of the archive is corrupt: its CRC-32 is wrong",
            zip->count);
    struct zip_listing *listing = &zip->listing[zip->count - 1];
    *listing = zip->named;
    listing->begins = zip->begins;
    listing->packed = zip->packed;
    listing->plain = zip->plain;
    listing->crc = zip->crc;
    listing->deflated = zip->member.deflated;
    zip->step = ZIP_STEP_SIGNATURE;
    return ZIP_MEMBER_END;
}

/* ---- the central directory --------------------------------------------------------------- */

/* Passes over bytes before the next step. */
static enum zip_event skip(struct zip_reader *zip, uint64_t bytes, enum zip_step next)
{
    zip->part_len = 0;
    zip->skip = bytes;
    zip->after_skip = next;
    return zip_step_go(zip, ZIP_STEP_SKIP);
}

static enum zip_event refuse_listed(struct zip_reader *zip)
{
    return zip_step_refuse(zip,
                           "the directory of the archive must list each of its members once; "
                           "members %zu, entries %zu",
                           zip->count, zip->listed);
}

static enum zip_event read_entry(struct zip_reader *zip)
{
    if (!zip_step_gather(zip, ZIP_LISTING_FIXED))
        return ZIP_MORE;
    const size_t size = zip_listing_size(zip->part);
    if (size > ZIP_MEMBER_HEADER)
        return zip_step_refuse(
            zip,
            "entry %zu of the archive's directory must have at most %d bytes before its "
            "comment; it has %zu",
            zip->listed + 1, ZIP_MEMBER_HEADER, size);
    if (!zip_step_gather(zip, size))
        return ZIP_MORE;
    if (zip->listed == 0)
        zip->end.begins = zip->offset + zip->at - size;
    if (++zip->listed > zip->count)
        return refuse_listed(zip);
    const char *what = zip_listing_differs(&zip->listing[zip->listed - 1], zip->part);
    if (what)
        return zip_step_refuse(
            zip, "entry %zu of the archive's directory must have the %s of member %zu",
            zip->listed, what, zip->listed);
    return skip(zip, zip_number_read(zip->part + 32, 2), ZIP_STEP_SIGNATURE);
}

/* Notes what the records behind the directory must say; `begins` is that of the first one. */
static enum zip_event end_directory(struct zip_reader *zip, uint64_t begins)
{
    if (zip->listed != zip->count)
        return refuse_listed(zip);
    if (zip->count == 0)
        zip->end.begins = begins;
    zip->end.members = zip->count;
    zip->end.size = begins - zip->end.begins;
    return ZIP_NONE;
}

static enum zip_event refuse_end(struct zip_reader *zip)
{
    return zip_step_refuse(
        zip,
        "each record of the archive's end must say the place of its directory: "
        "members %" PRIu64 ", bytes %" PRIu64 ", from byte %" PRIu64 " on",
        zip->end.members, zip->end.size, zip->end.begins);
}

static enum zip_event read_zip64_end(struct zip_reader *zip)
{
    if (!zip_step_gather(zip, ZIP_END_ZIP64))
        return ZIP_MORE;
    zip->end.zip64_begins = zip->offset + zip->at - ZIP_END_ZIP64;
    if (end_directory(zip, zip->end.zip64_begins) != ZIP_NONE)
        return ZIP_WRONG;
    zip->end.zip64 = true;
    return zip_end_zip64_is(&zip->end, zip->part) ? skip(zip, 0, ZIP_STEP_SIGNATURE)
                                                  : refuse_end(zip);
}

static enum zip_event read_zip64_place(struct zip_reader *zip)
{
    if (!zip_step_gather(zip, ZIP_END_LOCATOR))
        return ZIP_MORE;
    if (!zip->end.zip64 &&
        end_directory(zip, zip->offset + zip->at - ZIP_END_LOCATOR) != ZIP_NONE)
        return ZIP_WRONG;
    zip->located = true;
    return zip_end_locator_is(&zip->end, zip->part) ? skip(zip, 0, ZIP_STEP_SIGNATURE)
                                                    : refuse_end(zip);
}

/* Returns whether a locator stands before the end record that has been read. */
static bool is_located(const struct zip_reader *zip)
{
    unsigned char before[ZIP_READER_BEFORE];

    zip_step_copy_before(zip, before);
    return zip_end_is_located(before);
}

static enum zip_event read_end(struct zip_reader *zip)
{
    if (!zip_step_gather(zip, ZIP_END_SIZE))
        return ZIP_MORE;
    if (!zip->end.zip64 && end_directory(zip, zip->offset + zip->at - ZIP_END_SIZE) != ZIP_NONE)
        return ZIP_WRONG;
    if (zip_end_lacks_zip64(&zip->end, zip->part))
        return zip_step_refuse(
            zip,
            "the archive must have a zip64 end record, to which its end record leaves numbers; "
            "zip -fz leaves it out of a pipe: write to a file, or without -fz");
    if (zip->end.zip64 != zip->located || !zip_end_record_is(&zip->end, zip->part))
        return refuse_end(zip);
    if (!zip->located && zip->listed > 0 && is_located(zip))
        return zip_step_refuse(
            zip, "the archive must end once: its directory must not end with the locator of a "
                 "zip64 end record");
    (void)zip_end_is_hidden(&zip->end, zip->part + SIGNATURE, ZIP_END_SIZE - SIGNATURE);
    skip(zip, zip_number_read(zip->part + ZIP_END_SIZE - 2, 2), ZIP_STEP_DONE);
    return zip_step_go(zip, ZIP_STEP_COMMENT);
}

static enum zip_event pass(struct zip_reader *zip)
{
    const size_t count =
        zip_step_unread(zip) < zip->skip ? zip_step_unread(zip) : (size_t)zip->skip;

    zip->at += count;
    zip->skip -= count;
    return zip->skip == 0 ? zip_step_go(zip, zip->after_skip) : ZIP_MORE;
}

static enum zip_event read_comment(struct zip_reader *zip)
{
    const size_t count =
        zip_step_unread(zip) < zip->skip ? zip_step_unread(zip) : (size_t)zip->skip;

    return zip_end_is_hidden(&zip->end, zip->block + zip->at, count)
               ? zip_step_refuse(
                     zip, "the archive must end once: its comment must not have the bytes "
                          "PK\\x05\\x06, with which the record of an end begins")
               : pass(zip);
}

/* Writers for tapes fill their last block with zeros, in which no reader finds another end. */
static enum zip_event finish(struct zip_reader *zip)
{
    while (zip_step_unread(zip) > 0)
        if (zip->block[zip->at++] != 0)
            return zip_step_refuse(zip, "the body goes on after the end of its archive");
    return zip->complete ? ZIP_END : ZIP_MORE;
}

/* ---- bytes and events -------------------------------------------------------------------- */

static enum zip_event (*const steps[])(struct zip_reader *zip) = {
    [ZIP_STEP_SIGNATURE] = read_signature,
    [ZIP_STEP_LOCAL] = begin_member,
    [ZIP_STEP_DATA] = read_data,
    [ZIP_STEP_DESCRIPTOR] = read_descriptor,
    [ZIP_STEP_MEMBER_END] = end_member,
    [ZIP_STEP_DIRECTORY] = read_entry,
    [ZIP_STEP_ZIP64_END] = read_zip64_end,
    [ZIP_STEP_ZIP64_PLACE] = read_zip64_place,
    [ZIP_STEP_END] = read_end,
    [ZIP_STEP_COMMENT] = read_comment,
    [ZIP_STEP_SKIP] = pass,
    [ZIP_STEP_DONE] = finish,
};

bool zip_reader_is_pickle(const unsigned char *bytes, size_t len)
{
    return len >= 2 && bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5;
}

size_t zip_reader_add(struct zip_reader *zip, const char *bytes, size_t len)
{
    const size_t space = zip->reading ? 0 : ZIP_READER_BLOCK - zip->block_len;
    const size_t count = len < space ? len : space;

    memcpy(zip->block + zip->block_len, bytes, count);
    zip->block_len += count;
    return count;
}

void zip_reader_complete(struct zip_reader *zip)
{
    zip->complete = true;
}

enum zip_event zip_reader_next(struct zip_reader *zip)
{
    enum zip_event event = ZIP_NONE;

    if (zip->block_len < ZIP_READER_BLOCK && !zip->complete)
        return ZIP_MORE;
    zip->reading = true;
    zip_step_settle_data(zip);
    while (event == ZIP_NONE)
        event = steps[zip->step](zip);
    if (event != ZIP_MORE)
        return event;
    if (zip->complete)
        return zip_step_refuse(zip,
                               "the body ends after %" PRIu64 " bytes, before its archive does",
                               zip->offset + zip->block_len);
    zip_step_next_block(zip);
    return ZIP_MORE;
}

void zip_reader_fini(struct zip_reader *zip)
{
    if (zip->has_zlib)
        inflateEnd(&zip->zlib);
    zip->has_zlib = false;
}
