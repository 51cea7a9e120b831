/* SPDX-License-Identifier: Apache-2.0
 * test_tensor_file.c - the table of the ends of files against the formats that read them. */
#include "proto/tensors/tensor_file.h"

#include <string.h>

#include "proto/tensors/tensor_reader.h"
#include "tests/support/suite.h"

START_TEST(each_end_is_read_by_a_format_that_names_tensors_as_the_row_says)
{
    for (size_t i = 0; i < tensor_file_count(); i++) {
        const struct tensor_file *file = tensor_file_at(i);
        const struct tensor_format *format = tensor_format_find(file->media_type);

        if (!format) { /* proto/text reads it */
            ck_assert_str_eq(file->media_type, "application/json");
            ck_assert(!file->nameless);
            continue;
        }
        ck_assert_str_eq(tensor_format_media_type(format), file->media_type);
        ck_assert_int_eq(tensor_format_is_unnamed(format), file->nameless);
    }
}
END_TEST

START_TEST(each_format_but_raw_bytes_has_an_end)
{
    for (size_t i = 0; i < tensor_format_count(); i++) {
        const struct tensor_format *format = tensor_format_at(i);
        size_t found = 0;

        for (size_t j = 0; j < tensor_file_count(); j++)
            found +=
                strcmp(tensor_file_at(j)->media_type, tensor_format_media_type(format)) == 0;
        ck_assert_int_eq(found > 0, !tensor_format_is_headerless(format));
    }
}
END_TEST

START_TEST(a_name_is_known_by_its_last_end)
{
    ck_assert_str_eq(tensor_file_of("rope.npy.npz")->end, "npz");
    ck_assert_str_eq(tensor_file_of("ROPE.NPY")->end, "npy");
    ck_assert_ptr_null(tensor_file_of(".npy"));
    ck_assert_ptr_null(tensor_file_of("npy"));
    ck_assert_ptr_null(tensor_file_of("cos.npy.txt"));
}
END_TEST

START_TEST(the_ends_of_a_folder_are_listed)
{
    char text[TENSOR_FILE_ENDS_SIZE];

    ck_assert_str_eq(tensor_file_print_ends(text),
                     ".npz, .npy, .safetensors, .pt, .pth, .csv or .gguf");
}
END_TEST

SUITE(tensor_file, TEST(each_end_is_read_by_a_format_that_names_tensors_as_the_row_says),
      TEST(each_format_but_raw_bytes_has_an_end), TEST(a_name_is_known_by_its_last_end),
      TEST(the_ends_of_a_folder_are_listed));
