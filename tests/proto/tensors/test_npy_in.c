/* SPDX-License-Identifier: Apache-2.0
 * test_npy_in.c - tests that files of numpy.save are read in any pieces; all other bodies have
 * an error sentence. */
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

    for (size_t piece = 1; piece <= len; piece++) {
        struct reading reading;

        reading_init(&reading);
        reading_run(&reading, NPY, body, len, piece);
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

/* Dictionaries as other programs write them. */
static const struct {
    const char *dictionary;
    enum pe_dtype dtype;
    size_t rank;
} taken[] = {
    {"{\"shape\":(6,),\"fortran_order\":False,\"descr\":\"<f4\"}", PE_F32, 1},
    {"{'descr':'<f2','fortran_order':False,'shape':(12,)}", PE_F16, 1},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3,), }\n", PE_F64, 2},
    {"{'descr': '<f4', 'fortran_order': True, 'shape': (6,), }", PE_F32, 1},
    {" { 'descr' : '<f4' , 'fortran_order' : False , 'shape' : ( 1 , 1 , 1 , 1 , 2 , 3 ) } ",
     PE_F32, 6},
};

START_TEST(dictionaries_of_all_writers_are_read)
{
    char body[READING_MAX];
    struct reading reading;

    reading_init(&reading);
    size_t len = reading_npy(body, 1, taken[_i].dictionary, numbers, sizeof numbers);
    reading_run(&reading, NPY, body, len, 7);
    ck_assert_msg(reading.state == TENSOR_OK, "%s", reading.error);
    ck_assert_int_eq(reading.set.at[0].info.dtype, taken[_i].dtype);
    ck_assert_uint_eq(reading.set.at[0].info.rank, taken[_i].rank);
    reading_fini(&reading);
}
END_TEST

#define HEAD                                                                                   \
    "the NPY header must be a dictionary of descr, fortran_order and shape, and nothing "
#define DATA_BINARY " (curl sends a file as it is with --data-binary alone)"
#define REST "', 'fortran_order': False, 'shape': (3, 2)}"

static const struct {
    unsigned version;
    const char *dictionary, *error;
} refused[] = {
    {0, plain, "the NPY version must be 1.0, 2.0 or 3.0; got 0.0" DATA_BINARY},
    {4, plain, "the NPY version must be 1.0, 2.0 or 3.0; got 4.0" DATA_BINARY},
    {1, "{'descr': '>f4" REST,
     "descr must be little-endian, '<f4', '<f2' or '<f8'; got '>f4': send "
     "x.astype(x.dtype.newbyteorder('<'))"},
    {1, "{'descr': '<i8" REST,
     "descr must be '<f4', '<f2' or '<f8' (float32, float16, float64); got '<i8'"},
    {1, "{'descr': '<c8" REST,
     "descr must be '<f4', '<f2' or '<f8' (float32, float16, float64); got '<c8'"},
    {1, "{'descr': '|V2" REST,
     "descr '|V2' is no type of NumPy's; send bfloat16 as safetensors, or as octets with "
     "in_dtype=bf16"},
    {1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3, 2)}",
     "descr must be '<f4', '<f2' or '<f8'; got a structure of fields"},
    {1, "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2)}",
     "fortran_order must be False: send numpy.ascontiguousarray(x)"},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': ()}",
     "x must have 1 to 6 axes, the last one the vectors'; got a scalar"},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,3,2)}",
     "shape must have 1 to 6 axes; got 7"},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
     "x has more elements than can be counted"},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551616,)}",
     HEAD "else; its character 71 is wrong"},
    {1, "", HEAD "else; its character 1 is wrong"},
    {1, "[]", HEAD "else; its character 1 is wrong"},
    {1, "{'descr': '<f4', 'fortran_order': False}", HEAD "else; its character 41 is wrong"},
    {1, "{'descr': '<f4', 'descr': '<f4" REST, HEAD "else; its character 27 is wrong"},
    {1, "{'descr': '<f4', 'x': 1" REST, HEAD "else; its character 23 is wrong"},
    {1, "{'descr': '<f4' 'fortran_order': False}", HEAD "else; its character 17 is wrong"},
    {1, "{'descr': '<f\\x34" REST, HEAD "else; its character 12 is wrong"},
    {1, "{'descr': '<f4', 'fortran_order': 0, 'shape': (3, 2)}",
     HEAD "else; its character 35 is wrong"},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (-3, 2)}",
     HEAD "else; its character 52 is wrong"},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (03, 2)}",
     HEAD "else; its character 54 is wrong"},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3 2)}",
     HEAD "else; its character 54 is wrong"},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)} 1",
     HEAD "else; its character 59 is wrong"},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 3)}",
     "the body ends before the 36 bytes of its tensors are there"},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (5,)}",
     "the body goes on after the 20 bytes of its tensors"},
};

START_TEST(what_is_wrong_is_said)
{
    char body[READING_MAX];
    size_t len =
        reading_npy(body, refused[_i].version, refused[_i].dictionary, numbers, sizeof numbers);

    for (size_t piece = 1; piece < len; piece += 13) {
        struct reading reading;

        reading_init(&reading);
        reading_run(&reading, NPY, body, len, piece);
        ck_assert_str_eq(reading.error, refused[_i].error);
        ck_assert_uint_eq(reading.set.count, 0);
        reading_fini(&reading);
    }
}
END_TEST

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

static const struct suite_test tests[] = {
    TEST_RANGE(every_version_is_read_in_pieces_of_any_size, 1, 4),
    TEST_EACH(dictionaries_of_all_writers_are_read, taken),
    TEST_EACH(what_is_wrong_is_said, refused),
    TEST(a_body_cut_anywhere_is_refused),
    TEST(other_bytes_are_no_npy),
};

const struct suite npy_in_suite = {SUITE_TESTS(tests)};
