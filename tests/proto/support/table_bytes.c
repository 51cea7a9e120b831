/* SPDX-License-Identifier: Apache-2.0
 * table_bytes.c - see table_bytes.h. */
#include "tests/proto/support/table_bytes.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREFIX = 8 };

struct table_bytes table_bytes_new(const char *header, size_t count)
{
    size_t header_len = strlen(header);
    struct table_bytes file = {.len = PREFIX + header_len + count * sizeof(float)};

    file.bytes = malloc(file.len);
    ck_assert_ptr_nonnull(file.bytes);
    for (size_t i = 0; i < PREFIX; i++)
        file.bytes[i] = (unsigned char)(header_len >> 8 * i);
    memcpy(file.bytes + PREFIX, header, header_len);
    for (size_t i = 0; i < count; i++) {
        float number = (float)i;

        memcpy(file.bytes + PREFIX + header_len + i * sizeof number, &number, sizeof number);
    }
    return file;
}

struct table_bytes table_bytes_matrix(const char *name, size_t rows, size_t cols)
{
    char header[256];

    snprintf(header, sizeof header,
             "{\"%s\":{\"dtype\":\"F32\",\"shape\":[%zu,%zu],\"data_offsets\":[0,%zu]}}", name,
             rows, cols, rows * cols * sizeof(float));
    return table_bytes_new(header, rows * cols);
}

struct table_file *table_bytes_file(const char *stem, struct table_bytes bytes,
                                    char why[TABLE_FILE_WHY_SIZE])
{
    struct table_file_source source = {.stem = stem,
                                       .bytes = bytes.bytes,
                                       .len = bytes.len,
                                       .release = free,
                                       .context = bytes.bytes};

    return table_file_new(&source, why);
}

struct table_file *table_bytes_right(const char *stem, const char *header, size_t count)
{
    char why[TABLE_FILE_WHY_SIZE] = "";
    struct table_file *file = table_bytes_file(stem, table_bytes_new(header, count), why);

    ck_assert_msg(file != NULL, "%s: %s", header, why);
    return file;
}
