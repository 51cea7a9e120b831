/* SPDX-License-Identifier: Apache-2.0
 * zip_extra.c - see zip_extra.h. */
#include "proto/tensors/zip_extra.h"

#include <string.h>

#include "proto/tensors/zip_number.h"

enum {
    ZIP64_FIELD = 1,
    UNICODE_PATH_FIELD = 0x7075,
    UNICODE_PATH_FIXED = 5 /* its bytes before the name */
};

static bool has_name(const unsigned char *field, size_t size, const char *name, size_t name_len)
{
    return size == UNICODE_PATH_FIXED + name_len &&
           memcmp(field + UNICODE_PATH_FIXED, name, name_len) == 0;
}

enum zip_extra_state zip_extra_read(struct zip_extra *extra, const unsigned char *fields,
                                    size_t len, const char *name, size_t name_len)
{
    const unsigned char *at = fields, *end = fields + len;

    *extra = (struct zip_extra){0};
    while (end - at >= 4) {
        const uint64_t id = zip_number_read(at, 2);
        const size_t size = (size_t)zip_number_read(at + 2, 2);
        const unsigned char *field = at + 4;

        if ((size_t)(end - field) < size)
            return ZIP_EXTRA_CUT;
        if (id == UNICODE_PATH_FIELD && !has_name(field, size, name, name_len))
            return ZIP_EXTRA_RENAMED;
        if (id == ZIP64_FIELD && extra->zip64)
            return ZIP_EXTRA_TWICE;
        if (id == ZIP64_FIELD)
            *extra = (struct zip_extra){.zip64 = true, .next = field, .left = size};
        at = field + size;
    }
    return ZIP_EXTRA_OK; /* fewer than four bytes are padding */
}

bool zip_extra_take(struct zip_extra *extra, uint64_t *number)
{
    if (!extra->zip64 || *number != UINT32_MAX)
        return true;
    if (extra->left < 8)
        return false;
    *number = zip_number_read(extra->next, 8);
    extra->next += 8;
    extra->left -= 8;
    return true;
}
