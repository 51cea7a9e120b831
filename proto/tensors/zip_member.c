/* SPDX-License-Identifier: Apache-2.0
 * zip_member.c - see zip_member.h. */
#include "proto/tensors/zip_member.h"

#include <string.h>

#include "proto/tensors/zip_extra.h"
#include "proto/tensors/zip_number.h"

enum {
    STORED = 0,
    DEFLATED = 8,
    UNSIZED_FLAG = 1 << 3,
    /* Encrypted, patched, strongly encrypted, with masked headers. */
    UNREADABLE_FLAGS = 1 << 0 | 1 << 5 | 1 << 6 | 1 << 13,
};

static const uint32_t descriptor_signature = 0x08074b50;

size_t zip_member_header_size(const unsigned char *header)
{
    return ZIP_MEMBER_FIXED + (size_t)zip_number_read(header + 26, 2) +
           (size_t)zip_number_read(header + 28, 2);
}

bool zip_member_is_readable(uint64_t flags)
{
    return (flags & UNREADABLE_FLAGS) == 0;
}

/* Reads the extra fields, of which that of zip64 matters. */
static bool read_extra(struct zip_member *member, const unsigned char *fields, size_t len,
                       size_t number, char *why)
{
    struct zip_extra extra;

    switch (zip_extra_read(&extra, fields, len, member->name, member->name_len)) {
    case ZIP_EXTRA_OK:
        break;
    case ZIP_EXTRA_CUT:
        return why_refuse(why, "the extra fields of member %zu of the archive are cut", number);
    case ZIP_EXTRA_TWICE:
        return why_refuse(
            why, "member %zu of the archive must have one field of zip64; it has two", number);
    case ZIP_EXTRA_RENAMED:
        return why_refuse(why,
                          "member %zu of the archive must have one name; its Unicode path, an "
                          "extra field, is another",
                          number);
    }
    member->zip64 = extra.zip64;
    return (zip_extra_take(&extra, &member->plain) &&
            zip_extra_take(&extra, &member->packed)) ||
           why_refuse(why, "the extra fields of member %zu of the archive are cut", number);
}

bool zip_member_read(struct zip_member *member, const unsigned char *header, size_t number,
                     char why[WHY_SIZE])
{
    const unsigned flags = (unsigned)zip_number_read(header + 6, 2),
                   method = (unsigned)zip_number_read(header + 8, 2);
    const size_t name_len = (size_t)zip_number_read(header + 26, 2);

    *member = (struct zip_member){.name = (const char *)header + ZIP_MEMBER_FIXED,
                                  .name_len = name_len,
                                  .deflated = method == DEFLATED,
                                  .unsized = (flags & UNSIZED_FLAG) != 0,
                                  .crc = (uint32_t)zip_number_read(header + 14, 4),
                                  .packed = zip_number_read(header + 18, 4),
                                  .plain = zip_number_read(header + 22, 4)};
    if (!zip_member_is_readable(flags))
        return why_refuse(why,
                          "member %zu of the archive is encrypted or patched; send members as "
                          "numpy.savez writes them",
                          number);
    if (method != STORED && method != DEFLATED)
        return why_refuse(
            why,
            "members of the archive must be stored or deflated (methods 0 and 8), as "
            "numpy.savez and numpy.savez_compressed write them; member %zu has "
            "method %u",
            number, method);
    if (!read_extra(member, header + ZIP_MEMBER_FIXED + name_len,
                    (size_t)zip_number_read(header + 28, 2), number, why))
        return false;
    if (!member->unsized && !member->deflated && member->packed != member->plain)
        return why_refuse(
            why,
            "member %zu of the archive is stored and must have one size; its header "
            "has two",
            number);
    return true;
}

size_t zip_member_descriptor_size(const struct zip_member *member,
                                  const unsigned char *descriptor)
{
    const bool has_signature = zip_number_read(descriptor, 4) == descriptor_signature;

    return (has_signature ? 4U : 0U) + 4U + (member->zip64 ? 16U : 8U);
}

bool zip_member_begins_descriptor(const unsigned char *bytes, size_t len)
{
    const unsigned char signature[] = {'P', 'K', 7, 8};

    return memcmp(bytes, signature, len < sizeof signature ? len : sizeof signature) == 0;
}

bool zip_member_is_described(const struct zip_member *member, const unsigned char *bytes,
                             size_t len, uint32_t crc, uint64_t size)
{
    const size_t width = member->zip64 ? 8 : 4;

    return len >= 8 + 2 * width && zip_number_read(bytes, 4) == descriptor_signature &&
           zip_number_read(bytes + 4, 4) == crc && zip_number_read(bytes + 8, width) == size &&
           zip_number_read(bytes + 8 + width, width) == size;
}

/* A header leaves a number to the descriptor as 0 or as all ones. */
static bool agrees(uint64_t in_header, uint64_t number)
{
    return in_header == number || in_header == 0 || in_header == UINT32_MAX;
}

bool zip_member_describe(struct zip_member *member, const unsigned char *descriptor,
                         size_t size)
{
    const struct zip_member header = *member;
    const size_t width = member->zip64 ? 8 : 4;
    const unsigned char *sizes = descriptor + size - 2 * width;

    member->crc = (uint32_t)zip_number_read(sizes - 4, 4);
    member->packed = zip_number_read(sizes, width);
    member->plain = zip_number_read(sizes + width, width);
    return agrees(header.crc, member->crc) && agrees(header.packed, member->packed) &&
           agrees(header.plain, member->plain);
}
