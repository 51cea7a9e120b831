/* SPDX-License-Identifier: Apache-2.0
 * test_element_type.c - every type is found by its names, and read exactly. */
#include "proto/tensors/element_type.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "tests/support/suite.h"

START_TEST(a_type_is_found_by_each_of_its_names)
{
    const struct element_type *u16 = element_type_find_npy("u2");

    ck_assert_str_eq(u16->name, "u16");
    ck_assert_ptr_eq(element_type_find_safetensors("U16"), u16);
    ck_assert_str_eq(element_type_find_npy("c16")->name, "c128");
    ck_assert_ptr_null(element_type_find_npy("f16"));
    ck_assert_ptr_null(element_type_find_safetensors("u16"));
    for (int dtype = 0; dtype < PE_DTYPE_COUNT; dtype++)
        ck_assert_int_eq(element_type_of((enum pe_dtype)dtype)->dtype, dtype);
}
END_TEST

START_TEST(real_are_the_types_of_vectors)
{
    ck_assert(element_type_is_real(element_type_find_npy("f2")));
    ck_assert(element_type_is_real(element_type_find_safetensors("BF16")));
    ck_assert(!element_type_is_real(element_type_find_npy("c8")));
    ck_assert(!element_type_is_real(element_type_find_npy("i4")));
}
END_TEST

/* Bytes of a part, of which a little-endian type reads the first and a big-endian type reads
 * them in reverse. */
static const struct {
    const char *npy;
    unsigned char bytes[8];
    int64_t value;
} whole[] = {
    {"i1", {0x80}, -128},
    {"i1", {0x7f}, 127},
    {"u1", {0xff}, 255},
    {"i2", {0x00, 0x80}, -32768},
    {"u2", {0x00, 0x80}, 32768},
    {"i4", {0xff, 0xff, 0xff, 0xff}, -1},
    {"u4", {0xff, 0xff, 0xff, 0xff}, UINT32_MAX},
    {"i8", {0, 0, 0, 0, 0, 0, 0, 0x80}, INT64_MIN},
    {"u8", {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, INT64_MAX},
    {"b1", {0}, 0},
    {"b1", {0x02}, 1},
};

static int64_t number(enum pe_dtype dtype, const void *data)
{
    int32_t narrow;
    int64_t wide;

    if (dtype == PE_U8 || dtype == PE_BOOL8)
        return *(const unsigned char *)data;
    if (dtype == PE_I32)
        memcpy(&narrow, data, sizeof narrow);
    else
        memcpy(&wide, data, sizeof wide);
    return dtype == PE_I32 ? narrow : wide;
}

static const struct {
    const char *name;
    unsigned char bits;
    float value;
} eight[] = {
    {"F8_E4M3", 0x00, 0},        {"F8_E4M3", 0x38, 1},       {"F8_E4M3", 0xb9, -1.125F},
    {"F8_E4M3", 0x01, 0x1p-9F},  {"F8_E4M3", 0x07, 0x7p-9F}, {"F8_E4M3", 0x08, 0x1p-6F},
    {"F8_E4M3", 0x7e, 448},      {"F8_E4M3", 0x78, 256},     {"F8_E4M3", 0xff, NAN},
    {"F8_E5M2", 0x3c, 1},        {"F8_E5M2", 0xbd, -1.25F},  {"F8_E5M2", 0x01, 0x1p-16F},
    {"F8_E5M2", 0x04, 0x1p-14F}, {"F8_E5M2", 0x7b, 57344},   {"F8_E5M2", 0xfc, -INFINITY},
    {"F8_E5M2", 0x7d, NAN},
};

START_TEST(floats_of_eight_bits_are_widened_exactly)
{
    const struct element_type *type = element_type_find_safetensors(eight[_i].name);
    float out;

    ck_assert_int_eq(type->dtype, PE_F32);
    ck_assert(element_type_read(type, false, &out, 1, &eight[_i].bits, 1));
    ck_assert(isnan(eight[_i].value) ? isnan(out) : out == eight[_i].value);
    ck_assert(element_type_is_accepted(type, ELEMENT_ANY));
    ck_assert(!element_type_is_accepted(type, ELEMENT_NUMBERS));
    ck_assert(!element_type_is_accepted(type, ELEMENT_REALS));
}
END_TEST

START_TEST(whole_numbers_of_each_type_keep_their_value)
{
    const struct element_type *type = element_type_find_npy(whole[_i].npy);
    unsigned char reversed[8], out[8];

    for (size_t i = 0; i < type->size; i++)
        reversed[i] = whole[_i].bytes[type->size - 1 - i];
    ck_assert(element_type_read(type, false, out, 1, whole[_i].bytes, 1));
    ck_assert_int_eq(number(type->dtype, out), whole[_i].value);
    ck_assert(element_type_read(type, true, out, 1, reversed, 1));
    ck_assert_int_eq(number(type->dtype, out), whole[_i].value);
}
END_TEST

START_TEST(a_number_beyond_63_bits_is_refused)
{
    const uint64_t numbers[] = {1, UINT64_C(1) << 63};
    int64_t out[2] = {0, 0};

    ck_assert(!element_type_read(element_type_find_npy("u8"), false, out, 1, numbers, 2));
    ck_assert_int_eq(out[0], 1);
}
END_TEST

START_TEST(parts_are_put_at_a_stride)
{
    const unsigned char in[] = {0x12, 0x34, 0x56, 0x78};
    uint16_t out[4] = {0};

    ck_assert(element_type_read(element_type_find_npy("f2"), true, out, 3, in, 2));
    ck_assert(out[0] == 0x1234 && out[1] == 0 && out[3] == 0x5678);
}
END_TEST

SUITE(element_type, TEST(a_type_is_found_by_each_of_its_names),
      TEST(real_are_the_types_of_vectors),
      TEST_EACH(floats_of_eight_bits_are_widened_exactly, eight),
      TEST_EACH(whole_numbers_of_each_type_keep_their_value, whole),
      TEST(a_number_beyond_63_bits_is_refused), TEST(parts_are_put_at_a_stride));
