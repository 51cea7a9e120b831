/* SPDX-License-Identifier: Apache-2.0
 * zip_reader.c - see zip_reader.h. Each step reads one part of the archive, and has an event
 * for the caller or goes on to the next step. */
#include "proto/tensors/zip_reader.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIGNATURE = 4,
    DIRECTORY_SIZE = 46,
    ZIP64_SIZE = 12,
    ZIP64_PLACE_SIZE = 20,
    END_SIZE = 22
};

static enum zip_event refuse(struct zip_reader *zip, enum zip_event event, const char *format,
                             ...) __attribute__((format(printf, 3, 4)));
static enum zip_event refuse(struct zip_reader *zip, enum zip_event event, const char *format,
                             ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(zip->why, sizeof zip->why, format, args);
    va_end(args);
    return event;
}

static enum zip_event go(struct zip_reader *zip, enum zip_step step)
{
    zip->step = step;
    return ZIP_NONE;
}

static size_t unread(const struct zip_reader *zip)
{
    return zip->block_len - zip->at;
}

/* Returns whether .part has `size` bytes, after taking the missing ones. */
static bool gather(struct zip_reader *zip, size_t size)
{
    if (zip->part_len >= size)
        return true;
    const size_t missing = size - zip->part_len, rest = unread(zip);
    const size_t count = rest < missing ? rest : missing;

    memcpy(zip->part + zip->part_len, zip->block + zip->at, count);
    zip->part_len += count;
    zip->at += count;
    return zip->part_len == size;
}

/* ---- members ----------------------------------------------------------------------------- */

static enum zip_event read_signature(struct zip_reader *zip)
{
    static const struct {
        char bytes[SIGNATURE];
        bool in_directory;
        enum zip_step step;
    } signatures[] = {
        {{'P', 'K', 3, 4}, false, ZIP_STEP_LOCAL},
        {{'P', 'K', 1, 2}, true, ZIP_STEP_DIRECTORY},
        {{'P', 'K', 6, 6}, true, ZIP_STEP_ZIP64_END},
        {{'P', 'K', 6, 7}, true, ZIP_STEP_ZIP64_PLACE},
        {{'P', 'K', 5, 6}, true, ZIP_STEP_END},
    };

    if (!gather(zip, SIGNATURE))
        return ZIP_MORE;
    for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; i++)
        if (memcmp(zip->part, signatures[i].bytes, SIGNATURE) == 0 &&
            (signatures[i].in_directory || zip->listed == 0))
            return go(zip, signatures[i].step);
    if (zip->count == 0)
        return refuse(zip, ZIP_WRONG,
                      "the body is not NPZ: it must begin with PK\\x03\\x04, as numpy.savez "
                      "writes it");
    return refuse(zip, ZIP_WRONG,
                  "the archive must go on with a member or its directory at byte %" PRIu64,
                  zip->offset + zip->at - SIGNATURE);
}

static voidpf allocate(voidpf context, uInt count, uInt size)
{
    return calloc(count, size);
}

static void release(voidpf context, voidpf memory)
{
    free(memory);
}

/* Begins to inflate a member: deflate without framing, by a window of 32 KiB. */
static bool begin_inflate(struct zip_reader *zip)
{
    if (zip->has_zlib)
        return inflateReset(&zip->zlib) == Z_OK;
    zip->zlib = (z_stream){.zalloc = allocate, .zfree = release};
    zip->has_zlib = inflateInit2(&zip->zlib, -MAX_WBITS) == Z_OK;
    return zip->has_zlib;
}

static enum zip_event begin_member(struct zip_reader *zip)
{
    if (!gather(zip, ZIP_MEMBER_FIXED))
        return ZIP_MORE;
    const size_t size = zip_member_header_size(zip->part);
    if (size > ZIP_MEMBER_HEADER)
        return refuse(zip, ZIP_WRONG,
                      "the header of member %zu of the archive must have at most %d bytes; "
                      "it has %zu",
                      zip->count + 1, ZIP_MEMBER_HEADER, size);
    if (!gather(zip, size))
        return ZIP_MORE;
    zip->begins = zip->offset + zip->at - zip->part_len;
    zip->part_len = 0;
    zip->packed = zip->plain = zip->crc = 0;
    zip->data_ended = false;
    zip->count++;
    if (!zip_member_read(&zip->member, zip->part, zip->count, zip->why))
        return ZIP_WRONG;
    if (zip->member.deflated && !begin_inflate(zip))
        return ZIP_NO_MEMORY;
    zip->step = ZIP_STEP_DATA;
    return ZIP_MEMBER;
}

/* ---- data -------------------------------------------------------------------------------- */

/* Returns the bytes of the block that may belong to the member. */
static size_t within_member(const struct zip_reader *zip)
{
    const uint64_t left = zip->member.packed - zip->packed;

    return zip->member.unsized || unread(zip) < left ? unread(zip) : (size_t)left;
}

static enum zip_event give_data(struct zip_reader *zip, const void *data, size_t len)
{
    zip->data = data;
    zip->data_len = len;
    return ZIP_DATA;
}

static enum zip_event read_stored(struct zip_reader *zip)
{
    const size_t count = within_member(zip);
    const unsigned char *data = zip->block + zip->at;

    if (count == 0 && !zip->member.unsized && zip->packed == zip->member.packed)
        zip->data_ended = true;
    if (count == 0)
        return zip->data_ended ? ZIP_NONE : ZIP_MORE;
    zip->at += count;
    zip->packed += count;
    return give_data(zip, data, count);
}

static enum zip_event check_ratio(struct zip_reader *zip)
{
    if (zip->inflated > ZIP_READER_FREE && zip->inflated / INFLATE_RATIO > zip->deflated)
        return refuse(zip, ZIP_TOO_LARGE,
                      "members of more than %d bytes inflate to at most %d times their length; "
                      "send them stored, as numpy.savez writes them",
                      ZIP_READER_FREE, INFLATE_RATIO);
    return ZIP_NONE;
}

static enum zip_event read_deflated(struct zip_reader *zip)
{
    z_stream *zlib = &zip->zlib;
    const size_t count = within_member(zip);

    zlib->next_in = zip->block + zip->at;
    zlib->avail_in = (uInt)count;
    zlib->next_out = (Bytef *)zip->chunk;
    zlib->avail_out = ZIP_READER_CHUNK;
    const int result = inflate(zlib, Z_NO_FLUSH);
    const size_t used = count - zlib->avail_in, got = ZIP_READER_CHUNK - zlib->avail_out;
    zip->at += used;
    zip->packed += used;
    zip->deflated += used;
    zip->inflated += got;
    zip->data_ended = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR)
        return ZIP_NO_MEMORY;
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        return refuse(zip, ZIP_WRONG, "the data of member %zu of the archive is corrupt: %s",
                      zip->count, zlib->msg ? zlib->msg : "it is not deflated");
    if (check_ratio(zip) != ZIP_NONE)
        return ZIP_TOO_LARGE;
    if (got > 0)
        return give_data(zip, zip->chunk, got);
    if (zip->data_ended || unread(zip) == 0)
        return zip->data_ended ? ZIP_NONE : ZIP_MORE;
    if (used == 0)
        return refuse(zip, ZIP_WRONG,
                      "the data of member %zu of the archive goes on after the bytes that its "
                      "header says",
                      zip->count);
    return ZIP_NONE;
}

static enum zip_event read_data(struct zip_reader *zip)
{
    if (zip->data_ended)
        return go(zip, zip->member.unsized ? ZIP_STEP_DESCRIPTOR : ZIP_STEP_MEMBER_END);
    return zip->member.deflated ? read_deflated(zip) : read_stored(zip);
}

/* Counts the data of the last event, when the caller has said where it ends. */
static void settle_data(struct zip_reader *zip)
{
    if (zip->data_len == 0)
        return;
    zip->crc = (uint32_t)crc32(zip->crc, (const Bytef *)zip->data, (uInt)zip->data_len);
    zip->plain += zip->data_len;
    zip->data_len = 0;
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
    if (!gather(zip, SIGNATURE))
        return ZIP_MORE;
    const size_t size = zip_member_descriptor_size(&zip->member, zip->part);
    if (!gather(zip, size))
        return ZIP_MORE;
    zip_member_describe(&zip->member, zip->part, size);
    zip->part_len = 0;
    return go(zip, ZIP_STEP_MEMBER_END);
}

static enum zip_event end_member(struct zip_reader *zip)
{
    if (zip->packed != zip->member.packed || zip->plain != zip->member.plain)
        return refuse(zip, ZIP_WRONG,
                      "member %zu of the archive must have the sizes that the archive says, "
                      "%" PRIu64 " and %" PRIu64 " bytes; it has %" PRIu64 " and %" PRIu64,
                      zip->count, zip->member.packed, zip->member.plain, zip->packed,
                      zip->plain);
    if (zip->crc != zip->member.crc)
        return refuse(zip, ZIP_WRONG,
                      "the data of member %zu of the archive is corrupt: its CRC-32 is wrong",
                      zip->count);
    if (zip->count <= ZIP_READER_LISTED) {
        struct zip_listing *listing = &zip->listing[zip->count - 1];

        *listing = (struct zip_listing){zip->begins, zip->packed, zip->plain, zip->crc,
                                        zip->member.deflated};
    }
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
    return go(zip, ZIP_STEP_SKIP);
}

/* Returns whether an entry of the directory is that of the member of its number. */
static bool is_listed(const struct zip_reader *zip)
{
    return zip->listed < zip->count && (zip->listed >= ZIP_READER_LISTED ||
                                        zip_listing_is(&zip->listing[zip->listed], zip->part));
}

static enum zip_event read_entry(struct zip_reader *zip)
{
    uint64_t rest = 0;

    if (!gather(zip, DIRECTORY_SIZE))
        return ZIP_MORE;
    for (size_t at = 28; at < 34; at += 2) /* name, extra fields, comment */
        rest += zip_member_number(zip->part + at, 2);
    zip->mislisted |= !is_listed(zip);
    zip->listed++;
    return skip(zip, rest, ZIP_STEP_SIGNATURE);
}

static enum zip_event read_zip64_end(struct zip_reader *zip)
{
    if (!gather(zip, ZIP64_SIZE))
        return ZIP_MORE;
    return skip(zip, zip_member_number(zip->part + SIGNATURE, 8), ZIP_STEP_SIGNATURE);
}

static enum zip_event read_zip64_place(struct zip_reader *zip)
{
    return gather(zip, ZIP64_PLACE_SIZE) ? skip(zip, 0, ZIP_STEP_SIGNATURE) : ZIP_MORE;
}

static enum zip_event read_end(struct zip_reader *zip)
{
    if (!gather(zip, END_SIZE))
        return ZIP_MORE;
    if (zip->listed != zip->count || zip->mislisted)
        return refuse(zip, ZIP_WRONG,
                      "the directory of the archive must list its %zu members in their order, "
                      "with their places, methods, sizes and CRC-32",
                      zip->count);
    return skip(zip, zip_member_number(zip->part + 20, 2), ZIP_STEP_DONE);
}

static enum zip_event pass(struct zip_reader *zip)
{
    const size_t count = unread(zip) < zip->skip ? unread(zip) : (size_t)zip->skip;

    zip->at += count;
    zip->skip -= count;
    return zip->skip == 0 ? go(zip, zip->after_skip) : ZIP_MORE;
}

static enum zip_event finish(struct zip_reader *zip)
{
    if (unread(zip) > 0)
        return refuse(zip, ZIP_WRONG, "the body goes on after the end of its archive");
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
    [ZIP_STEP_SKIP] = pass,
    [ZIP_STEP_DONE] = finish,
};

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
    settle_data(zip);
    while (event == ZIP_NONE)
        event = steps[zip->step](zip);
    if (event != ZIP_MORE)
        return event;
    if (zip->complete)
        return refuse(zip, ZIP_WRONG,
                      "the body ends after %" PRIu64 " bytes, before its archive does",
                      zip->offset + zip->block_len);
    zip->offset += zip->block_len;
    zip->block_len = zip->at = 0;
    zip->reading = false;
    return ZIP_MORE;
}

void zip_reader_fini(struct zip_reader *zip)
{
    if (zip->has_zlib)
        inflateEnd(&zip->zlib);
    zip->has_zlib = false;
}
