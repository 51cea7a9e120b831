/* SPDX-License-Identifier: Apache-2.0
 * zip_step.c - see zip_step.h. */
#include "proto/tensors/zip_step.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum zip_event zip_step_refuse(struct zip_reader *zip, enum zip_event event, const char *format,
                               ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(zip->why, sizeof zip->why, format, args);
    va_end(args);
    return event;
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
    assert(zip->block_len == ZIP_READER_BLOCK && zip->at == zip->block_len);
    memcpy(zip->before, zip->block + zip->block_len - ZIP_READER_BEFORE, ZIP_READER_BEFORE);
    zip->offset += zip->block_len;
    zip->block_len = zip->at = 0;
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
