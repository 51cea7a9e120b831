/* SPDX-License-Identifier: Apache-2.0
 * test_png_writer.c - tests that an error of libpng comes back as false, that nothing is lost
 * with it, and that memory is taken once. */
#include <string.h>

#include "proto/pictures/png_writer.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

static const uint32_t colours[PNG_WRITER_COLOURS] = {0xff0000, 0x00ff00};

START_TEST(an_error_of_libpng_fails_the_call_and_all_later_ones)
{
    static const unsigned char line[8];
    struct png_writer *writer = png_writer_new(8, 2, 8);

    ck_assert_ptr_nonnull(writer);
    ck_assert(png_writer_begin(writer, colours));
    ck_assert(!png_writer_end(writer)); /* without a line of pixels */
    ck_assert(!png_writer_line(writer, line));
    ck_assert(!png_writer_begin(writer, colours));
    png_writer_free(writer);
}
END_TEST

/* Where a library that runs has another version than its header, a tag would stand for bytes
 * that it did not make. */
START_TEST(the_tag_names_the_libraries_that_run)
{
    ck_assert_ptr_nonnull(strstr(PNG_WRITER_TAG, png_get_libpng_ver(NULL)));
    ck_assert_ptr_nonnull(strstr(PNG_WRITER_TAG, zlibVersion()));
}
END_TEST

START_TEST(sides_that_libpng_refuses_make_no_writer)
{
    ck_assert_ptr_null(png_writer_new(0, 1, 8));
    ck_assert_ptr_null(png_writer_new(1, 1, 3));
}
END_TEST

START_TEST(a_writer_takes_its_memory_once_and_gives_all_of_it_back)
{
    static const unsigned char line[8];
    char bytes[4096];
    bool written = true;

    alloc_fail_start(0);
    ck_assert_ptr_null(png_writer_new(8, 1, 8));
    ck_assert(alloc_fail_stop());
    alloc_fail_start(1); /* the second allocation would fail */
    struct png_writer *writer = png_writer_new(8, 1, 8);
    written = writer && png_writer_begin(writer, colours) && png_writer_line(writer, line) &&
              png_writer_end(writer);
    const size_t len = written ? png_writer_take(writer, bytes, sizeof bytes) : 0;
    png_writer_free(writer);
    const bool failed = alloc_fail_stop();
    ck_assert(written);
    ck_assert(!failed);
    ck_assert_int_eq(alloc_fail_live(), 0);
    ck_assert_uint_gt(len, 8);
    ck_assert_mem_eq(bytes, "\x89PNG\r\n\x1a\n", 8);
}
END_TEST

SUITE(png_writer, TEST(an_error_of_libpng_fails_the_call_and_all_later_ones),
      TEST(the_tag_names_the_libraries_that_run),
      TEST(sides_that_libpng_refuses_make_no_writer),
      TEST(a_writer_takes_its_memory_once_and_gives_all_of_it_back));
