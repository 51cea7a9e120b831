/* SPDX-License-Identifier: Apache-2.0
 * zip_data.c - see zip_data.h. */
#include "proto/tensors/zip_data.h"

#include "proto/tensors/zip_step.h"

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

enum zip_event zip_data_store(struct zip_reader *zip)
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
        return zip_step_refuse(
            zip, ZIP_TOO_LARGE,
            "members of more than %d bytes inflate to at most %d times their length; "
            "send them stored, as numpy.savez writes them",
            ZIP_READER_FREE, INFLATE_RATIO);
    return ZIP_NONE;
}

enum zip_event zip_data_inflate(struct zip_reader *zip)
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
        return zip_step_refuse(zip, ZIP_WRONG,
                               "the data of member %zu of the archive is corrupt: %s",
                               zip->count, zlib->msg ? zlib->msg : "it is not deflated");
    if (check_ratio(zip) != ZIP_NONE)
        return ZIP_TOO_LARGE;
    if (got > 0)
        return give_data(zip, zip->chunk, got);
    if (zip->data_ended || zip_step_unread(zip) == 0)
        return zip->data_ended ? ZIP_NONE : ZIP_MORE;
    if (used == 0)
        return zip_step_refuse(
            zip, ZIP_WRONG,
            "the data of member %zu of the archive goes on after the bytes that its "
            "header says",
            zip->count);
    return ZIP_NONE;
}

void zip_data_settle(struct zip_reader *zip)
{
    if (zip->data_len == 0)
        return;
    zip->crc = (uint32_t)crc32(zip->crc, (const Bytef *)zip->data, (uInt)zip->data_len);
    zip->plain += zip->data_len;
    zip->data_len = 0;
}
