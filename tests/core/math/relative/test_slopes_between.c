/* SPDX-License-Identifier: Apache-2.0
 * test_slopes_between.c - products of a slope with scattered distances are those of
 * slopes_times, also where the middle of two float32 numbers lies between them and the plain
 * product. */
#include <math.h>

#include "core/math/relative/slopes.h"
#include "core/posenc.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

enum { COUNT = 700, TRIALS = 200 };

static const enum pe_dtype dtypes[] = {PE_F32, PE_F16, PE_BF16, PE_F64};

/* A slope whose product with a distance is within an ULP of a float32 number or of the middle
 * between two, so that its low part decides the rounding. */
static struct slope hard_slope(struct core_random *random, double distance)
{
    const double near = (double)core_random_whole(random, 1 << 24, 1 << 25) * 0x1p-25;
    const double hi = near / distance;

    return (struct slope){hi, core_random_real(random, -0.49, 0.49) * ldexp(1, ilogb(hi) - 52)};
}

static void expect(struct slope slope, bool sizes, double query, const double *keys)
{
    static double out[COUNT], wanted[COUNT];
    char rounded[COUNT * sizeof(double)], other[COUNT * sizeof(double)];

    for (size_t t = 0; t < COUNT; t++) {
        const double distance = query - keys[t];

        wanted[t] = slopes_times(slope, sizes ? fabs(distance) : distance);
    }
    for (size_t d = 0; d < 4; d++) {
        slopes_between(slope, sizes, query, keys, COUNT, dtypes[d] != PE_F64, out);
        pe_dtype_from_f64(dtypes[d], rounded, out, COUNT);
        pe_dtype_from_f64(dtypes[d], other, wanted, COUNT);
        ck_assert_mem_eq(rounded, other, COUNT * pe_dtype_size(dtypes[d]));
    }
}

START_TEST(products_are_rounded_as_those_of_slopes_times)
{
    const size_t used = pe_cpu_path();
    struct core_random random = {7};
    double keys[COUNT];

    if (!pe_cpu_path_set((size_t)_i))
        return; /* not in this CPU */
    for (int trial = 0; trial < TRIALS; trial++) {
        const double query = (double)core_random_whole(&random, -1000000, 1000000);

        for (size_t t = 0; t < COUNT; t++)
            keys[t] = (double)core_random_whole(&random, -1000000, 1000000);
        keys[3] = query;
        const double distance = fabs(query - keys[trial % 3]);
        expect(trial % 5 == 0 ? (struct slope){-0x1p-4, 0}
                              : hard_slope(&random, distance > 0 ? distance : 1),
               trial % 2 == 0, query, keys);
    }
    ck_assert(pe_cpu_path_set(used));
}
END_TEST

START_TEST(a_plain_product_alone_would_be_rounded_otherwise)
{
    struct core_random random = {7};
    size_t others = 0;

    for (int trial = 0; trial < 1000; trial++) {
        const double distance = (double)core_random_whole(&random, 1, 1000000);
        const struct slope slope = hard_slope(&random, distance);

        others += (float)(slope.hi * distance) != (float)slopes_times(slope, distance);
    }
    ck_assert_uint_gt(others, 10);
}
END_TEST

SUITE(slopes_between, TEST_RANGE(products_are_rounded_as_those_of_slopes_times, 0, 3),
      TEST(a_plain_product_alone_would_be_rounded_otherwise));
