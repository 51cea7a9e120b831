/* SPDX-License-Identifier: Apache-2.0
 * zip_listing.h - what the central directory of a ZIP archive must say of a member (APPNOTE.TXT
 * 4.3.12). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a name that are kept; of an entry of the directory before its name. */
enum { ZIP_LISTING_NAME = 64, ZIP_LISTING_FIXED = 46 };

struct zip_listing {
    char name[ZIP_LISTING_NAME]; /* its first bytes, and the CRC-32 and the length of all */
    uint32_t name_crc;
    size_t name_len;
    uint64_t begins; /* offset of the member's local header */
    uint64_t packed, plain;
    uint32_t crc;
    bool deflated;
};

/* Notes a member's name. */
void zip_listing_set_name(struct zip_listing *listing, const char *name, size_t len);
/* Returns the bytes of an entry of the directory without its comment, from its first
 * ZIP_LISTING_FIXED bytes. */
size_t zip_listing_size(const unsigned char *entry);
/* Returns NULL if an entry of the directory, from its signature to the end of its extra fields,
 * says the same, or in a word or two what it says otherwise. */
const char *zip_listing_differs(const struct zip_listing *listing, const unsigned char *entry);
