/* SPDX-License-Identifier: Apache-2.0
 * test_npy_in.c - tests that files of numpy.save are read in any chunks, and cut ones refused;
 * npy_in.txt has the headers. */
#include <string.h>

#include "tests/proto/support/reading.h"
#include "tests/support/suite.h"

#define NPY "application/x-npy"

static const float numbers[] = {1, -2, 3.5F, 4, 5, 6};

static const char plain[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }   \n";

START_TEST(every_version_is_read_in_pieces_of_any_size)
{
    char body[READING_MAX];
    size_t len = reading_npy(body, (unsigned)_i, plain, numbers, sizeof numbers);

    for (size_t chunk = 1; chunk <= len; chunk++) {
        struct reading reading;

        reading_init(&reading);
        reading_run(&reading, NPY, body, len, chunk);
        ck_assert_int_eq(reading.state, TENSOR_OK);
        ck_assert_uint_eq(reading.set.count, 1);
        const struct tensor *x = &reading.set.at[0];
        ck_assert_str_eq(x->name, "x");
        ck_assert_int_eq(x->info.dtype, PE_F32);
        ck_assert(x->info.rank == 2 && x->info.dims[0] == 3 && x->info.dims[1] == 2);
        ck_assert_mem_eq(x->data, numbers, sizeof numbers);
        ck_assert_uint_eq((uintptr_t)x->data % TENSOR_ALIGNMENT, 0);
        ck_assert_uint_eq(reading.reserved, sizeof numbers);
        reading_fini(&reading);
    }
}
END_TEST

#define HEAD                                                                                   \
    "the NPY header must be a dictionary of descr, fortran_order and shape, and nothing "
#define DATA_BINARY " (curl sends a file as it is with --data-binary alone)"
#define REST "', 'fortran_order': False, 'shape': (3, 2)}"

START_TEST(a_body_cut_anywhere_is_refused)
{
    char body[READING_MAX];
    size_t len = reading_npy(body, 2, plain, numbers, sizeof numbers);

    for (size_t cut = 0; cut < len; cut++) {
        struct reading reading;

        reading_init(&reading);
        reading_run(&reading, NPY, body, cut, READING_MAX);
        ck_assert_int_eq(reading.state, TENSOR_MALFORMED);
        ck_assert_ptr_nonnull(strstr(reading.error, "the body ends"));
        reading_fini(&reading);
    }
}
END_TEST

START_TEST(other_bytes_are_no_npy)
{
    struct reading reading;
    char body[READING_MAX] = "\x93NUMPU";

    reading_init(&reading);
    reading_run(&reading, NPY, body, 6, 6);
    ck_assert_str_eq(reading.error, "the body is not NPY: it must begin with \\x93NUMPY, as "
                                    "numpy.save writes it");
    reading_fini(&reading);
    memcpy(body, "\x93NUMPY\x02\x00\x01\x10\x00\x00", 12);
    reading_init(&reading);
    reading_run(&reading, NPY, body, 12, 12);
    ck_assert_str_eq(reading.error, "the NPY header has at most 4096 bytes; got 4097");
    reading_fini(&reading);
}
END_TEST

SUITE(npy_in, TEST_RANGE(every_version_is_read_in_pieces_of_any_size, 1, 4),
      TEST(a_body_cut_anywhere_is_refused), TEST(other_bytes_are_no_npy));
