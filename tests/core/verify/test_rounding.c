/* SPDX-License-Identifier: Apache-2.0
 * test_rounding.c - elements that are not the claim's rounded once, in steps of their dtype. */
#include "core/verify/rounding.h"

#include <math.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

enum { ROW = 3, COL = 2 };

/* Compares cosines, whose element in ROW and COL lies `steps` steps above the claim's. */
static struct rounding compare(const char *request, enum pe_dtype dtype, int steps)
{
    static const int digits[] = {[PE_F64] = 53, [PE_F32] = 24, [PE_F16] = 11, [PE_BF16] = 8};
    struct rounding rounding[CLAIM_SUBJECTS];
    struct verify_case made;
    struct claim claim;
    int exponent;

    verify_case_of(&made, request);
    double value = verify_case_get(&made, 0, ROW * 4 + COL);
    frexp(value, &exponent);
    verify_case_set(&made, 0, ROW * 4 + COL,
                    value + steps * ldexp(1, exponent - digits[dtype]));
    verify_case_claim(&made, request);
    ck_assert(claim_init(&claim, made.claim, made.tensor, made.count, made.role, NULL,
                         &verify_case_limits));
    struct candidate *base = candidate_new(&claim, NULL, NULL);
    ck_assert(rounding_compare(rounding, base, NULL, false, NULL, NULL));
    candidate_free(base);
    claim_fini(&claim);
    verify_case_free(&made);
    return rounding[0];
}

static const struct {
    const char *request;
    enum pe_dtype dtype;
} dtypes[] = {{"rope?dim=8&pos=0:5&out=cos&dtype=f64", PE_F64},
              {"rope?dim=8&pos=0:5&out=cos&dtype=f32", PE_F32},
              {"rope?dim=8&pos=0:5&out=cos&dtype=f16", PE_F16},
              {"rope?dim=8&pos=0:5&out=cos&dtype=bf16", PE_BF16}};

START_TEST(equal_bits_do_not_differ)
{
    struct rounding rounding = compare(dtypes[_i].request, dtypes[_i].dtype, 0);

    ck_assert_uint_eq(rounding.differs, 0);
    ck_assert_uint_eq(rounding.of, 20);
    ck_assert(rounding.max_ulp == 0);
}
END_TEST

START_TEST(a_distance_is_counted_in_steps_of_the_dtype)
{
    for (int steps = 1; steps < 4; steps++) {
        struct rounding rounding = compare(dtypes[_i].request, dtypes[_i].dtype, -steps);

        ck_assert_uint_eq(rounding.differs, 1);
        ck_assert_uint_eq(rounding.first_row, ROW);
        ck_assert_uint_eq(rounding.first_col, COL);
        ck_assert_msg(rounding.max_ulp == steps, "%g", rounding.max_ulp);
    }
}
END_TEST

SUITE(rounding, TEST_EACH(equal_bits_do_not_differ, dtypes),
      TEST_EACH(a_distance_is_counted_in_steps_of_the_dtype, dtypes));
