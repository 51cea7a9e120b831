/* SPDX-License-Identifier: Apache-2.0
 * test_tensor_reader_formats.c - formats are found by their media types, and files by their
 * first bytes. */
#include <string.h>

#include "proto/tensors/tensor_reader.h"
#include "tests/support/suite.h"

START_TEST(a_format_is_found_by_its_media_types)
{
    ck_assert_uint_eq(tensor_format_count(), 6);
    for (size_t i = 0; i < tensor_format_count(); i++) {
        const struct tensor_format *format = tensor_format_at(i);

        ck_assert_ptr_eq(tensor_format_find(tensor_format_media_type(format)), format);
        ck_assert_uint_gt(strlen(tensor_format_summary(format)), 10);
        ck_assert_int_eq(tensor_format_is_headerless(format), i == 3);
    }
    ck_assert_ptr_eq(tensor_format_find("Application/NPY; a=b"), tensor_format_at(0));
    ck_assert_ptr_eq(tensor_format_find("application/vnd.safetensors"), tensor_format_at(2));
    ck_assert_ptr_null(tensor_format_find("application/json"));
    ck_assert_ptr_null(tensor_format_find(""));
}
END_TEST

#define BYTES(TEXT) TEXT, sizeof(TEXT) - 1

static const struct {
    const char *bytes;
    size_t len;
    const char *media_type;
} files[] = {
    {BYTES("\x93NUMPY\x01\x00"), "application/x-npy"},
    {BYTES("\x93NUMP"), NULL},
    {BYTES("PK\x03\x04\x14"), "application/x-npz"},
    {BYTES("PK\x05\x06"), "application/x-npz"},
    {BYTES("PK\x07\x08"), NULL},
    {BYTES("\x08\0\0\0\0\0\0\0{\"x\""), "application/x-safetensors"},
    {BYTES("\x08\0\0\0\0\0\0\0["), NULL},
    {BYTES("\x08\0\0\0\0\0\0\0"), NULL},
    {BYTES("\x01\0\0\0\0\0\0\0{"), NULL},
    {BYTES("\x08\0\0\0\0\x01\0\0{"), NULL},
    {BYTES("{\"tensors\":"), "application/json"},
    {BYTES(" \r\n\t{"), "application/json"},
    {BYTES("[1,2]"), "application/json"},
    {BYTES("\x1f\x8b\x08"), "application/gzip"},
    {BYTES("\x1f"), NULL},
    {BYTES("\x80\x04\x95"), "application/x-pickle"},
    {BYTES("\x80\x02\0\0\0\0\0\0{\"x\""), "application/x-safetensors"},
    {BYTES("GGUF\x03"), "application/x-gguf"},
    {BYTES("1,2.5\n3,4\n"), "text/csv"},
    {BYTES(" -1 2\n"), "text/csv"},
    {BYTES("cos,sin\n1,0\n"), "text/csv"},
    {BYTES("words without numbers"), NULL},
    {BYTES("  "), NULL},
    {BYTES(""), NULL},
};

START_TEST(a_file_is_known_by_its_first_bytes)
{
    const char *found = tensor_format_sniff(files[_i].bytes, files[_i].len);

    ck_assert_pstr_eq(found, files[_i].media_type);
}
END_TEST

SUITE(tensor_reader_formats, TEST(a_format_is_found_by_its_media_types),
      TEST_EACH(a_file_is_known_by_its_first_bytes, files));
