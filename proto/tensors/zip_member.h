/* SPDX-License-Identifier: Apache-2.0
 * zip_member.h - the parts of a ZIP archive around the data of a member (APPNOTE.TXT 4.3): its
 * local header and its data descriptor. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/text/why.h"

enum {
    ZIP_MEMBER_FIXED = 30,     /* bytes of a local header before name and extra fields */
    ZIP_MEMBER_HEADER = 2048,  /* most bytes of a local header */
    ZIP_MEMBER_DESCRIPTOR = 24 /* most bytes of a data descriptor */
};

struct zip_member {
    const char *name; /* borrowed from the header; any bytes */
    size_t name_len;
    bool deflated;
    bool unsized; /* sizes and CRC-32 are in a data descriptor, behind the data */
    bool zip64;   /* the sizes of that descriptor have eight bytes each */
    uint32_t crc;
    uint64_t packed, plain; /* bytes in the archive; bytes when inflated */
};

/* Returns the bytes of a local header, from its first ZIP_MEMBER_FIXED bytes. */
size_t zip_member_header_size(const unsigned char *header);
/* Reads a whole local header; false after writing the reason to `why` if it is wrong or of a
 * member that is not read. `number` is the member's, for errors. */
bool zip_member_read(struct zip_member *member, const unsigned char *header, size_t number,
                     char why[WHY_SIZE]);
/* Returns the bytes of the member's data descriptor, from its first four, which may be a
 * signature. */
size_t zip_member_descriptor_size(const struct zip_member *member,
                                  const unsigned char *descriptor);
/* Sets the CRC-32 and the sizes from a whole data descriptor of `size` bytes; false if the
 * header says others, where it need not leave them out. */
bool zip_member_describe(struct zip_member *member, const unsigned char *descriptor,
                         size_t size);
/* Returns whether a data descriptor with a signature may begin with these bytes, of which there
 * may be fewer than four. */
bool zip_member_begins_descriptor(const unsigned char *bytes, size_t len);
/* Returns whether the bytes begin with a descriptor of that CRC-32 and size, with a
 * signature: the end of a stored member, which no header said. */
bool zip_member_is_described(const struct zip_member *member, const unsigned char *bytes,
                             size_t len, uint32_t crc, uint64_t size);

/* Returns whether the flags of a header or an entry are of a member that is neither encrypted
 * nor patched. */
bool zip_member_is_readable(uint64_t flags);
