/* SPDX-License-Identifier: Apache-2.0
 * test_safetensors_file.c - one tensor of a file that has several. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/cli/tensors/safetensors_file.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

static const char header[] =
    "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
    "\"b\":{\"dtype\":\"I64\",\"shape\":[1,2],\"data_offsets\":[8,24]},"
    "\"c\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[24,28]}}";

static unsigned char bytes[1024];
static size_t len;
static char why[SAFETENSORS_FILE_WHY_SIZE];
static struct tensor_set set;

/* Writes the file: the length of the header, the header, the numbers. */
static void write_file(const char *head)
{
    const float a[] = {1.5F, -2}, c = 7;
    const int64_t b[] = {3, -4};
    const size_t head_len = strlen(head);

    memset(bytes, 0, sizeof bytes);
    bytes[0] = (unsigned char)head_len;
    bytes[1] = (unsigned char)(head_len >> 8);
    memcpy(bytes + 8, head, head_len);
    len = 8 + head_len;
    memcpy(bytes + len, a, 8);
    memcpy(bytes + len + 8, b, 16);
    memcpy(bytes + len + 24, &c, 4);
    len += 28;
}

/* Reads the file, of which `before` bytes were read already. */
static enum safetensors_file_state read_file(const char *wanted, size_t before)
{
    FILE *file = fmemopen(bytes + before, len - before, "r");
    struct safetensors_file source = {.file = file,
                                      .start = (const char *)bytes,
                                      .start_len = before,
                                      .choice = {wanted, "x"},
                                      .max_elements = 2};
    const enum safetensors_file_state state = safetensors_file_read(&source, &set, why);

    fclose(file);
    return state;
}

START_TEST(the_chosen_tensor_alone_is_kept_under_the_parameters_name)
{
    for (size_t before = 0; before < len; before += before < 40 ? 1 : 20) {
        ck_assert_int_eq(read_file("a", before), SAFETENSORS_FILE_OK);
        ck_assert_uint_eq(set.count, 1);
        ck_assert_str_eq(set.at[0].name, "x");
        ck_assert_int_eq(set.at[0].info.dtype, PE_F32);
        ck_assert_float_eq(((const float *)set.at[0].data)[1], -2);
        tensor_set_fini(&set);
        ck_assert_int_eq(read_file("b", before), SAFETENSORS_FILE_OK);
        ck_assert_uint_eq(set.at[0].info.rank, 2);
        ck_assert_int_eq(((const int64_t *)set.at[0].data)[1], -4);
        ck_assert_str_eq(set.at[0].type, "i64");
        tensor_set_fini(&set);
        ck_assert_int_eq(read_file("c", before), SAFETENSORS_FILE_OK);
        ck_assert_uint_eq(set.at[0].info.rank, 0);
        tensor_set_fini(&set);
    }
}
END_TEST

START_TEST(a_file_that_is_cut_has_only_what_comes_before)
{
    const size_t whole = len;

    for (len = 1; len < whole - 28 + 8; len++) {
        ck_assert_int_eq(read_file("a", 0), SAFETENSORS_FILE_WRONG);
        ck_assert_str_eq(why, "ends before the bytes of its tensors");
        tensor_set_fini(&set);
    }
    ck_assert_int_eq(read_file("a", 0), SAFETENSORS_FILE_OK);
    tensor_set_fini(&set);
    ck_assert_int_eq(read_file("b", 0), SAFETENSORS_FILE_WRONG);
    tensor_set_fini(&set);
}
END_TEST

START_TEST(what_is_wrong_is_said)
{
    ck_assert_int_eq(read_file("d", 0), SAFETENSORS_FILE_CHOICE);
    ck_assert_str_eq(why, "has no tensor d; it has a, b, c");
    write_file("{\"a\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,12]}}");
    ck_assert_int_eq(read_file("a", 0), SAFETENSORS_FILE_WRONG);
    ck_assert_str_eq(why, "has 3 elements in this tensor; at most 2 are read");
    write_file("{\"a\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,8]}}");
    ck_assert_int_eq(read_file("a", 0), SAFETENSORS_FILE_WRONG);
    ck_assert_ptr_nonnull(strstr(why, "data_offsets must span"));
    write_file("{\"a\":1");
    ck_assert_int_eq(read_file("a", 0), SAFETENSORS_FILE_WRONG);
    bytes[7] = 1; /* a header of 2^56 bytes */
    ck_assert_int_eq(read_file("a", 0), SAFETENSORS_FILE_WRONG);
    ck_assert_ptr_nonnull(strstr(why, "the safetensors header has 2 to"));
}
END_TEST

START_TEST(a_lack_of_memory_is_no_fault_of_the_file)
{
    bool asked = true;

    for (size_t n = 0; asked; n++) {
        struct safetensors_file source = {.start = (const char *)bytes,
                                          .start_len = len,
                                          .choice = {"a", "x"},
                                          .max_elements = 2};
        source.file = fmemopen(bytes, len, "r");
        alloc_fail_start(n);
        const enum safetensors_file_state state = safetensors_file_read(&source, &set, why);
        asked = alloc_fail_stop();
        ck_assert_int_eq(state, asked ? SAFETENSORS_FILE_NO_MEMORY : SAFETENSORS_FILE_OK);
        tensor_set_fini(&set);
        fclose(source.file);
    }
}
END_TEST

static void begin(void)
{
    write_file(header);
}

static void end(void)
{
    tensor_set_fini(&set);
}

static const struct suite_test tests[] = {
    TEST(the_chosen_tensor_alone_is_kept_under_the_parameters_name),
    TEST(a_file_that_is_cut_has_only_what_comes_before),
    TEST(what_is_wrong_is_said),
    TEST(a_lack_of_memory_is_no_fault_of_the_file),
};
const struct suite safetensors_file_suite = {SUITE_TESTS(tests), .setup = begin,
                                             .teardown = end};
