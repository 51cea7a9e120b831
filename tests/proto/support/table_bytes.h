/* SPDX-License-Identifier: Apache-2.0
 * table_bytes.h - safetensors files for tests of learned tables. */
#ifndef TESTS_PROTO_SUPPORT_TABLE_BYTES_H
#define TESTS_PROTO_SUPPORT_TABLE_BYTES_H

#include "proto/tensors/table_file.h"

struct table_bytes {
    unsigned char *bytes; /* malloc'd */
    size_t len;
};

/* The header's length, the header, then `count` floats 0, 1, 2 ... */
struct table_bytes table_bytes_new(const char *header, size_t count);
/* A header of one tensor of rows x cols floats. */
struct table_bytes table_bytes_matrix(const char *name, size_t rows, size_t cols);
/* The tables of these bytes, which are freed with them; NULL: refused, in why. */
struct table_file *table_bytes_file(const char *stem, struct table_bytes bytes,
                                    char why[TABLE_FILE_WHY_SIZE]);
/* As above, with a header that is right. */
struct table_file *table_bytes_right(const char *stem, const char *header, size_t count);

#endif
