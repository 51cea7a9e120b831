/* SPDX-License-Identifier: Apache-2.0
 * table_file.h - the learned tables of one safetensors file, checked as a whole: immutable,
 * reference-counted, shared by sets of tables and by the requests that use them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"
#include "proto/text/why.h"

enum {
    TABLE_FILE_STEM_MAX = 64,    /* characters of a file's name without ".safetensors" */
    TABLE_FILE_TENSOR_MAX = 128, /* characters of a tensor's name */
    TABLE_FILE_NAME_SIZE = TABLE_FILE_STEM_MAX + TABLE_FILE_TENSOR_MAX + 2,
    TABLE_FILE_TABLES_MAX = 1024,
    TABLE_FILE_RANK_MAX = 4,
    TABLE_FILE_HASH_SIZE = 33,
    TABLE_FILE_WHY_SIZE = WHY_SIZE
};

struct stored_table {
    char name[TABLE_FILE_NAME_SIZE];  /* FILE.TENSOR */
    char alias[TABLE_FILE_NAME_SIZE]; /* the shortest name that is unique: "gpt2.wpe" */
    struct pe_tensor info;
    const void *data;
    uint64_t bytes;
    char hash[TABLE_FILE_HASH_SIZE]; /* hash of dtype, shape and elements, in hexadecimal */
};

struct table_file;

/* The bytes of a whole file, which must not change until release(context) is called: when the
 * last owner drops the tables, or before NULL is returned. */
struct table_file_source {
    const char *stem; /* copied */
    const unsigned char *bytes;
    uint64_t len;
    void (*release)(void *context);
    void *context;
};

/* Returns whether the name has 1 to TABLE_FILE_STEM_MAX letters, digits and "._-", no mark
 * first. */
bool table_file_is_stem(const char *name, size_t len);
/* The text of `why` when memory is short, which says nothing about the file. */
extern const char table_file_no_memory[];
/* Returns the tables of the file, NULL after writing the fault to why. */
struct table_file *table_file_new(const struct table_file_source *source,
                                  char why[TABLE_FILE_WHY_SIZE]);
struct table_file *table_file_ref(struct table_file *file);
void table_file_drop(struct table_file *file); /* NULL does nothing */

const char *table_file_stem(const struct table_file *file);
void *table_file_context(const struct table_file *file); /* the source's */
uint64_t table_file_bytes(const struct table_file *file);
size_t table_file_count(const struct table_file *file);
const struct stored_table *table_file_at(const struct table_file *file, size_t i);
