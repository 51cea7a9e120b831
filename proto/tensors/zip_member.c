/* SPDX-License-Identifier: Apache-2.0
 * zip_member.c - see zip_member.h. */
#include "proto/tensors/zip_member.h"

#include <stdarg.h>
#include <stdio.h>

enum {
    STORED = 0,
    DEFLATED = 8,
    UNSIZED_FLAG = 1 << 3,
    /* Encrypted, patched, strongly encrypted, with masked headers. */
    UNREADABLE_FLAGS = 1 << 0 | 1 << 5 | 1 << 6 | 1 << 13,
    ZIP64_FIELD = 1,
};

static const uint32_t descriptor_signature = 0x08074b50, in_zip64 = UINT32_MAX;

uint64_t zip_member_number(const unsigned char *bytes, size_t len)
{
    uint64_t number = 0;

    for (size_t i = len; i > 0; i--)
        number = number << 8 | bytes[i - 1];
    return number;
}

static bool refuse(char *why, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(char *why, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(why, ZIP_MEMBER_WHY_SIZE, format, args);
    va_end(args);
    return false;
}

size_t zip_member_header_size(const unsigned char *header)
{
    return ZIP_MEMBER_FIXED + (size_t)zip_member_number(header + 26, 2) +
           (size_t)zip_member_number(header + 28, 2);
}

/* Takes the next of the eight-byte sizes in a zip64 field, if the header refers to it. */
static bool take_size(const unsigned char **at, const unsigned char *end, uint64_t *size)
{
    if (*size != in_zip64)
        return true;
    if (end - *at < 8)
        return false;
    *size = zip_member_number(*at, 8);
    *at += 8;
    return true;
}

/* Reads the extra fields, of which that of zip64 matters. False: one is cut. */
static bool read_extra(struct zip_member *member, const unsigned char *at, size_t len)
{
    const unsigned char *end = at + len;

    while (end - at >= 4) {
        const uint64_t id = zip_member_number(at, 2), size = zip_member_number(at + 2, 2);
        const unsigned char *field = at + 4;

        if ((uint64_t)(end - field) < size)
            return false;
        at = field + size;
        if (id != ZIP64_FIELD)
            continue;
        member->zip64 = true;
        if (!take_size(&field, at, &member->plain) || !take_size(&field, at, &member->packed))
            return false;
    }
    return true; /* fewer than four bytes are padding */
}

bool zip_member_read(struct zip_member *member, const unsigned char *header, size_t number,
                     char why[ZIP_MEMBER_WHY_SIZE])
{
    const unsigned flags = (unsigned)zip_member_number(header + 6, 2),
                   method = (unsigned)zip_member_number(header + 8, 2);
    const size_t name_len = (size_t)zip_member_number(header + 26, 2);

    *member = (struct zip_member){.name = (const char *)header + ZIP_MEMBER_FIXED,
                                  .name_len = name_len,
                                  .deflated = method == DEFLATED,
                                  .unsized = (flags & UNSIZED_FLAG) != 0,
                                  .crc = (uint32_t)zip_member_number(header + 14, 4),
                                  .packed = zip_member_number(header + 18, 4),
                                  .plain = zip_member_number(header + 22, 4)};
    if ((flags & UNREADABLE_FLAGS) != 0)
        return refuse(why,
                      "member %zu of the archive is encrypted or patched; send members as "
                      "numpy.savez writes them",
                      number);
    if (method != STORED && method != DEFLATED)
        return refuse(why,
                      "members of the archive must be stored or deflated (methods 0 and 8), as "
                      "numpy.savez and numpy.savez_compressed write them; member %zu has "
                      "method %u",
                      number, method);
    if (!read_extra(member, header + ZIP_MEMBER_FIXED + name_len,
                    (size_t)zip_member_number(header + 28, 2)))
        return refuse(why, "the extra fields of member %zu of the archive are cut", number);
    if (!member->unsized && !member->deflated && member->packed != member->plain)
        return refuse(why,
                      "member %zu of the archive is stored and must have one size; its header "
                      "has two",
                      number);
    return true;
}

size_t zip_member_descriptor_size(const struct zip_member *member,
                                  const unsigned char *descriptor)
{
    const bool has_signature = zip_member_number(descriptor, 4) == descriptor_signature;

    return (has_signature ? 4U : 0U) + 4U + (member->zip64 ? 16U : 8U);
}

void zip_member_describe(struct zip_member *member, const unsigned char *descriptor,
                         size_t size)
{
    const size_t width = member->zip64 ? 8 : 4;
    const unsigned char *sizes = descriptor + size - 2 * width;

    member->crc = (uint32_t)zip_member_number(sizes - 4, 4);
    member->packed = zip_member_number(sizes, width);
    member->plain = zip_member_number(sizes + width, width);
}
