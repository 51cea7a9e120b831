/* SPDX-License-Identifier: Apache-2.0
 * zip_step.c - see zip_step.h. */
#include "proto/tensors/zip_step.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum zip_event zip_step_refuse(struct zip_reader *zip, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(zip->why, sizeof zip->why, format, args);
    va_end(args);
    return ZIP_WRONG;
}

enum zip_event zip_step_go(struct zip_reader *zip, enum zip_step step)
{
    zip->step = step;
    return ZIP_NONE;
}

size_t zip_step_unread(const struct zip_reader *zip)
{
    return zip->block_len - zip->at;
}

void zip_step_copy_before(const struct zip_reader *zip, unsigned char *bytes)
{
    const size_t here = zip->at < ZIP_READER_BEFORE ? zip->at : ZIP_READER_BEFORE,
                 there = ZIP_READER_BEFORE - here;

    memcpy(bytes, zip->before + ZIP_READER_BEFORE - there, there);
    memcpy(bytes + there, zip->block + zip->at - here, here);
}

void zip_step_next_block(struct zip_reader *zip)
{
    unsigned char before[ZIP_READER_BEFORE];
    const size_t rest = zip_step_unread(zip);

    assert(zip->block_len == ZIP_READER_BLOCK && zip->at > 0);
    zip_step_copy_before(zip, before);
    memcpy(zip->before, before, sizeof before);
    memmove(zip->block, zip->block + zip->at, rest);
    zip->offset += zip->at;
    zip->block_len = rest;
    zip->at = 0;
    zip->reading = false;
}

bool zip_step_gather(struct zip_reader *zip, size_t size)
{
    if (zip->part_len >= size)
        return true;
    const size_t missing = size - zip->part_len, rest = zip_step_unread(zip);
    const size_t count = rest < missing ? rest : missing;

    memcpy(zip->part + zip->part_len, zip->block + zip->at, count);
    zip->part_len += count;
    zip->at += count;
    return zip->part_len == size;
}

/* ---- the data of a member ---------------------------------------------------------------- */

/* zlib's memory is zeroed, so that no byte of it is unknown. */
static voidpf allocate(voidpf context, uInt count, uInt size)
{
    return calloc(count, size);
}

static void release(voidpf context, voidpf memory)
{
    free(memory);
}

bool zip_step_begin_data(struct zip_reader *zip)
{
    if (!zip->member.deflated)
        return true;
    if (zip->has_zlib)
        return inflateReset(&zip->zlib) == Z_OK;
    zip->zlib = (z_stream){.zalloc = allocate, .zfree = release};
    zip->has_zlib = inflateInit2(&zip->zlib, -MAX_WBITS) == Z_OK;
    return zip->has_zlib;
}

/* Returns the bytes of the block that may belong to the member. */
static size_t within_member(const struct zip_reader *zip)
{
    const uint64_t left = zip->member.packed - zip->packed;

    return zip->member.unsized || zip_step_unread(zip) < left ? zip_step_unread(zip)
                                                              : (size_t)left;
}

static enum zip_event give_data(struct zip_reader *zip, const void *data, size_t len)
{
    zip->data = data;
    zip->data_len = len;
    return ZIP_DATA;
}

/* Returns how many of the unread bytes are the member's for certain: those before the next
 * signature of a descriptor, or before the first bytes of one that the block cuts. */
static size_t before_descriptor(const struct zip_reader *zip)
{
    const unsigned char *bytes = zip->block + zip->at, *at = bytes;
    const unsigned char *end = zip->block + zip->block_len;

    while ((at = memchr(at, 'P', (size_t)(end - at))) &&
           !zip_member_begins_descriptor(at, (size_t)(end - at)))
        at++;
    return (size_t)((at ? at : end) - bytes);
}

/* Gives the data of a stored member of which the header has no size. It ends at a descriptor
 * that has the CRC-32 and the sizes of the bytes so far, unless the caller knows its end. */
static enum zip_event store_unsized(struct zip_reader *zip)
{
    const unsigned char *data = zip->block + zip->at;
    const size_t rest = zip_step_unread(zip);
    size_t count = before_descriptor(zip);

    if (count == 0 && rest > 0 && (rest >= ZIP_MEMBER_DESCRIPTOR || zip->complete)) {
        zip->data_ended =
            zip_member_is_described(&zip->member, data, rest, zip->crc, zip->packed);
        count = zip->data_ended ? 0 : 1;
    }
    if (count == 0)
        return zip->data_ended ? ZIP_NONE : ZIP_MORE;
    zip->at += count;
    zip->packed += count;
    return give_data(zip, data, count);
}

enum zip_event zip_step_store(struct zip_reader *zip)
{
    const size_t count = within_member(zip);
    const unsigned char *data = zip->block + zip->at;

    if (zip->member.unsized)
        return store_unsized(zip);

    if (count == 0 && zip->packed == zip->member.packed)
        zip->data_ended = true;
    if (count == 0)
        return zip->data_ended ? ZIP_NONE : ZIP_MORE;
    zip->at += count;
    zip->packed += count;
    return give_data(zip, data, count);
}

enum zip_event zip_step_inflate(struct zip_reader *zip)
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
        return zip_step_refuse(zip, "the data of member %zu of the archive is corrupt: %s",
                               zip->count, zlib->msg ? zlib->msg : "it is not deflated");
    if (zip->inflated > ZIP_READER_FREE && zip->inflated / INFLATE_RATIO > zip->deflated) {
        why_refuse(zip->why,
                   "members of more than %d bytes inflate to at most %d times their length; "
                   "send them stored, as numpy.savez writes them",
                   ZIP_READER_FREE, INFLATE_RATIO);
        return ZIP_TOO_LARGE;
    }
    if (got > 0)
        return give_data(zip, zip->chunk, got);
    if (zip->data_ended || zip_step_unread(zip) == 0)
        return zip->data_ended ? ZIP_NONE : ZIP_MORE;
    if (used == 0)
        return zip_step_refuse(
            zip,
            "the data of member %zu of the archive goes on after the bytes that its "
            "header says",
            zip->count);
    return ZIP_NONE;
}

void zip_step_settle_data(struct zip_reader *zip)
{
    if (zip->data_len == 0)
        return;
    zip->crc = (uint32_t)crc32(zip->crc, (const Bytef *)zip->data, (uInt)zip->data_len);
    zip->plain += zip->data_len;
    zip->data_len = 0;
}
