/* SPDX-License-Identifier: Apache-2.0
 * test_table_file.c - tests which files of learned tables are read, and which are refused. */
#include "proto/tensors/table_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/buffer.h"
#include "tests/proto/support/table_bytes.h"
#include "tests/support/suite.h"

#define A_2X2 "\"a\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]}"

START_TEST(tables_have_names_aliases_shapes_and_numbers)
{
    struct table_file *file = table_bytes_right(
        "bert",
        "{\"__metadata__\":{\"format\":\"pt\"},"
        "\"emb.token.weight\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[16,24]},"
        "\"emb.position.weight\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]},"
        "\"weight\":{\"dtype\":\"F16\",\"shape\":[],\"data_offsets\":[24,26]},"
        "\"emb.type.bias\":{\"dtype\":\"BF16\",\"shape\":[1,1,1,1],\"data_offsets\":[26,28]}}"
        "   ",
        7);
    const struct stored_table *table = table_file_at(file, 0);
    double numbers[4];

    ck_assert_uint_eq(table_file_count(file), 4);
    ck_assert_str_eq(table_file_stem(file), "bert");
    ck_assert_str_eq(table->name, "bert.emb.position.weight");
    ck_assert_str_eq(table->alias, "bert.position");
    ck_assert(table->info.rank == 2 && table->info.dims[0] == 2 && table->bytes == 16);
    pe_dtype_to_f64(table->info.dtype, numbers, table->data, 4);
    ck_assert(numbers[0] == 0 && numbers[3] == 3);
    ck_assert_str_eq(table_file_at(file, 1)->alias, "bert.token");
    ck_assert_str_eq(table_file_at(file, 2)->alias, "bert.weight");
    ck_assert_str_eq(table_file_at(file, 3)->alias, "bert.bias");
    table_file_drop(file);
}
END_TEST

START_TEST(an_alias_is_as_long_as_it_must_be)
{
    struct table_file *file = table_bytes_right(
        "t5",
        "{\"encoder.bias.weight\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
        "\"decoder.bias.weight\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]},"
        "\"bias\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[8,12]}}",
        3);

    ck_assert_str_eq(table_file_at(file, 0)->alias, "t5.encoder.bias");
    ck_assert_str_eq(table_file_at(file, 1)->alias, "t5.decoder.bias");
    ck_assert_str_eq(table_file_at(file, 2)->alias, "t5.bias");
    table_file_drop(file);
}
END_TEST

START_TEST(a_hash_tells_dtype_shape_and_numbers_apart)
{
    static const char *const headers[] = {
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[4,1],\"data_offsets\":[0,16]}}",
        "{\"a\":{\"dtype\":\"F64\",\"shape\":[2],\"data_offsets\":[0,16]}}",
        "{\"b\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]}}",
    };
    char hashes[4][TABLE_FILE_HASH_SIZE];

    for (size_t i = 0; i < 4; i++) {
        struct table_file *file = table_bytes_right("f", headers[i], 4);

        memcpy(hashes[i], table_file_at(file, 0)->hash, sizeof hashes[i]);
        table_file_drop(file);
    }
    ck_assert_str_ne(hashes[0], hashes[1]);
    ck_assert_str_ne(hashes[0], hashes[2]);
    ck_assert_str_eq(hashes[0], hashes[3]); /* the hash ignores the name */
}
END_TEST

START_TEST(numbers_that_are_not_finite_are_refused)
{
    static const unsigned char words[][4] = {{0, 0, 0xc0, 0x7f},
                                             {0, 0, 0x80, 0x7f},
                                             {0, 0, 0x80, 0xff}};

    for (size_t i = 0; i < 3; i++) {
        char why[TABLE_FILE_WHY_SIZE] = "";
        struct table_bytes bytes = table_bytes_matrix("a", 2, 2);

        memcpy(bytes.bytes + bytes.len - 8, words[i], 4);
        ck_assert_ptr_null(table_bytes_file("f", bytes, why));
        ck_assert_ptr_nonnull(strstr(why, "holds NaN or an infinity"));
    }
}
END_TEST

START_TEST(a_name_that_reads_as_numbers_is_refused)
{
    char why[TABLE_FILE_WHY_SIZE] = "";

    ck_assert_ptr_null(table_bytes_file("1", table_bytes_matrix("5e3", 1, 1), why));
    ck_assert_ptr_nonnull(strstr(why, "1.5e3 would be read as numbers"));
}
END_TEST

START_TEST(a_file_cut_anywhere_is_refused)
{
    struct table_bytes whole = table_bytes_matrix("a", 2, 2);

    for (size_t len = 0; len < whole.len; len++) {
        char why[TABLE_FILE_WHY_SIZE] = "";
        struct table_bytes cut = {malloc(len + 1), len};

        memcpy(cut.bytes, whole.bytes, len);
        ck_assert_ptr_null(table_bytes_file("f", cut, why));
        ck_assert_str_ne(why, "");
    }
    free(whole.bytes);
}
END_TEST

/* A changed header is refused, or is another right one; the sanitizer checks memory. */
START_TEST(a_header_with_any_byte_changed_is_read_or_refused)
{
    struct table_bytes whole = table_bytes_matrix("a", 2, 2);
    size_t header = whole.len - 16, taken = 0;

    for (size_t at = 0; at < header; at++) {
        for (int bit = 0; bit < 8; bit++) {
            char why[TABLE_FILE_WHY_SIZE] = "";
            struct table_bytes changed = {malloc(whole.len), whole.len};

            memcpy(changed.bytes, whole.bytes, whole.len);
            changed.bytes[at] ^= (unsigned char)(1 << bit);
            struct table_file *file = table_bytes_file("f", changed, why);
            ck_assert(file || why[0] != '\0');
            taken += file != NULL;
            table_file_drop(file);
        }
    }
    ck_assert_uint_gt(taken, 0); /* some changes only rename the tensor */
    ck_assert_uint_lt(taken, 32);
    free(whole.bytes);
}
END_TEST

START_TEST(as_many_tables_as_are_allowed_are_read)
{
    enum { MOST = TABLE_FILE_TABLES_MAX };
    for (size_t count = MOST; count <= MOST + 1; count++) {
        struct buffer header = {0};
        char why[TABLE_FILE_WHY_SIZE] = "";

        for (size_t i = 0; i < count; i++)
            buffer_add_format(&header,
                              "%s\"layer.%zu.bias\":{\"dtype\":\"F32\",\"shape\":[1],"
                              "\"data_offsets\":[%zu,%zu]}",
                              i == 0 ? "{" : ",", i, 4 * i, 4 * i + 4);
        buffer_add_text(&header, "}");
        struct table_file *file =
            table_bytes_file("many", table_bytes_new(header.bytes, count), why);
        ck_assert_msg((file != NULL) == (count == MOST), "%zu: %s", count, why);
        table_file_drop(file);
        buffer_fini(&header);
    }
}
END_TEST

SUITE(table_file, TEST(tables_have_names_aliases_shapes_and_numbers),
      TEST(an_alias_is_as_long_as_it_must_be), TEST(a_hash_tells_dtype_shape_and_numbers_apart),
      TEST(numbers_that_are_not_finite_are_refused),
      TEST(a_name_that_reads_as_numbers_is_refused), TEST(a_file_cut_anywhere_is_refused),
      TEST(a_header_with_any_byte_changed_is_read_or_refused),
      TEST(as_many_tables_as_are_allowed_are_read));
