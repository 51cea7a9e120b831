/* SPDX-License-Identifier: Apache-2.0
 * zip_opened.h - an archive that zip_reader has read as far as it goes, for the suites of its
 * parts. */
#pragma once

#include "proto/tensors/zip_reader.h"
#include "proto/text/buffer.h"
#include "tests/proto/support/zip_bytes.h"

struct zip_opened {
    struct buffer data;
    size_t members, ended;
    enum zip_event last;
    char why[WHY_SIZE];
};

/* Reads the archive; an unsized member, stored, ends after `stored` bytes. */
void zip_opened_read(struct zip_opened *opened, const char *bytes, size_t len, size_t stored);
void zip_opened_fini(struct zip_opened *opened);
/* Writes an archive with one member, "a". */
void zip_opened_write_one(struct zip_bytes *zip, struct zip_bytes_entry entry, const char *data,
                          size_t len);
