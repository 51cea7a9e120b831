/* SPDX-License-Identifier: Apache-2.0
 * zip_listing.h - what the central directory of a ZIP archive must say of a member (APPNOTE.TXT
 * 4.3.12). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct zip_listing {
    uint64_t begins; /* offset of the member's local header */
    uint64_t packed, plain;
    uint32_t crc;
    bool deflated;
};

/* Returns whether an entry of the directory, from its signature on, says the same. */
bool zip_listing_is(const struct zip_listing *listing, const unsigned char *entry);
