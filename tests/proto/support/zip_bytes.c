/* SPDX-License-Identifier: Apache-2.0
 * zip_bytes.c - see zip_bytes.h. */
#include "tests/proto/support/zip_bytes.h"

#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tests/support/gunzip.h"

static void add_number(struct buffer *out, uint64_t number, size_t len)
{
    for (; len > 0; len--, number >>= 8) {
        const char byte = (char)(number & 0xff);

        buffer_add(out, &byte, 1);
    }
}

/* The fields that both headers of a member have. */
struct facts {
    uint32_t crc;
    size_t packed, plain, name_len;
};

/* Adds the fields that local header and directory share. Sizes in a descriptor are 0 here,
 * sizes of zip64 all ones. */
static void add_facts(struct buffer *out, const struct zip_bytes_entry *entry,
                      const struct facts *facts, bool local)
{
    const bool hidden = local && entry->unsized, wide = local && entry->zip64;

    add_number(out, 20, 2);
    add_number(out, entry->unsized ? 8 : 0, 2);
    add_number(out, entry->deflated ? 8 : 0, 2);
    add_number(out, 0, 4);
    add_number(out, hidden ? 0 : facts->crc, 4);
    add_number(out, wide ? UINT32_MAX : hidden ? 0 : facts->packed, 4);
    add_number(out, wide ? UINT32_MAX : hidden ? 0 : facts->plain, 4);
    add_number(out, facts->name_len, 2);
    add_number(out, wide ? 4 + 20 + 2 : 0, 2);
}

static void add_local(struct buffer *out, const struct zip_bytes_entry *entry,
                      const struct facts *facts)
{
    buffer_add(out, "PK\x03\x04", 4);
    add_facts(out, entry, facts, true);
    buffer_add(out, entry->name, facts->name_len);
    if (!entry->zip64)
        return;
    buffer_add(out, "ab\0\0", 4); /* a field of some other kind */
    add_number(out, 1, 2);
    add_number(out, 16, 2);
    add_number(out, entry->unsized ? 0 : facts->plain, 8);
    add_number(out, entry->unsized ? 0 : facts->packed, 8);
    add_number(out, 0, 2); /* padding */
}

static void add_descriptor(struct buffer *out, const struct zip_bytes_entry *entry,
                           const struct facts *facts)
{
    if (!entry->no_signature)
        buffer_add(out, "PK\x07\x08", 4);
    add_number(out, facts->crc, 4);
    add_number(out, facts->packed, entry->zip64 ? 8 : 4);
    add_number(out, facts->plain, entry->zip64 ? 8 : 4);
}

void zip_bytes_add(struct zip_bytes *zip, const struct zip_bytes_entry *entry)
{
    const uLong crc = crc32(0, (const Bytef *)entry->data, (uInt)entry->len);
    struct facts facts = {(uint32_t)crc, entry->len, entry->len, entry->name_len};
    const size_t offset = zip->out.len;
    char *packed = NULL;

    if (facts.name_len == 0)
        facts.name_len = strlen(entry->name);
    if (entry->deflated)
        packed = gunzip_pack(GUNZIP_RAW, entry->data, entry->len, &facts.packed);
    add_local(&zip->out, entry, &facts);
    buffer_add(&zip->out, packed ? packed : entry->data, facts.packed);
    if (entry->unsized)
        add_descriptor(&zip->out, entry, &facts);
    buffer_add(&zip->directory, "PK\x01\x02\x14\x03", 6);
    add_facts(&zip->directory, entry, &facts, false);
    add_number(&zip->directory, 3, 2); /* bytes of a comment */
    add_number(&zip->directory, 0, 8);
    add_number(&zip->directory, offset, 4);
    buffer_add(&zip->directory, entry->name, facts.name_len);
    buffer_add(&zip->directory, "one", 3);
    zip->count++;
    free(packed);
}

void zip_bytes_add_npy(struct zip_bytes *zip, struct zip_bytes_entry entry,
                       const char *dictionary)
{
    struct buffer npy = {0};

    buffer_add(&npy, "\x93NUMPY\x01\x00", 8);
    add_number(&npy, strlen(dictionary), 2);
    buffer_add_text(&npy, dictionary);
    buffer_add(&npy, entry.data, entry.len);
    entry.data = npy.bytes;
    entry.len = npy.len;
    zip_bytes_add(zip, &entry);
    buffer_fini(&npy);
}

/* Adds the zip64 end record and its locator; the directory begins at `start`. */
static void add_zip64_end(struct zip_bytes *zip, size_t start)
{
    struct buffer *out = &zip->out;
    const size_t at = out->len;

    buffer_add(out, "PK\x06\x06", 4);
    add_number(out, 44, 8);
    add_number(out, 45, 2);
    add_number(out, 45, 2);
    add_number(out, 0, 8);
    add_number(out, zip->count, 8);
    add_number(out, zip->count, 8);
    add_number(out, zip->directory.len, 8);
    add_number(out, start, 8);
    buffer_add(out, "PK\x06\x07\0\0\0\0", 8);
    add_number(out, at, 8);
    add_number(out, 1, 4);
}

void zip_bytes_end(struct zip_bytes *zip, bool zip64)
{
    struct buffer *out = &zip->out;
    const size_t start = out->len, size = zip->directory.len;

    buffer_add(out, zip->directory.bytes, size);
    if (zip64)
        add_zip64_end(zip, start);
    buffer_add(out, "PK\x05\x06\0\0\0\0", 8);
    add_number(out, zip->count, 2);
    add_number(out, zip->count, 2);
    add_number(out, size, 4);
    add_number(out, start, 4);
    add_number(out, 5, 2);
    buffer_add(out, "hello", 5);
    ck_assert(!out->failed);
}

void zip_bytes_fini(struct zip_bytes *zip)
{
    buffer_fini(&zip->out);
    buffer_fini(&zip->directory);
}
