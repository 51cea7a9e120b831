/* SPDX-License-Identifier: Apache-2.0
 * test_json_tensors.c - tensors and a claim of a JSON body, in any chunks, and the error
 * sentences of bodies that are wrong. */
#include "proto/tensors/json_tensors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/json_memory.h"
#include "tests/proto/support/bodies.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

enum { MAX_BODY = 1 << 20, MAX_ELEMENTS = 200 };

static void set_up(void)
{
    json_memory_init();
}

static struct json_body *read_body(const char *text, size_t chunk)
{
    struct json_body *body = json_body_new_arrays(MAX_BODY, NULL, NULL);
    const size_t len = strlen(text);

    ck_assert_ptr_nonnull(body);
    for (size_t at = 0; at < len; at += chunk)
        json_body_add(body, text + at, len - at < chunk ? len - at : chunk);
    ck_assert_msg(json_body_finish(body) == JSON_BODY_OK, "%s", json_body_error(body));
    return body;
}

static void expect_tensor(const struct tensor *tensor, const char *name, enum pe_dtype dtype,
                          size_t rank)
{
    ck_assert_str_eq(tensor->name, name);
    ck_assert_int_eq(tensor->info.dtype, dtype);
    ck_assert_uint_eq(tensor->info.rank, rank);
    ck_assert_uint_eq((uintptr_t)tensor->data % TENSOR_ALIGNMENT, 0);
}

/* The array of 100 numbers never reaches jansson; the others do. */
START_TEST(tensors_are_read_in_pieces_of_any_size)
{
    char *text = bodies_count_up(
        "{\"tensors\":[{\"name\":\"cos\",\"data\":[[1,0.5],[-1,3]],\"dtype\":\"f16\"},"
        "{\"data\":[",
        100,
        "],\"shape\":[1,1,1,1,1,1,4,25],\"name\":\"index\",\"dtype\":\"int64\"},"
        "{\"name\":\"mask\",\"data\":[[true,false,true]]},{\"name\":\"none\",\"data\":[[],[]]},"
        "{\"name\":\"scale\",\"data\":[0.1],\"shape\":[]}],\"claim\":\"encoding=rope\"}");
    static const uint16_t halves[] = {0x3c00, 0x3800, 0xbc00, 0x4200};

    for (size_t chunk = 1; chunk < 64; chunk++) {
        struct json_body *body = read_body(text, chunk);
        char why[JSON_TENSORS_WHY_SIZE] = "";
        struct tensor_set set;

        ck_assert_msg(json_tensors_read(body, PE_F64, MAX_ELEMENTS, &set, why) == TENSOR_OK,
                      "%s", why);
        ck_assert_uint_eq(set.count, 5);
        expect_tensor(&set.at[0], "cos", PE_F16, 2);
        ck_assert_mem_eq(set.at[0].data, halves, sizeof halves);
        expect_tensor(&set.at[1], "index", PE_I64, 6);
        ck_assert(set.at[1].info.dims[4] == 4 && set.at[1].info.dims[5] == 25);
        ck_assert_int_eq(((const int64_t *)set.at[1].data)[99], 99);
        expect_tensor(&set.at[2], "mask", PE_BOOL8, 2);
        ck_assert_mem_eq(set.at[2].data, "\1\0\1", 3);
        expect_tensor(&set.at[3], "none", PE_F64, 2);
        ck_assert_uint_eq(set.at[3].bytes, 0);
        expect_tensor(&set.at[4], "scale", PE_F64, 0);
        ck_assert_double_eq(*(const double *)set.at[4].data, 0.1);
        tensor_set_fini(&set);
        json_body_free(body);
    }
    free(text);
}
END_TEST

START_TEST(integers_of_64_bits_have_all_of_their_digits)
{
    struct json_body *body = read_body(
        "{\"tensors\":[{\"name\":\"a\",\"dtype\":\"i64\",\"data\":[9007199254740993,"
        "-9223372036854775808,9223372036854775807]},{\"name\":\"b\",\"dtype\":\"u64\","
        "\"data\":9223372036854775805},{\"name\":\"c\",\"data\":[9007199254740993]}]}",
        3);
    static const int64_t want[] = {INT64_C(9007199254740993), INT64_MIN, INT64_MAX};
    char why[JSON_TENSORS_WHY_SIZE] = "";
    struct tensor_set set;

    ck_assert_msg(json_tensors_read(body, PE_F64, MAX_ELEMENTS, &set, why) == TENSOR_OK, "%s",
                  why);
    ck_assert_mem_eq(set.at[0].data, want, sizeof want);
    ck_assert_int_eq(*(const int64_t *)set.at[1].data, INT64_C(9223372036854775805));
    ck_assert_double_eq(*(const double *)set.at[2].data, 0x1p53); /* a float64, by its dtype */
    tensor_set_fini(&set);
    json_body_free(body);
}
END_TEST

/* json.dumps writes what masks and biases have: words that JSON does not know. */
START_TEST(words_of_python_are_numbers)
{
    struct json_body *body = read_body(
        "{\"tensors\":[{\"name\":\"a\",\"data\":[0,-Infinity,NaN,Infinity],\"dtype\":\"f32\"},"
        "{\"name\":\"b\",\"data\":[true,0.5]},{\"name\":\"c\",\"data\":[1,true],"
        "\"dtype\":\"bool\"}]}",
        1);
    char why[JSON_TENSORS_WHY_SIZE] = "";
    struct tensor_set set;

    ck_assert_msg(json_tensors_read(body, PE_F64, MAX_ELEMENTS, &set, why) == TENSOR_OK, "%s",
                  why);
    const float *a = set.at[0].data;
    ck_assert(a[0] == 0 && a[1] == -INFINITY && isnan(a[2]) && a[3] == INFINITY);
    expect_tensor(&set.at[1], "b", PE_F64, 1);
    ck_assert_double_eq(*(const double *)set.at[1].data, 1);
    expect_tensor(&set.at[2], "c", PE_BOOL8, 1);
    tensor_set_fini(&set);
    json_body_free(body);
}
END_TEST

static const struct {
    const char *body, *tensors; /* name, type and dims of each */
} plain[] = {
    {"{\"cos\":[[1,0.5403023]],\"sin\":[0]}", "cos f32 1 2; sin f32 1;"},
    {"{\"cos\":[0.54030230586813977]}", "cos f64 1;"},
    {"{\"mask\":[[true,false]]}", "mask bool 1 2;"},
    {"{\"rotary\":{\"cos\":[1],\"of\":{\"sin\":[2]}},\"dim\":4}",
     "rotary.cos f32 1; rotary.of.sin f32 1;"},
    {"{\"tensors\":{\"cos\":[1]},\"claim\":\"encoding=rope\"}", "cos f32 1;"},
    {"{\"cos\":[1],\"config\":{\"sin\":[1]}}", "cos f32 1;"},
    {"{\"cos\":[1],\"config\":null}", "cos f32 1;"},
    {"{\"tensors\":{\"config\":[1]},\"config\":null}", "config f32 1;"},
    {"{\"cos\":{\"data\":[1,2],\"shape\":[2,1],\"dtype\":\"f16\"}}", "cos f16 2 1;"},
    {"[[1,2],[3,4]]", " f32 2 2;"},
    {" \n[1]", " f32 1;"},
    {"[]", " f32 0;"},
};

START_TEST(a_body_may_be_what_a_program_prints_of_its_tensors)
{
    char why[JSON_TENSORS_WHY_SIZE] = "", text[200] = "";
    struct json_body *body = read_body(plain[_i].body, 3);
    struct tensor_set set;
    size_t len = 0;

    ck_assert_msg(json_tensors_read(body, PE_F64, MAX_ELEMENTS, &set, why) == TENSOR_OK, "%s",
                  why);
    for (size_t i = 0; i < set.count; i++) {
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s %s", i > 0 ? " " : "",
                                set.at[i].name, set.at[i].type);
        for (size_t axis = 0; axis < set.at[i].info.rank; axis++)
            len += (size_t)snprintf(text + len, sizeof text - len, " %d",
                                    (int)set.at[i].info.dims[axis]);
        len += (size_t)snprintf(text + len, sizeof text - len, ";");
    }
    ck_assert_str_eq(text, plain[_i].tensors);
    tensor_set_fini(&set);
    json_body_free(body);
}
END_TEST

#define ONE(DATA) "{\"tensors\":[{\"name\":\"a\",\"data\":" DATA "}]}"
#define SIXTEEN "0123456789abcdef"
#define LONG SIXTEEN SIXTEEN SIXTEEN SIXTEEN
#define NAME "#/tensors/0/name must be a text of 1 to 255 printable characters of ASCII"
#define BOTH                                                                                   \
    "#/tensors/0 must have a name and data, as in {\"name\": \"cos\", \"data\": [[1, 0]]}"
#define LIST                                                                                   \
    "#/tensors must be an array of 1 to 16 tensors, as in [{\"name\": \"cos\", \"data\": "     \
    "[[1, 0]]}]"
#define NONE                                                                                   \
    "the body has no tensors: it must be as {\"cos\": [[1, 0]]}, or as {\"tensors\": "         \
    "[{\"name\": \"cos\", \"data\": [[1, 0]]}]}"
#define CONFIG "#/config must be an object, that of a config.json"
#define DATA "#/tensors/0/data must be nested arrays of numbers, with rows of one length"
#define DTYPE                                                                                  \
    "#/tensors/0/dtype must be f64, f32, f16, bf16, bool or an integer type from i8 to u64; "  \
    "complex numbers are a last axis of 2"
#define SHAPE                                                                                  \
    "#/tensors/0/shape must be an array of 0 to 8 whole numbers, written as 2, not as 2.0"

static const struct {
    const char *body, *why;
} refused[] = {
    {"{}", NONE},
    {"{\"tensor\":1,\"title\":\"cos\",\"none\":{\"all\":null}}", NONE},
    {"{\"tensors\":{}}", NONE},
    {"{\"claim\":[1]}", NONE},
    {"{\"tensors\":[{\"name\":\"a\",\"data\":[1]}],\"config\":[]}", CONFIG},
    {"{\"config\":\"{}\",\"tensors\":[{\"name\":\"a\",\"data\":[1]}]}", CONFIG},
    {"{\"tensors\":{\"cos\":[1]},\"config\":1}", CONFIG},
    {"{\"cos\":[1],\"config\":[1]}", CONFIG},
    {"{\"cos\":[1],\"config\":\"{}\"}", CONFIG},
    {"{\"tensors\":[],\"more\":1}", LIST},
    {"{\"tensors\":1,\"cos\":[1]}", LIST},
    {"{\"b\":{\"a\":[1]},\"b.a\":{\"data\":[1]}}",
     "#/b.a must be another name: two tensors have the name b.a"},
    {"{\"cos\":[1,null]}", "#/cos must be nested arrays of numbers, with rows of one length"},
    {"{\"a\":{\"cos\":[1]},\"a.cos\":[1]}",
     "#/a.cos must be another name: two tensors have the name a.cos"},
    {"{\"caf\\u00e9\":[1]}",
     "#/caf\xc3\xa9 must be a text of 1 to 255 printable characters of ASCII"},
    {"{\"tensors\":[]}", LIST},
    {"{\"tensors\":[1]}", LIST},
    {"{\"tensors\":[\"cos\"]}", "#/tensors must have an object of name and data as item 0"},
    {"{\"tensors\":[{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}]}",
     "#/tensors has 17 tensors: at most 16 are read"},
    {"{\"tensors\":[{}]}", BOTH},
    {"{\"tensors\":[{\"name\":\"a\"}]}", BOTH},
    {"{\"tensors\":[{\"data\":[1]}]}", BOTH},
    {"{\"tensors\":[{\"name\":\"a\",\"data\":[1],\"values\":2}]}",
     "#/tensors/0/values is unknown: a tensor has name, data, dtype and shape"},
    {"{\"tensors\":[{\"name\":\"\",\"data\":[1]}]}", NAME},
    {"{\"tensors\":[{\"name\":1,\"data\":[1]}]}", NAME},
    {"{\"tensors\":[{\"name\":\"caf\\u00e9\",\"data\":[1]}]}", NAME},
    {"{\"tensors\":[{\"name\":\"" LONG LONG LONG LONG "\",\"data\":[1]}]}", NAME},
    {"{\"tensors\":[{\"name\":\"a\",\"data\":[1]},{\"name\":\"a\",\"data\":[1]}]}",
     "#/tensors/1/name must be another name: two tensors have the name a"},
    {ONE("true"), DATA},
    {ONE("null"), DATA},
    {ONE("\"1,2\""), DATA},
    {ONE("[null]"), DATA},
    {ONE("[1,\"2\"]"), DATA},
    {ONE("[1],\"dtype\":\"f8\""), DTYPE},
    {ONE("[1],\"dtype\":\"c64\""), DTYPE},
    {ONE("[1],\"dtype\":32"), DTYPE},
    {ONE("[1],\"shape\":1"), SHAPE},
    {ONE("[1],\"shape\":[1.0]"), SHAPE},
    {ONE("[1],\"shape\":[9007199254740993]"), SHAPE},
    {ONE("[1],\"shape\":[1,1,1,1,1,1,1,1,1]"), SHAPE},
    {ONE("[1],\"shape\":[[1]]"), SHAPE},
    {ONE("[1,2],\"shape\":[3]"),
     "#/tensors/0/shape must have as many elements as data has numbers, 2"},
    {ONE("[1,2],\"shape\":[4503599627370496,4503599627370496]"),
     "#/tensors/0/shape must have as many elements as data has numbers, 2"},
    {ONE("[1,2],\"shape\":[2,1,1,1,1,1,1]"),
     "#/tensors/0/shape is wrong: shape must have at most 6 axes behind leading ones of 1; "
     "got 7"},
    {ONE("[[0,256]],\"dtype\":\"u8\""),
     "#/tensors/0/data/0/1 must be a whole number from 0 to 255, as u8 has them; got 256"},
    {ONE("[-129],\"dtype\":\"i8\""),
     "#/tensors/0/data/0 must be a whole number from -128 to 127, as i8 has them; got -129"},
    {ONE("[0.5],\"dtype\":\"i32\""),
     "#/tensors/0/data/0 must be a whole number from -2147483648 to 2147483647, as i32 has "
     "them; got 0.5"},
    {ONE("[NaN],\"dtype\":\"u16\""),
     "#/tensors/0/data/0 must be a whole number from 0 to 65535, as u16 has them; got nan"},
    {ONE("[9223372036854775808],\"dtype\":\"u64\""),
     "#/tensors/0/data/0 must be a whole number from 0 to 9223372036854775807, as u64 has "
     "them; got 9223372036854775808"},
    {ONE("[0,-9223372036854775809],\"dtype\":\"i64\""),
     "#/tensors/0/data/1 must be a whole number from -9223372036854775808 to "
     "9223372036854775807, as i64 has them; got -9223372036854775809"},
    {ONE("[9007199254740992.5],\"dtype\":\"i64\""),
     "#/tensors/0/data/0 must be a whole number from -9223372036854775808 to "
     "9223372036854775807, as i64 has them; got a fraction near 9007199254740992"},
    {ONE("[2],\"dtype\":\"bool\""),
     "#/tensors/0/data/0 must be a whole number from 0 to 1, as bool has them; got 2"},
    {ONE("[1,70000],\"dtype\":\"half\""),
     "#/tensors/0/data/1 must be a number from -65504 to 65504, as f16 has them; got 70000"},
};

START_TEST(a_wrong_body_is_told_where_and_what_would_be_right)
{
    struct json_body *body = read_body(refused[_i].body, 7);
    char why[JSON_TENSORS_WHY_SIZE] = "";
    struct tensor_set set;

    ck_assert_int_eq(json_tensors_read(body, PE_F64, MAX_ELEMENTS, &set, why),
                     TENSOR_MALFORMED);
    ck_assert_str_eq(why, refused[_i].why);
    ck_assert_uint_eq(set.count, 0);
    json_body_free(body);
}
END_TEST

START_TEST(all_tensors_together_have_at_most_so_many_elements)
{
    char *text = bodies_count_up("{\"tensors\":[{\"name\":\"a\",\"data\":[1,2]},"
                                 "{\"name\":\"b\",\"data\":[",
                                 MAX_ELEMENTS - 1, "]}]}");
    struct json_body *body = read_body(text, 1000);
    char why[JSON_TENSORS_WHY_SIZE] = "";
    struct tensor_set set;

    ck_assert_int_eq(json_tensors_read(body, PE_F64, MAX_ELEMENTS, &set, why),
                     TENSOR_TOO_LARGE);
    ck_assert_str_eq(why, "#/tensors/1/data is too long: all tensors together have at most 200 "
                          "elements");
    ck_assert_int_eq(json_tensors_read(body, PE_F64, 0, &set, why), TENSOR_OK);
    tensor_set_fini(&set);
    json_body_free(body);
    free(text);
}
END_TEST

START_TEST(memory_that_is_out_is_told)
{
    struct json_body *body = read_body("{\"tensors\":[{\"name\":\"a\",\"data\":[1]},"
                                       "{\"name\":\"b\",\"data\":[2]}]}",
                                       100);
    char why[JSON_TENSORS_WHY_SIZE] = "";

    for (size_t n = 0; n < 2; n++) {
        struct tensor_set set;

        alloc_fail_start(n);
        const enum tensor_state state =
            json_tensors_read(body, PE_F64, MAX_ELEMENTS, &set, why);
        alloc_fail_stop();
        ck_assert_int_eq(state, TENSOR_NO_MEMORY);
        ck_assert_int_eq(alloc_fail_live(), 0);
        ck_assert_str_eq(why, "out of memory");
    }
    json_body_free(body);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(tensors_are_read_in_pieces_of_any_size),
    TEST(integers_of_64_bits_have_all_of_their_digits),
    TEST(words_of_python_are_numbers),
    TEST_EACH(a_wrong_body_is_told_where_and_what_would_be_right, refused),
    TEST_EACH(a_body_may_be_what_a_program_prints_of_its_tensors, plain),
    TEST(all_tensors_together_have_at_most_so_many_elements),
    TEST(memory_that_is_out_is_told),
};
const struct suite json_tensors_suite = {SUITE_TESTS(tests), .setup = set_up};
