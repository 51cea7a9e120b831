/* SPDX-License-Identifier: Apache-2.0
 * zip_bytes.h - writes ZIP archives, for the suites that read them: each member as a writer of
 * archives may write it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "proto/text/buffer.h"

struct zip_bytes_entry {
    const char *name;
    size_t name_len; /* 0: that of the text */
    const void *data;
    size_t len;
    bool deflated;
    bool unsized;      /* sizes stand in a data descriptor */
    bool no_signature; /* of the data descriptor */
    bool zip64;        /* sizes have eight bytes */
};

struct zip_bytes { /* {0} is the empty archive */
    struct buffer out, directory;
    size_t count;
};

void zip_bytes_add(struct zip_bytes *zip, const struct zip_bytes_entry *entry);
/* Adds the member NAME.npy: a header of version 1 with this dictionary, then the data. */
void zip_bytes_add_npy(struct zip_bytes *zip, struct zip_bytes_entry entry,
                       const char *dictionary);
/* Adds the directory, with the records of zip64 if asked for. */
void zip_bytes_end(struct zip_bytes *zip, bool zip64);
void zip_bytes_fini(struct zip_bytes *zip);
