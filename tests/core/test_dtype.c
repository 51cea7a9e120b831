/* SPDX-License-Identifier: Apache-2.0
 * test_dtype.c - element types: names, sizes, and one rounding to nearest even. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

static const struct {
    const char *name;
    size_t size;
    double lowest;
    const char *others[5];
} dtypes[] = {
    [PE_F64] = {"f64", 8, -DBL_MAX, {"float64", "fp64", "double"}},
    [PE_F32] = {"f32", 4, -3.4028234663852886e38, {"float32", "fp32", "float", "single"}},
    [PE_F16] = {"f16", 2, -65504, {"float16", "fp16", "half"}},
    [PE_BF16] = {"bf16", 2, -3.3895313892515355e38, {"bfloat16", "brain16"}},
    [PE_I32] = {"i32", 4, -2147483648.0, {"int32", "int"}},
    [PE_I64] = {"i64", 8, -9223372036854775808.0, {"int64", "long"}},
    [PE_U8] = {"u8", 1, 0, {"uint8", "byte"}},
    [PE_BOOL8] = {"bool", 1, 0, {"boolean", "bool8"}},
};

START_TEST(every_dtype_has_its_names_size_and_lowest)
{
    enum pe_dtype dtype = (enum pe_dtype)_i, found;

    ck_assert_str_eq(pe_dtype_name(dtype), dtypes[_i].name);
    ck_assert_uint_eq(pe_dtype_size(dtype), dtypes[_i].size);
    ck_assert(pe_dtype_lowest(dtype) == dtypes[_i].lowest);
    ck_assert(pe_dtype_find(dtypes[_i].name, strlen(dtypes[_i].name), &found));
    ck_assert_int_eq(found, dtype);
    for (size_t i = 0; dtypes[_i].others[i]; i++) {
        ck_assert(pe_dtype_find(dtypes[_i].others[i], strlen(dtypes[_i].others[i]), &found));
        ck_assert_int_eq(found, dtype);
    }
}
END_TEST

START_TEST(names_are_found_in_any_case)
{
    static const struct {
        const char *name;
        enum pe_dtype dtype;
    } cases[] = {{"F32", PE_F32}, {"BF16", PE_BF16}, {"Float64", PE_F64}, {"BOOL", PE_BOOL8}};
    enum pe_dtype found;

    for (size_t i = 0; i < PE_LEN(cases); i++) {
        ck_assert(pe_dtype_find(cases[i].name, strlen(cases[i].name), &found));
        ck_assert_int_eq(found, cases[i].dtype);
    }
}
END_TEST

START_TEST(other_names_are_unknown)
{
    static const char *const unknown[] = {"", "f", "f8", "f32 ", "float128", "i16", "u64"};
    enum pe_dtype found = PE_U8;

    for (size_t i = 0; i < PE_LEN(unknown); i++)
        ck_assert(!pe_dtype_find(unknown[i], strlen(unknown[i]), &found));
    ck_assert_int_eq(found, PE_U8);
}
END_TEST

static uint16_t narrow(enum pe_dtype dtype, double value)
{
    uint16_t element;

    pe_dtype_from_f64(dtype, &element, &value, 1);
    return element;
}

static double widen(enum pe_dtype dtype, uint16_t element)
{
    double value;

    pe_dtype_to_f64(dtype, &value, &element, 1);
    return value;
}

static const struct {
    enum pe_dtype dtype;
    double value;
    uint16_t bits;
} known[] = {
    {PE_F16, 1, 0x3c00},
    {PE_F16, -2, 0xc000},
    {PE_F16, 65504, 0x7bff},
    {PE_F16, 65519.99, 0x7bff},
    {PE_F16, 65520, 0x7c00},
    {PE_F16, -65520, 0xfc00},
    {PE_F16, 0x1p-14, 0x0400},
    {PE_F16, 0x1p-24, 0x0001},
    {PE_F16, 0x1p-25, 0x0000}, /* a tie between 0 and the least */
    {PE_F16, 0x1.000002p-25, 0x0001},
    {PE_F16, 0x1.8p-24, 0x0002}, /* a tie, to even */
    {PE_F16, 1 + 0x1p-11, 0x3c00},
    {PE_F16, 1 + 0x3p-11, 0x3c02},
    {PE_F16, 0x1.ffep-15, 0x0400}, /* rounds up to the least normal */
    {PE_F16, INFINITY, 0x7c00},
    {PE_F16, -0.0, 0x0000},
    {PE_F16, -1e-30, 0x0000},
    {PE_F16, -0x1p-25, 0x0000},
    {PE_BF16, 1, 0x3f80},
    {PE_BF16, -3.3895313892515355e38, 0xff7f},
    {PE_BF16, FLT_MAX, 0x7f80},
    {PE_BF16, 257, 0x4380},
    {PE_BF16, 4095, 0x4580},
    {PE_BF16, 0x1p-133, 0x0001},
    {PE_BF16, 0x1p-134, 0x0000},
    {PE_BF16, 0x1p-126, 0x0080},
    /* one rounding: by way of float32 this would be a tie, and go to 1.0 */
    {PE_BF16, 1 + 0x1p-8 + 0x1p-40, 0x3f81},
    {PE_F16, 1 + 0x1p-11 + 0x1p-40, 0x3c01},
};

START_TEST(sixteen_bits_are_rounded_once_to_even)
{
    ck_assert_msg(narrow(known[_i].dtype, known[_i].value) == known[_i].bits,
                  "%s of %a is %04x, not %04x", pe_dtype_name(known[_i].dtype), known[_i].value,
                  narrow(known[_i].dtype, known[_i].value), known[_i].bits);
}
END_TEST

START_TEST(sixteen_bits_widen_and_narrow_back)
{
    static const enum pe_dtype both[] = {PE_F16, PE_BF16};

    for (unsigned bits = 0; bits < 65536; bits++) {
        double value = widen(both[_i], (uint16_t)bits);

        if (isnan(value)) {
            ck_assert(isnan(widen(both[_i], narrow(both[_i], value))));
            continue;
        }
        ck_assert_uint_eq(narrow(both[_i], value), bits == 0x8000 ? 0 : bits);
    }
}
END_TEST

/* Between two neighbours lies a tie; a little to either side decides. */
START_TEST(between_neighbours_the_nearer_is_taken)
{
    static const enum pe_dtype both[] = {PE_F16, PE_BF16};
    unsigned last = both[_i] == PE_F16 ? 0x7bff : 0x7f7f;

    for (unsigned bits = 0; bits < last; bits++) {
        double low = widen(both[_i], (uint16_t)bits);
        double high = widen(both[_i], (uint16_t)(bits + 1)), middle = (low + high) / 2;

        ck_assert_uint_eq(narrow(both[_i], middle), bits + (bits & 1));
        ck_assert_uint_eq(narrow(both[_i], nextafter(middle, low)), bits);
        ck_assert_uint_eq(narrow(both[_i], nextafter(middle, high)), bits + 1);
    }
}
END_TEST

START_TEST(whole_types_hold_what_they_are_given)
{
    double in[] = {0, -0.0, 1, 255, 9007199254740992.0, -9007199254740992.0, -2147483648.0};
    double out[7];
    int64_t i64[7];
    int32_t i32[4];
    uint8_t u8[4];

    pe_dtype_from_f64(PE_I64, i64, in, 7);
    ck_assert_int_eq(i64[4], INT64_C(9007199254740992));
    ck_assert_int_eq(i64[5], -INT64_C(9007199254740992));
    pe_dtype_to_f64(PE_I64, out, i64, 7);
    for (size_t i = 0; i < 7; i++)
        ck_assert(out[i] == in[i]);
    pe_dtype_from_f64(PE_I32, i32, in + 6, 1);
    ck_assert_int_eq(i32[0], INT32_MIN);
    pe_dtype_to_f64(PE_I32, out, i32, 1);
    ck_assert(out[0] == -2147483648.0);
    pe_dtype_from_f64(PE_U8, u8, in, 4);
    ck_assert_uint_eq(u8[3], 255);
    pe_dtype_from_f64(PE_BOOL8, u8, in, 4);
    ck_assert(u8[0] == 0 && u8[1] == 0 && u8[2] == 1 && u8[3] == 1);
    pe_dtype_to_f64(PE_BOOL8, out, u8, 4);
    ck_assert(out[0] == 0 && out[3] == 1);
}
END_TEST

START_TEST(minus_zero_leaves_no_real_type)
{
    double in = -0.0, f64;
    float f32;

    pe_dtype_from_f64(PE_F64, &f64, &in, 1);
    pe_dtype_from_f64(PE_F32, &f32, &in, 1);
    ck_assert(!signbit(f64) && !signbit(f32));
    in = -1e-60; /* becomes zero by rounding */
    pe_dtype_from_f64(PE_F32, &f32, &in, 1);
    ck_assert(f32 == 0 && !signbit(f32));
    in = 1e60;
    pe_dtype_from_f64(PE_F32, &f32, &in, 1);
    ck_assert(isinf(f32));
}
END_TEST

START_TEST(any_alignment_will_do)
{
    struct core_random random = {2};
    char buffer[8 * 8 + 1];
    double in[8], out[8];

    for (size_t i = 0; i < 8; i++)
        in[i] = (double)core_random_whole(&random, 0, 1);
    for (int dtype = 0; dtype < PE_DTYPE_COUNT; dtype++) {
        pe_dtype_from_f64((enum pe_dtype)dtype, buffer + 1, in, 8);
        pe_dtype_to_f64((enum pe_dtype)dtype, out, buffer + 1, 8);
        ck_assert(memcmp(in, out, sizeof in) == 0);
    }
}
END_TEST

SUITE(dtype, TEST_RANGE(every_dtype_has_its_names_size_and_lowest, 0, PE_DTYPE_COUNT),
      TEST(names_are_found_in_any_case), TEST(other_names_are_unknown),
      TEST_EACH(sixteen_bits_are_rounded_once_to_even, known),
      TEST_RANGE(sixteen_bits_widen_and_narrow_back, 0, 2),
      TEST_RANGE(between_neighbours_the_nearer_is_taken, 0, 2),
      TEST(whole_types_hold_what_they_are_given), TEST(minus_zero_leaves_no_real_type),
      TEST(any_alignment_will_do));
