/* SPDX-License-Identifier: Apache-2.0
 * test_narrow_list.c - lists of 16-bit and 32-bit floats against one value at a time
 * (narrow.h). */
#include <math.h>
#include <string.h>

#include "core/math/number/narrow.h"
#include "core/math/number/narrow_list.h"
#include "core/posenc.h"
#include "tests/support/suite.h"

enum { COUNT = 1000 };

/* Any bits, all exponents, without infinities and NaN. */
static void any_values(double values[COUNT])
{
    uint64_t bits = 1;

    for (int i = 0; i < COUNT; i++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        memcpy(&values[i], &bits, sizeof bits);
        if (!isfinite(values[i]))
            values[i] = ldexp(1.5, i % 40 - 30);
        if (i % 3 == 0) /* the formats' own range */
            values[i] = ldexp(frexp(values[i], &(int){0}), i % 50 - 30);
    }
}

START_TEST(lists_are_rounded_as_single_values_on_each_path)
{
    const size_t path = pe_cpu_path();
    double values[COUNT];
    unsigned char out[COUNT * 2 + 1]; /* odd addresses are fine */
    uint16_t element;

    any_values(values);
    for (size_t i = 0; i < pe_cpu_path_count(); i++) {
        if (!pe_cpu_path_set(i))
            continue;
        const size_t brains = narrow_list_bf16(out + 1, values, COUNT);
        ck_assert_uint_gt(brains, COUNT - 64);
        for (size_t j = 0; j < brains; j++) {
            memcpy(&element, out + 1 + 2 * j, 2);
            ck_assert_uint_eq(element, narrow_bf16(values[j]));
        }
        const size_t halves = narrow_list_f16(out + 1, values, COUNT);
        ck_assert_uint_eq(halves, brains);
        for (size_t j = 0; j < halves; j++) {
            memcpy(&element, out + 1 + 2 * j, 2);
            ck_assert_uint_eq(element, narrow_f16(values[j]));
        }
    }
    ck_assert(pe_cpu_path_set(path));
}
END_TEST

START_TEST(lists_of_float32_are_rounded_as_single_values_on_each_path)
{
    const size_t path = pe_cpu_path();
    double values[COUNT];
    unsigned char out[COUNT * 4 + 1];
    float element;

    any_values(values);
    values[3] = NAN;
    values[130] = -INFINITY;
    values[131] = -0.0;
    values[132] = 1e300;
    for (size_t i = 0; i < pe_cpu_path_count(); i++) {
        if (!pe_cpu_path_set(i))
            continue;
        const size_t done = narrow_list_f32(out + 1, values, COUNT);
        ck_assert_uint_gt(done, COUNT - 64);
        for (size_t j = 0; j < done; j++) {
            const float single = narrow_f32(values[j]);

            memcpy(&element, out + 1 + 4 * j, sizeof element);
            ck_assert_mem_eq(&element, &single, sizeof single);
        }
    }
    ck_assert(pe_cpu_path_set(path));
}
END_TEST

START_TEST(a_list_ends_before_what_is_not_finite)
{
    const double strange[] = {NAN, -NAN, INFINITY, -INFINITY};
    double values[COUNT];
    uint16_t out[COUNT];

    any_values(values);
    values[200] = strange[_i];
    ck_assert_uint_le(narrow_list_bf16(out, values, COUNT), 200);
    ck_assert_uint_le(narrow_list_f16(out, values, COUNT), 200);
    pe_dtype_from_f64(PE_BF16, out, values, COUNT); /* which goes on one by one */
    double back;
    pe_dtype_to_f64(PE_BF16, &back, &out[200], 1);
    ck_assert(isnan(strange[_i]) ? isnan(back) : back == strange[_i]);
    ck_assert_uint_eq(out[201], narrow_bf16(values[201]));
}
END_TEST

SUITE(narrow_list, TEST(lists_are_rounded_as_single_values_on_each_path),
      TEST(lists_of_float32_are_rounded_as_single_values_on_each_path),
      TEST_RANGE(a_list_ends_before_what_is_not_finite, 0, 4));
