/* SPDX-License-Identifier: Apache-2.0
 * test_narrow.c - one rounding to sixteen bits: every element and every boundary between two,
 * and what core/dtype.c, written differently, says. */
#include <math.h>
#include <string.h>

#include "core/math/number/narrow.h"
#include "core/posenc.h"
#include "tests/support/suite.h"

/* Value of an element by the definition of the format. */
static double value_of(unsigned element, int fraction_bits, int bias)
{
    const int exponent = (int)(element >> fraction_bits);
    const double fraction = (double)(element & ((1u << fraction_bits) - 1));

    if (exponent == 0)
        return ldexp(fraction, 1 - bias - fraction_bits);
    return ldexp(fraction + ldexp(1, fraction_bits), exponent - bias - fraction_bits);
}

static void check_boundaries(uint16_t (*narrow)(double), unsigned infinity, int fraction_bits,
                             int bias)
{
    for (unsigned h = 0; h < infinity; h++) {
        const double here = value_of(h, fraction_bits, bias);
        const double middle = (here + value_of(h + 1, fraction_bits, bias)) / 2;
        const unsigned even = h % 2 == 0 ? h : h + 1, minus = 0x8000;

        ck_assert_uint_eq(narrow(here), h);
        ck_assert_uint_eq(narrow(middle), even);
        ck_assert_uint_eq(narrow(nextafter(middle, 0)), h);
        ck_assert_uint_eq(narrow(nextafter(middle, INFINITY)), h + 1);
        ck_assert_uint_eq(narrow(-middle), even == 0 ? 0 : even | minus);
        ck_assert_uint_eq(narrow(-nextafter(middle, 0)), h == 0 ? 0 : h | minus);
        ck_assert_uint_eq(narrow(-nextafter(middle, INFINITY)), (h + 1) | minus);
    }
    ck_assert_uint_eq(narrow(1e300), infinity);
    ck_assert_uint_eq(narrow(-1e300), infinity | 0x8000u);
    ck_assert_uint_eq(narrow(5e-324), 0);
    ck_assert_uint_eq(narrow(-0.0), 0);
}

START_TEST(float16_rounds_once_at_every_boundary)
{
    check_boundaries(narrow_f16, 0x7c00, 10, 15);
}
END_TEST

START_TEST(bfloat16_rounds_once_at_every_boundary)
{
    check_boundaries(narrow_bf16, 0x7f80, 7, 127);
}
END_TEST

START_TEST(kernels_and_dtype_round_alike)
{
    uint64_t bits = 1;

    for (int i = 0; i < 300000; i++) {
        double value;

        bits = bits * 6364136223846793005u + 1442695040888963407u;
        /* Half of them with exponents where both formats have their edges. */
        const uint64_t close = (bits & 0x800fffffffffffffu) | (1023 - 30 + bits % 50) << 52;
        memcpy(&value, i % 2 == 0 ? &bits : &close, sizeof value);
        if (!isfinite(value))
            continue;
        uint16_t half, brain;
        float single;
        const float expected = narrow_f32(value);
        pe_dtype_from_f64(PE_F16, &half, &value, 1);
        pe_dtype_from_f64(PE_BF16, &brain, &value, 1);
        pe_dtype_from_f64(PE_F32, &single, &value, 1);
        ck_assert_uint_eq(narrow_f16(value), half);
        ck_assert_uint_eq(narrow_bf16(value), brain);
        ck_assert_mem_eq(&expected, &single, sizeof single);
    }
}
END_TEST

SUITE(narrow, TEST(float16_rounds_once_at_every_boundary),
      TEST(bfloat16_rounds_once_at_every_boundary), TEST(kernels_and_dtype_round_alike));
