/* SPDX-License-Identifier: Apache-2.0
 * zip_state.h - a ZIP archive while zip_reader reads it, and the events that it has. */
#pragma once

#define ZLIB_CONST /* next_in is const */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "proto/http/inflate.h"
#include "proto/tensors/zip_end.h"
#include "proto/tensors/zip_listing.h"
#include "proto/tensors/zip_member.h"

/* After their first ZIP_READER_FREE bytes, the deflated members may inflate to at most
 * INFLATE_RATIO times their length, so that a few bytes cannot keep a thread busy for long. */
enum {
    ZIP_READER_FREE = 16 << 20,
    ZIP_READER_BLOCK = 4096,
    ZIP_READER_CHUNK = 16 << 10,
    ZIP_READER_MEMBERS = 64, /* most members: what the directory must say of each is kept */
    ZIP_READER_BEFORE = ZIP_END_LOCATOR + ZIP_END_SIZE
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
    ZIP_STEP_END,     /* the end record, which is the archive's last part */
    ZIP_STEP_COMMENT, /* of the archive, within its end record */
    ZIP_STEP_SKIP,    /* bytes of the directory that say nothing about the members */
    ZIP_STEP_DONE     /* zeros may follow */
};

struct zip_reader {
    struct zip_member member;
    size_t count; /* members begun */
    const char *data;
    size_t data_len;
    char why[WHY_SIZE];

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
    struct zip_listing named;       /* the member, of which the name is known */
    struct zip_end end;             /* what the records of the end must say */
    size_t order;                   /* of the parts, the first that may come next */
    bool located;                   /* the zip64 end has its locator */
    size_t listed;                  /* members that the directory has listed */
    struct zip_listing listing[ZIP_READER_MEMBERS]; /* what the directory must say */
    unsigned char before[ZIP_READER_BEFORE];        /* the last bytes before .block */
    bool data_ended;                                /* the member's data is complete */
    bool has_zlib;
    z_stream zlib;
    char chunk[ZIP_READER_CHUNK];
};
