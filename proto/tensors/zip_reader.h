/* SPDX-License-Identifier: Apache-2.0
 * zip_reader.h - the members of a ZIP archive, read as it arrives and within bounds. An archive
 * is its members, then a central directory that lists them. Sizes in headers are compared with
 * the data, never trusted. Its calls are, in order: init, then add and next in turn, fini. */
#pragma once

#define ZLIB_CONST /* next_in is const */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "proto/http/inflate.h"
#include "proto/tensors/zip_listing.h"
#include "proto/tensors/zip_member.h"

/* After their first ZIP_READER_FREE bytes, the deflated members may inflate to at most
 * INFLATE_RATIO times their length, so that a few bytes cannot keep a thread busy for long. */
enum {
    ZIP_READER_FREE = 16 << 20,
    ZIP_READER_BLOCK = 4096,
    ZIP_READER_CHUNK = 16 << 10,
    ZIP_READER_LISTED = 64 /* members whose entries in the directory are compared */
};

enum zip_event {
    ZIP_NONE,       /* the next step follows; zip_reader_next never returns it */
    ZIP_MORE,       /* more bytes are needed: zip_reader_add */
    ZIP_MEMBER,     /* a member begins: .member */
    ZIP_DATA,       /* the member's next bytes, inflated: .data[0..data_len) */
    ZIP_MEMBER_END, /* the member was whole */
    ZIP_END,        /* the archive was whole */
    ZIP_WRONG,      /* .why says what would be right */
    ZIP_TOO_LARGE,  /* the same */
    ZIP_NO_MEMORY,
};

/* The part of the archive that comes next. */
enum zip_step {
    ZIP_STEP_SIGNATURE,
    ZIP_STEP_LOCAL, /* the header of a member */
    ZIP_STEP_DATA,
    ZIP_STEP_DESCRIPTOR,
    ZIP_STEP_MEMBER_END,
    ZIP_STEP_DIRECTORY, /* an entry of the central directory */
    ZIP_STEP_ZIP64_END,
    ZIP_STEP_ZIP64_PLACE,
    ZIP_STEP_END,  /* the end record, which is the archive's last part */
    ZIP_STEP_SKIP, /* bytes of the directory that say nothing about the members */
    ZIP_STEP_DONE
};

struct zip_reader {
    struct zip_member member;
    size_t count; /* members begun */
    const char *data;
    size_t data_len;
    char why[ZIP_MEMBER_WHY_SIZE];

    /* The fields below are private. */
    uint64_t offset; /* of .block in the archive */
    /* The bytes are read in blocks of one size however they arrive, so that the result for an
     * archive does not depend on the network. */
    unsigned char block[ZIP_READER_BLOCK];
    size_t block_len, at;
    bool complete, reading;                /* no byte follows the block; it is being read */
    unsigned char part[ZIP_MEMBER_HEADER]; /* a header or a descriptor, as far as it is read */
    size_t part_len;
    uint64_t skip;                  /* bytes that are passed over */
    enum zip_step step, after_skip; /* the next step; the one behind the skipped bytes */
    uint64_t begins;                /* offset of the member's header */
    uint64_t packed, plain;         /* bytes of the member so far */
    uint64_t deflated, inflated;    /* bytes of all deflated members */
    uint32_t crc;                   /* of the member so far */
    size_t listed;                  /* members that the directory has listed */
    struct zip_listing listing[ZIP_READER_LISTED]; /* what the directory must say */
    bool mislisted;                                /* it says something else */
    bool data_ended;                               /* the member's data is complete */
    bool has_zlib;
    z_stream zlib;
    char chunk[ZIP_READER_CHUNK];
};

/* All zeros is an archive that begins. Frees the memory of decompression. */
void zip_reader_fini(struct zip_reader *zip);
/* Adds bytes; returns their number, which is less than len if events wait. */
size_t zip_reader_add(struct zip_reader *zip, const char *bytes, size_t len);
/* Says that no bytes follow. */
void zip_reader_complete(struct zip_reader *zip);
/* Returns the next event; ZIP_END, ZIP_WRONG, ZIP_TOO_LARGE and ZIP_NO_MEMORY are final. */
enum zip_event zip_reader_next(struct zip_reader *zip);
/* Says that the data of a stored member without a size in its header (.member.unsized, not
 * .deflated) has ended `unread` bytes before the end of the last ZIP_DATA. */
void zip_reader_end_data(struct zip_reader *zip, size_t unread);
