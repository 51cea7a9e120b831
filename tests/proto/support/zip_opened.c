/* SPDX-License-Identifier: Apache-2.0
 * zip_opened.c - see zip_opened.h. */
#include "tests/proto/support/zip_opened.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

void zip_opened_read(struct zip_opened *opened, const char *bytes, size_t len, size_t stored)
{
    struct zip_reader *zip = calloc(1, sizeof *zip);
    size_t used = 0;

    ck_assert_ptr_nonnull(zip);
    *opened = (struct zip_opened){.last = ZIP_MORE};
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

void zip_opened_fini(struct zip_opened *opened)
{
    buffer_fini(&opened->data);
}

void zip_opened_write_one(struct zip_bytes *zip, struct zip_bytes_entry entry, const char *data,
                          size_t len)
{
    entry.name = "a";
    entry.data = data;
    entry.len = len;
    *zip = (struct zip_bytes){0};
    zip_bytes_add(zip, &entry);
    zip_bytes_end(zip, false);
}
