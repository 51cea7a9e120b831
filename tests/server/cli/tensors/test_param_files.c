/* SPDX-License-Identifier: Apache-2.0
 * test_param_files.c - files as tensors of parameters, and every lack of memory on the way;
 * tests/http/test_param_files.py has the sentences about files that are wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/cli/tensors/param_files.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct scratch *scratch;
static struct param_files files;
static struct pe_errors errors;
static const struct pe_encoding *enc;

/* Writes a file of NumPy's format with the vector 1, 2, or one of raw bytes with it. */
static void write_vector(const char *name, bool npy)
{
    const float numbers[] = {1, 2};
    char bytes[10 + 118 + 8] = "\x93NUMPY\x01\x00\x76\x00";

    memset(bytes + 10, ' ', 117);
    bytes[127] = '\n';
    memcpy(bytes + 10, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 57);
    memcpy(bytes + 128, numbers, 8);
    scratch_write(scratch, name, "");
    scratch_replace(scratch, name, npy ? bytes : (const char *)numbers, npy ? 136 : 8);
}

static enum pe_status read_param(const char *param, const char *name)
{
    return param_files_read(&files, pe_param_find(enc, param, strlen(param)),
                            scratch_path(scratch, name), &errors);
}

static void expect_vector(size_t i, const char *name)
{
    ck_assert_str_eq(files.set.at[i].name, name);
    ck_assert_uint_eq(files.set.at[i].info.rank, 1);
    ck_assert_float_eq(((const float *)files.set.at[i].data)[1], 2);
}

START_TEST(tensors_of_several_files_have_the_names_of_their_parameters)
{
    ck_assert_int_eq(read_param("q", "a.npy"), PE_OK);
    ck_assert_int_eq(read_param("k", "a.npy"), PE_OK);
    ck_assert_uint_eq(files.set.count, 2);
    expect_vector(0, "q");
    expect_vector(1, "k");
    ck_assert(!tensor_format_is_headerless(files.format));
}
END_TEST

START_TEST(raw_bytes_need_their_description)
{
    ck_assert_int_eq(read_param("x", "a.bin"), PE_BAD_VALUE);
    ck_assert_ptr_nonnull(strstr(errors.at[0].detail, "raw bytes need in_dtype= and shape="));
    ck_assert_int_eq(files.code, 65);
    files.described = true; /* but wrongly, which is a problem already */
    ck_assert_int_eq(read_param("x", "a.bin"), PE_BAD_VALUE);
    ck_assert_uint_eq(errors.count, 1);
    files.headerless = (struct pe_tensor){PE_F32, 1, {2}};
    ck_assert_int_eq(read_param("x", "a.bin"), PE_OK);
    expect_vector(0, "x");
    ck_assert(tensor_format_is_headerless(files.format));
}
END_TEST

START_TEST(the_first_file_that_is_wrong_decides_the_exit_code)
{
    ck_assert_int_eq(read_param("q", "none.npy"), PE_BAD_VALUE);
    ck_assert_int_eq(read_param("k", "a.bin"), PE_BAD_VALUE);
    ck_assert_int_eq(files.code, 66);
    ck_assert_uint_eq(files.wrong, 2);
    ck_assert_uint_eq(errors.count, 2);
}
END_TEST

START_TEST(vectors_lists_and_positions_are_read_and_nothing_else)
{
    const struct pe_encoding *rope = pe_find("rope", 4);

    ck_assert(param_files_take(pe_param_find(enc, "x", 1)));
    ck_assert(param_files_take(pe_param_find(rope, "pos", 3)));
    ck_assert(param_files_take(pe_param_find(rope, "long_factor", 11)));
    ck_assert(!param_files_take(pe_param_find(rope, "dim", 3)));
    ck_assert(!param_files_take(pe_param_find(NULL, "out", 3)));
}
END_TEST

START_TEST(a_lack_of_memory_is_no_fault_of_the_file)
{
    const struct pe_param *x = pe_param_find(enc, "x", 1);
    const char *path = scratch_path(scratch, "a.npy");
    bool asked = true;

    for (size_t n = 0; asked; n++) {
        pe_errors_clear(&errors);
        alloc_fail_start(n);
        const enum pe_status status = param_files_read(&files, x, path, &errors);
        asked = alloc_fail_stop();
        ck_assert_int_eq(status, asked ? PE_NO_MEMORY : PE_OK);
        ck_assert_int_eq(files.code, 0);
        tensor_set_fini(&files.set);
    }
}
END_TEST

static void begin(void)
{
    scratch = scratch_new();
    enc = pe_find("rope/apply", 10);
    files = (struct param_files){.enc = enc, .max_elements = 100};
    pe_errors_clear(&errors);
    write_vector("a.npy", true);
    write_vector("a.bin", false);
}

static void end(void)
{
    tensor_set_fini(&files.set);
    scratch_free(scratch);
}

static const struct suite_test tests[] = {
    TEST(tensors_of_several_files_have_the_names_of_their_parameters),
    TEST(raw_bytes_need_their_description),
    TEST(the_first_file_that_is_wrong_decides_the_exit_code),
    TEST(vectors_lists_and_positions_are_read_and_nothing_else),
    TEST(a_lack_of_memory_is_no_fault_of_the_file),
};
const struct suite param_files_suite = {SUITE_TESTS(tests), .setup = begin, .teardown = end};
