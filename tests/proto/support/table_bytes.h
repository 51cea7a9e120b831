/* SPDX-License-Identifier: Apache-2.0
 * table_bytes.h - makes safetensors files for tests of learned tables. */
#pragma once

#include "proto/tensors/table_file.h"

struct table_bytes {
    unsigned char *bytes; /* malloc'd */
    size_t len;
};

/* Makes a file: the header's length, the header, then `count` floats 0, 1, 2 ... */
struct table_bytes table_bytes_new(const char *header, size_t count);
/* Makes a file of one tensor of rows x cols floats. */
struct table_bytes table_bytes_matrix(const char *name, size_t rows, size_t cols);
/* Makes the tables of these bytes, which are freed with them; NULL with the fault in `why`. */
struct table_file *table_bytes_file(const char *stem, struct table_bytes bytes,
                                    char why[TABLE_FILE_WHY_SIZE]);
/* Makes the tables of a file with `count` floats; fails the test if the header is wrong. */
struct table_file *table_bytes_right(const char *stem, const char *header, size_t count);
