/* SPDX-License-Identifier: Apache-2.0
 * zip_listing.c - see zip_listing.h. */
#include "proto/tensors/zip_listing.h"

#include <string.h>
#include <zlib.h>

#include "proto/tensors/zip_extra.h"
#include "proto/tensors/zip_member.h"
#include "proto/tensors/zip_number.h"

enum { DEFLATED = 8 };

void zip_listing_set_name(struct zip_listing *listing, const char *name, size_t len)
{
    listing->name_len = len;
    listing->name_crc = (uint32_t)crc32(0, (const Bytef *)name, (uInt)len);
    memcpy(listing->name, name, len < ZIP_LISTING_NAME ? len : ZIP_LISTING_NAME);
}

static bool has_name(const struct zip_listing *listing, const char *name)
{
    const size_t len = listing->name_len;

    return memcmp(listing->name, name, len < ZIP_LISTING_NAME ? len : ZIP_LISTING_NAME) == 0 &&
           listing->name_crc == (uint32_t)crc32(0, (const Bytef *)name, (uInt)len);
}

/* Reads a number of the entry, which may be in its field of zip64. */
static bool is(struct zip_extra *extra, const unsigned char *field, size_t len, uint64_t value)
{
    uint64_t number = zip_number_read(field, len);

    return zip_extra_take(extra, &number) && number == value;
}

size_t zip_listing_size(const unsigned char *entry)
{
    return ZIP_LISTING_FIXED + (size_t)zip_number_read(entry + 28, 2) +
           (size_t)zip_number_read(entry + 30, 2);
}

const char *zip_listing_differs(const struct zip_listing *listing, const unsigned char *entry)
{
    const size_t name_len = (size_t)zip_number_read(entry + 28, 2);
    const char *name = (const char *)entry + ZIP_LISTING_FIXED;
    struct zip_extra extra;

    if (name_len != listing->name_len || !has_name(listing, name))
        return "name";
    if (zip_extra_read(&extra, (const unsigned char *)name + name_len,
                       (size_t)zip_number_read(entry + 30, 2), name, name_len) != ZIP_EXTRA_OK)
        return "extra fields";
    if (!zip_member_is_readable(zip_number_read(entry + 8, 2)) ||
        zip_number_read(entry + 10, 2) != (listing->deflated ? DEFLATED : 0))
        return "method";
    if (zip_number_read(entry + 16, 4) != listing->crc)
        return "CRC-32";
    if (!is(&extra, entry + 24, 4, listing->plain) ||
        !is(&extra, entry + 20, 4, listing->packed))
        return "sizes";
    return is(&extra, entry + 42, 4, listing->begins) && zip_number_read(entry + 34, 2) == 0
               ? NULL
               : "place";
}
