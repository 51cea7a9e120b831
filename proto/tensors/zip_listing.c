/* SPDX-License-Identifier: Apache-2.0
 * zip_listing.c - see zip_listing.h. */
#include "proto/tensors/zip_listing.h"

#include "proto/tensors/zip_member.h"

/* Returns whether a field of four bytes has the value, or leaves it to a zip64 field. */
static bool has(const unsigned char *field, uint64_t value)
{
    const uint64_t listed = zip_member_number(field, 4);

    return listed == value || listed == UINT32_MAX;
}

bool zip_listing_is(const struct zip_listing *listing, const unsigned char *entry)
{
    const uint64_t deflate = 8;

    return zip_member_number(entry + 10, 2) == (listing->deflated ? deflate : 0) &&
           zip_member_number(entry + 16, 4) == listing->crc &&
           has(entry + 20, listing->packed) && has(entry + 24, listing->plain) &&
           has(entry + 42, listing->begins);
}
